"""Before attention: the reasons for it, on the same sentences, words and measures. Only the open part computes."""

from __future__ import annotations

from pages.learning.before_attention_parts import both, length, memory, order, sentence, shapes
from pages.shared.elements import layout

PARTS: layout.Parts = {
    "sentence": ("One sentence", sentence.show),
    "length": ("Length", length.show),
    "memory": ("Memory", memory.show),
    "order": ("Order of work", order.show),
    "both": ("Both directions", both.show),
    "shapes": ("Three shapes", shapes.show),
}

depth = layout.begin(
    "Before attention",
    "A recurrent network reads word by word and keeps what it read in one vector. That was the limit.",
)
layout.parts("before_attention_part", PARTS, depth)
