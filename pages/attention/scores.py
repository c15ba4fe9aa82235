"""Scores: attention in one head, step by step, and why each step is there. Only the open part computes."""

from __future__ import annotations

from pages.attention.scores_parts import geometry, scale, similarity, steps, table, temperature
from pages.shared.elements import layout

PARTS: layout.Parts = {
    "steps": ("Step by step", steps.show),
    "similarity": ("From similarity", similarity.show),
    "scale": ("Why √d_k", scale.show),
    "temperature": ("Temperature", temperature.show),
    "table": ("A table to edit", table.show),
    "geometry": ("Geometry", geometry.show),
}

depth = layout.begin("Scores", "A query meets every key; their products decide how much of each value is taken.")
layout.parts("scores_part", PARTS, depth)
