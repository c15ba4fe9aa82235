"""Tokens: the pieces that the model reads, and their vectors. Three parts, of which only the open one computes."""

from __future__ import annotations

from pages.inputs.tokens_parts import embedding, ladder, tokeniser
from pages.shared.elements import layout

PARTS: layout.Parts = {
    "tokeniser": ("Tokeniser", tokeniser.show),
    "embedding": ("Embedding", embedding.show),
    "ladder": ("Ladder", ladder.show),
}

depth = layout.begin("Tokens", "A model reads pieces of words, and each piece is a vector.")
layout.parts("tokens_part", PARTS, depth)
