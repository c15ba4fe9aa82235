"""See: a transformer reads a picture, patch by patch. Six parts; only the open one computes."""

from __future__ import annotations

from functools import partial

from pages.models.see_parts import answer, attention, cost, kinds, patches, place, source
from pages.shared import layout

depth = layout.begin("See", "Cut a picture into patches, treat each as a word, and the same encoder reads it.")
seen = source.choose()
PARTS: layout.Parts = {
    "patches": ("Patches", partial(patches.show, seen)),
    "attention": ("Attention", partial(attention.show, seen)),
    "answer": ("What comes out", partial(answer.show, seen)),
    "place": ("Does place matter?", partial(place.show, seen)),
    "cost": ("Cost", partial(cost.show, seen)),
    "kinds": ("Kinds of ViT", partial(kinds.show, seen)),
}
layout.parts("see_part", PARTS, depth)
