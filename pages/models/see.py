"""See: a transformer reads a picture, patch by patch, in seven parts. Only the open part computes."""

from __future__ import annotations

from functools import partial

import streamlit as st

from pages.models.see_parts import answer, attention, cost, every_number, kinds, patches, place, source
from pages.shared.elements import layout
from pages.shared.session import bar_notes, state

depth = layout.begin("See", "Cut a picture into patches, treat each as a word, and the same encoder reads it.")
row = st.container(horizontal=True, vertical_alignment="center", gap="small")
view = source.choose(row)
if state.get("see_part") != "answer":
    with row:
        answer.say_class(view)
title = view.model.card.title
bar_notes.say_nothing_taken(f"{title} reads the picture that you choose below.", by="page", models=[title])
PARTS: layout.Parts = {
    "patches": ("Patches", partial(patches.show, view)),
    "attention": ("Attention", partial(attention.show, view)),
    "answer": ("What comes out", partial(answer.show, view)),
    "map": ("Every number", partial(every_number.show, view)),
    "place": ("Does place matter?", partial(place.show, view)),
    "cost": ("Cost", partial(cost.show, view)),
    "kinds": ("Kinds of ViT", partial(kinds.show, view)),
}
layout.parts("see_part", PARTS, depth)
