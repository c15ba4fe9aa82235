"""Tokens: the pieces that the model reads, and the vectors that stand for them."""

from __future__ import annotations

from pages.inputs.tokens_parts import embedding, ladder, tokeniser
from pages.shared import lesson

PARTS: lesson.Parts = {
    "tokeniser": ("Tokeniser", tokeniser.show),
    "embedding": ("Embedding", embedding.show),
    "ladder": ("Ladder", ladder.show),
}

depth = lesson.begin("Tokens", "A model reads pieces of words, and each piece is a vector.")
lesson.parts("tokens_part", PARTS, depth)
