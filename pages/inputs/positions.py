"""Positions: how a model knows where a word stands. Eight parts; only the open one computes."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from pages.inputs.positions_parts import (
    circles,
    distance,
    heatmap,
    join,
    order,
    requirements,
    rotary,
    table,
)
from pages.shared import lesson, state

PARTS: dict[str, tuple[str, Callable[[str], None]]] = {
    "heatmap": ("Heatmap", heatmap.show),
    "table": ("Worked table", table.show),
    "circles": ("Circles", circles.show),
    "distance": ("Distance", distance.show),
    "rotary": ("Rotary", rotary.show),
    "join": ("Add or concatenate", join.show),
    "order": ("Does order matter?", order.show),
    "requirements": ("Requirements", requirements.show),
}

depth = lesson.begin("Positions", "A word's place is a set of clock hands, each turning at its own speed.")
st.segmented_control(
    "Part",
    tuple(PARTS),
    key="positions_part",
    format_func=lambda part: PARTS[part][0],
    required=True,
    label_visibility="collapsed",
)
PARTS[state.get("positions_part")][1](depth)
