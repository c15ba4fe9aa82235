"""Positions: how a model knows where a word stands. Eight parts, of which only the open one computes."""

from __future__ import annotations

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
from pages.shared.elements import layout

PARTS: layout.Parts = {
    "heatmap": ("Heatmap", heatmap.show),
    "table": ("Worked table", table.show),
    "circles": ("Circles", circles.show),
    "distance": ("Distance", distance.show),
    "rotary": ("Rotary", rotary.show),
    "join": ("Add or concatenate", join.show),
    "order": ("Does order matter?", order.show),
    "requirements": ("Requirements", requirements.show),
}

depth = layout.begin("Positions", "A word's place is a set of clock hands, each turning at its own speed.")
layout.parts("positions_part", PARTS, depth)
