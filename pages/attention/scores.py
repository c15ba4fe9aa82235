"""Scores: attention in one head, step by step, and why each step is there. Only the open part computes."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from pages.attention.scores_parts import geometry, scale, similarity, steps, table, temperature
from pages.shared import lesson, state

PARTS: dict[str, tuple[str, Callable[[str], None]]] = {
    "steps": ("Step by step", steps.show),
    "similarity": ("From similarity", similarity.show),
    "scale": ("Why √d_k", scale.show),
    "temperature": ("Temperature", temperature.show),
    "table": ("A table to edit", table.show),
    "geometry": ("Geometry", geometry.show),
}

depth = lesson.begin("Scores", "A query meets every key; their products decide how much of each value is taken.")
st.segmented_control(
    "Part",
    tuple(PARTS),
    key="scores_part",
    format_func=lambda part: PARTS[part][0],
    required=True,
    label_visibility="collapsed",
)
PARTS[state.get("scores_part")][1](depth)
