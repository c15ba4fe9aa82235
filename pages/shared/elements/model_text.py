"""Text that a model wrote, as plain text in a frame. A disabled text field would show it too pale."""

from __future__ import annotations

import streamlit as st

from viz.shared.style import markdown_text


def show_text(name: str, text: str) -> None:
    """`text` under a caption `name`. Its letters decide the direction of writing (assets/style.css)."""
    st.caption(name)
    with st.container(border=True, key=f"written {name}"):
        st.markdown(markdown_text(text) if text.strip() else ":gray[(nothing)]")
