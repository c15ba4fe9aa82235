"""Classify: the uses of an encoder, in four parts. Only the open part computes."""

from __future__ import annotations

from pages.models.classify_parts import kinds, labels, sentences, words
from pages.shared.elements import layout

PARTS: layout.Parts = {
    "kinds": ("Three kinds", kinds.show),
    "labels": ("Classes", labels.show),
    "words": ("A word in context", words.show),
    "sentences": ("Alike sentences", sentences.show),
}

depth = layout.begin("Classify", "An encoder reads the whole sentence at once, and gives every token a vector.")
layout.parts("classify_part", PARTS, depth)
