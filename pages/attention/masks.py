"""Masks: what a query may look at, and what happens when that changes. Only the open part computes."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from pages.attention.masks_parts import cheat, panels, passes, row, ways
from pages.shared import lesson, state

PARTS: dict[str, tuple[str, Callable[[str], None]]] = {
    "panels": ("Choose or paint", panels.show),
    "ways": ("Three ways", ways.show),
    "cheat": ("The cheating decoder", cheat.show),
    "row": ("A hidden row", row.show),
    "passes": ("One pass or T", passes.show),
}

depth = lesson.begin("Masks", "A mask hides keys from queries: minus infinity before the softmax, weight 0 after it.")
st.segmented_control(
    "Part",
    tuple(PARTS),
    key="masks_part",
    format_func=lambda part: PARTS[part][0],
    required=True,
    label_visibility="collapsed",
)
PARTS[state.get("masks_part")][1](depth)
