"""The screen on which a lecture is presented. `pages.teach.page_bars` asks the browser for its size, and charts fit it.

Canvases ask the browser themselves (assets/components/shared/layout.js). Plotly's charts are drawn by the server.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import streamlit as st

FIGURE_TYPE_PIXELS = 13.5  # the size of most words in a figure
MAX_CHART_SHARE = 0.6  # of the screen's height, for one chart


@dataclass(frozen=True)
class Screen:
    """The sizes of the page's type and of the window, in pixels. The defaults are a projector's, until the browser
    sends its own."""

    type_pixels: float = 22.08
    height_pixels: float = 1080.0

    @property
    def scale(self) -> float:
        """How much a figure's type is enlarged to be as large as the page's."""
        return max(1.0, self.type_pixels / FIGURE_TYPE_PIXELS)

    @property
    def max_chart_pixels(self) -> float:
        return MAX_CHART_SHARE * self.height_pixels


def present_screen() -> Screen | None:
    """The screen while a lecture is presented, else None."""
    return st.session_state.get("_screen", Screen()) if "_playing" in st.session_state else None


@dataclass(frozen=True)
class SceneWords:
    """The words of a presented scene that stand above its view, in place of the page's title.

    `question` and `point` share one place: the presenter's browser shows one of them at a time.
    """

    title: str
    question: str
    point: str


def scene_words() -> SceneWords | None:
    """The words of the scene whose view is on screen, else None. `pages.teach.page_bars` puts them there."""
    return st.session_state.get("_scene_words")


def take_sizes(sizes: Any) -> None:
    """Take the type size and the height that the browser sends, if a screen can have them."""
    if isinstance(sizes, list) and len(sizes) == 2 and all(type(each) in (int, float) for each in sizes):
        type_pixels, height_pixels = sizes
        if 8 <= type_pixels <= 200 and 200 <= height_pixels <= 20_000:
            st.session_state["_screen"] = Screen(float(type_pixels), float(height_pixels))
