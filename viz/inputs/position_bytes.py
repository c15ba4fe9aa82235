"""Data of the components of the Positions page, as bytes: heatmap and waves, circles, two positions to drag."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from model.arrays import Array
from viz.shared.payload import pack

MAX_CLOCKS = 16


def pack_heatmap(
    values: Array,
    labels: Sequence[str],
    pairs: Sequence[int],
    *,
    title: str,
    formula: tuple[Array, float] | None,
    token: int = 1,
) -> bytes:
    """Data of the heatmap component: P (rows, width), labels of the first rows, and the pairs whose waves are drawn.

    `token` is the row that is told until the reader points at another.

    `formula` is (frequencies, base) for a sinusoidal P. Then the browser computes the values, between positions too.
    For a learned table it is None, and the values are sent.
    """
    rows, width = values.shape
    header = {
        "title": title,
        "rows": rows,
        "width": width,
        "labels": list(labels),
        "pairs": list(pairs),
        "token": token,
        "largest": 1.0 if formula else float(np.abs(values).max(initial=0)) or 1.0,
    }
    if formula is not None:
        frequencies, base = formula
        return pack({**header, "frequencies": frequencies.tolist(), "base": f"{base:g}"})
    return pack(header, values=np.asarray(values, np.float32))


def spread_evenly(count: int, most: int = MAX_CLOCKS) -> list[int]:
    """At most `most` of `count` pairs, evenly spread, with the first and the last."""
    return sorted({round(i) for i in np.linspace(0, count - 1, min(count, most))})


def pack_circles(
    frequencies: Array,
    labels: Sequence[str],
    *,
    view: str,
    phi: float,
    limit: float,
    token: int,
    points: Array | None = None,
    pair: int = 0,
    hands: Sequence[int] = (),
) -> bytes:
    """Data of the circles component. `view`: clocks, plane or space.

    `points`: coordinates of the embeddings, (tokens, 2) in the plane of `pair`, or (tokens, 3) with the `hands` of
    three pairs.
    """
    return pack(
        {
            "frequencies": frequencies.tolist(),
            "labels": list(labels),
            "view": view,
            "phi": phi,
            "limit": limit,
            "token": token,
            "shown": spread_evenly(len(frequencies)),
            "pair": pair,
            "hands": list(hands),
            "points": [] if points is None else np.round(points.astype(float), 5).tolist(),
        }
    )


def pack_distance(
    scores: Array, norms: Array, curve: Array, labels: Sequence[str], pair: tuple[int, int], *, product: str
) -> bytes:
    """Data of the distance component: scores (T, T), and the lengths of the vectors, `norms` (T,).

    `curve` (2T - 1, 3): the mean, least and greatest score by distance. `product` names the score: "p(t)·p(s)".
    """
    return pack(
        {
            "length": len(scores),
            "labels": list(labels),
            "pair": list(pair),
            "product": product,
            "largest": float(np.abs(scores).max(initial=0)) or 1.0,
            "norms": norms.tolist(),
        },
        scores=np.asarray(scores, np.float32),
        curve=np.asarray(curve, np.float32),
    )
