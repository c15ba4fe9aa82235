"""Text that a model wrote, as plain text in a frame: as dark as the page's own words, which a disabled field is not."""

from __future__ import annotations

import streamlit as st

from viz.shared.style import markdown_text


def show_text(name: str, text: str) -> None:
    """`text` under a caption `name`, in the direction of its own letters (assets/style.css)."""
    st.caption(name)
    with st.container(border=True, key=f"written {name}"):
        st.markdown(markdown_text(text) if text.strip() else ":gray[(nothing)]")
