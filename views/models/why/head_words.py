"""Words and their numbers, and earlier heads, as the views of a head in general write them."""

from __future__ import annotations

from collections.abc import Sequence

from model.analysis.head_steps import Attention
from views.shared import quotes
from viz.shared.style import number


def listed(labels: Sequence[str], values: Sequence[float]) -> str:
    """Words with their numbers, in Markdown."""
    pairs = zip(labels, values, strict=True)
    return ", ".join(f"{quotes.quote(label)} :gray[{number(value, 2)}]" for label, value in pairs)


def row_name(at: Attention) -> str:
    """A short name for an attention: "layer 3", "cross 3", "encoder 3"."""
    return f"{'cross' if at.is_cross else 'encoder' if at.stack == 'encoder' else 'layer'} {at.layer}"
