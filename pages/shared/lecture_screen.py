"""The screen that a lecture is presented on. `pages.teach.bars` writes it down; charts are drawn for it.

Canvases ask the browser themselves (assets/components/shared/layout.js); a chart of Plotly's is made here.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import streamlit as st

TYPE = 13.5  # pixels: most words of a figure
SHARE = 0.5  # of the height of the screen, for one chart


@dataclass(frozen=True)
class Screen:
    """`type`: pixels of the page's type; `height`: pixels of the window. Those of a projector, until it tells."""

    type: float = 22.08
    height: float = 1080.0

    @property
    def scale(self) -> float:
        """How much larger a figure's type must be to be as large as the page's."""
        return max(1.0, self.type / TYPE)

    @property
    def tallest(self) -> float:
        return SHARE * self.height


def lecture_room() -> Screen | None:
    """The screen, while a lecture is presented."""
    return st.session_state.get("_screen", Screen()) if "_playing" in st.session_state else None


def take_sizes(sizes: Any) -> None:
    """Take what the browser says of its type and its height, if it can be."""
    if isinstance(sizes, list) and len(sizes) == 2 and all(type(each) in (int, float) for each in sizes):
        kind, height = sizes
        if 8 <= kind <= 200 and 200 <= height <= 20_000:
            st.session_state["_screen"] = Screen(float(kind), float(height))
