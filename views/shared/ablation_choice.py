"""The parts and heads that a page ablates: those that the reader has chosen, or else the page's own choice.

Break a part and Mute heads open on a result. So an open choice means one part or one head, and not none.
"""

from __future__ import annotations

from collections.abc import Sequence

OPENING_PART = "residuals"  # one of model.experiments.surgery.PARTS that every model has
NO_PARTS = "none"  # of `bench_parts`: the reader has chosen that no part is taken away
OPENING_HEADS = (0,)
NO_HEADS = (-1,)  # of `combine_muted`: the reader has chosen that no head is silent


def read_parts(choice: str, heads: str) -> list[str]:
    """The names of the parts that Break a part takes away. `choice` and `heads`: `bench_parts` and `bench_heads`.

    Where heads are silenced, there is a result without a part, so the page takes none away by itself.
    """
    if not choice:
        return [OPENING_PART] if heads == "none" else []
    return [name for name in choice.split(",") if name not in ("", NO_PARTS)]


def write_parts(names: Sequence[str]) -> str:
    """The reader's choice of parts, as `bench_parts`."""
    return ",".join(names) or NO_PARTS


def read_muted(choice: Sequence[int], n_heads: int) -> tuple[int, ...]:
    """The heads that Mute heads silences. `choice`: `combine_muted`. Heads that the model lacks are left out."""
    return tuple(head for head in choice or OPENING_HEADS if 0 <= head < n_heads)


def write_muted(heads: Sequence[int]) -> tuple[int, ...]:
    """The reader's choice of heads, as `combine_muted`."""
    return tuple(heads) or NO_HEADS
