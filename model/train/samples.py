"""Sentences of the corpora for those who do not train: translations by hand, and text that nothing was trained on."""

from __future__ import annotations

from corpora.en_ur import hand_made_examples, held_out_by_length, held_out_examples
from corpora.world import held_out_line, held_out_probes, training_text

__all__ = [
    "hand_made_examples",
    "held_out_by_length",
    "held_out_examples",
    "held_out_line",
    "held_out_probes",
    "training_text",
]
