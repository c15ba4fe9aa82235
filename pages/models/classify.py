"""Classify: what an encoder is for. Four parts; only the open one computes."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from pages.models.classify_parts import kinds, labels, sentences, words
from pages.shared import lesson, state

PARTS: dict[str, tuple[str, Callable[[str], None]]] = {
    "kinds": ("Three kinds", kinds.show),
    "labels": ("Classes", labels.show),
    "words": ("A word in context", words.show),
    "sentences": ("Alike sentences", sentences.show),
}

depth = lesson.begin("Classify", "An encoder reads the whole sentence at once, and gives every token a vector.")
st.segmented_control(
    "Part",
    tuple(PARTS),
    key="classify_part",
    format_func=lambda part: PARTS[part][0],
    required=True,
    label_visibility="collapsed",
)
PARTS[state.get("classify_part")][1](depth)
