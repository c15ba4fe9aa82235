"""Masks: what a query may look at, and what happens when that changes. Only the open part computes."""

from __future__ import annotations

from pages.attention.masks_parts import cheat, panels, passes, row, ways
from pages.shared.elements import layout

PARTS: layout.Parts = {
    "panels": ("Choose or paint", panels.show),
    "ways": ("Three ways", ways.show),
    "cheat": ("The cheating decoder", cheat.show),
    "row": ("A hidden row", row.show),
    "passes": ("One pass or T", passes.show),
}

depth = layout.begin("Masks", "A mask hides keys from queries: minus infinity before the softmax, weight 0 after it.")
layout.parts("masks_part", PARTS, depth)
