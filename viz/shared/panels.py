"""Matrices for the browser as float32 numbers: their bytes, and panels of one size side by side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from viz.shared.payload import Codes, pack

Array = NDArray[Any]
Scale = Literal["sequential", "signed"]  # weights on 0..1, or signed values centred on 0


def as_bytes(values: Array) -> Codes:
    """Numbers (rows, columns) or (n,) as the bytes of float32, little-endian. The last axis is four times as long.

    `float32Values` in assets/components/shared/payload.js reads them.
    """
    return np.ascontiguousarray(values, dtype="<f4").view(np.uint8)


@dataclass(frozen=True)
class Panel:
    """One of several matrices (queries, keys). `note` stands below the title. Lines of numbers use the name `short`."""

    title: str
    note: str
    short: str
    values: Array
    scale: Scale = "sequential"


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
    return pack(header, **{f"p{i}": as_bytes(panel.values) for i, panel in enumerate(panels)})
