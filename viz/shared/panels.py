"""Matrices for the browser as float32 numbers: their bytes, and panels of one size side by side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from model.arrays import Array
from viz.shared.payload import Codes, pack

Scale = Literal["sequential", "signed"]  # weights on 0..1, or signed values centred on 0


def as_bytes(values: Array) -> Codes:
    """Numbers (rows, columns) or (n,) as the bytes of float32, little-endian. The last axis is four times as long.

    `float32Values` in assets/components/shared/payload.js reads them.
    """
    return np.ascontiguousarray(values, dtype="<f4").view(np.uint8)


@dataclass(frozen=True)
class Panel:
    """One of several matrices (queries, keys). `note` stands below the title. Lines of numbers use the name `short`.

    `row_sums` (queries,): those of the whole rows, where only some of the keys are shown.
    """

    title: str
    note: str
    short: str
    values: Array
    scale: Scale = "sequential"
    row_sums: Array | None = None


def cut(panels: Sequence[Panel], part: tuple[slice, slice]) -> list[Panel]:
    """The panels for some queries and keys. The sums of their rows stay those of all keys."""
    return [replace(each, values=each.values[part], row_sums=each.values[part[0]].sum(1)) for each in panels]


def pack_panels(
    panels: Sequence[Panel],
    queries: Sequence[str],
    keys: Sequence[str],
    *,
    identity: str,
    title: str,
    selected: tuple[int, int],
    sums: bool = False,
) -> bytes:
    """Panels for the component matrix_panels. Signed ones share one scale. `sums` writes each row's sum beside it.

    Minus infinity is drawn in masked grey, and a value that is not a number in the colour of a warning. A new
    `identity` makes the component forget which cell was framed.
    """
    descriptions = [{"title": p.title, "note": p.note, "short": p.short, "scale": p.scale} for p in panels]
    header = {
        "id": identity,
        "title": title,
        "panels": descriptions,
        "queries": list(queries),
        "keys": list(keys),
        "selected": list(selected),
        "sums": sums,
    }
    arrays = {f"p{i}": as_bytes(panel.values) for i, panel in enumerate(panels)}
    if sums:
        arrays |= {
            f"s{i}": as_bytes(panel.values.sum(1) if panel.row_sums is None else panel.row_sums)
            for i, panel in enumerate(panels)
        }
    return pack(header, **arrays)
