"""Bytes for the browser's components: a JSON header and arrays of small codes or of floats, compressed together.

The layout before compression: the header's length (uint32, little-endian), the header (UTF-8 JSON), and the arrays one
after another. `arrays` of the header has each array's name, type and shape, in order. JSON knows no number that is not
finite, and a browser refuses a header with one: null stands there, and `notFinite` has the place and the number.
`unpack` in assets/components/shared/payload.js reads them.
"""

from __future__ import annotations

import json
import math
import struct
import zlib
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from model.arrays import Array

Codes = NDArray[np.uint8]
TYPES: dict[str, np.dtype[Any]] = {"uint8": np.dtype(np.uint8), "float32": np.dtype("<f4")}
PRINTED_STEPS = 200  # two to a hundredth, so that all values of a step have the same two decimals


def codes(weights: Array, levels: int = 255, root: bool = False) -> Codes:
    """Weights 0..1 as whole numbers 0..levels, any shape. `root` takes the square roots, for finer small weights."""
    clipped = np.clip(np.nan_to_num(weights), 0.0, 1.0)
    return np.rint((np.sqrt(clipped) if root else clipped) * levels).astype(np.uint8)


def printed_codes(weights: Array) -> Codes:
    """Weights 0..1 as whole numbers 0..200, any shape, for a browser that prints them with two decimals.

    Code n holds the weights from (n - 1) / 200 to below n / 200. Code 0 holds those below 1/400. The browser reads the
    middle of the step (`weightOfCode` in assets/components/shared/payload.js). The middle has the same two decimals as
    every weight of the step. It lies on the same side of every bound below 1 that has two decimals.
    """
    clipped = np.clip(np.nan_to_num(np.asarray(weights, np.float64)), 0.0, 1.0) * PRINTED_STEPS
    return np.where(clipped < 0.5, 0, np.minimum(np.floor(clipped) + 1, PRINTED_STEPS)).astype(np.uint8)


def signed_codes(values: Array, reach: float | None = None) -> Codes:
    """Signed values, any shape, as places 0..254 on a signed scale, with 127 for zero.

    `reach`: the size at its ends; None for `signed_reach`. What is not a number has the place of zero, and what is
    infinite an end of the scale.
    """
    reach = reach or signed_reach(values)
    return np.rint(127 + 127 * np.clip(np.nan_to_num(values / reach), -1, 1)).astype(np.uint8)


def signed_reach(values: Array) -> float:
    """The 99.5th percentile of the sizes: then one outlier does not make all others pale."""
    sizes = np.abs(values[np.isfinite(values)].astype(np.float64))
    return float(np.quantile(sizes, 0.995) if sizes.size else 0) or float(sizes.max(initial=0)) or 1.0


def pool(weights: Array, side: int) -> Array:
    """(..., queries, keys), reduced to at most `side` queries and keys: the largest weight of each block.

    With means instead, a thin diagonal would fade in a small picture.
    """
    *_, queries, keys = weights.shape
    if queries > side:
        blocks = pairwise(pool_edges(queries, side))
        weights = np.stack([weights[..., start:end, :].max(-2) for start, end in blocks], -2)
    if keys > side:  # many short lines: `reduceat` takes half of the time that a maximum of each block takes
        weights = np.maximum.reduceat(weights, pool_edges(keys, side)[:-1], axis=-1)
    return weights


def pool_edges(size: int, side: int) -> NDArray[np.intp]:
    """Where the blocks of `pool` begin along an axis of that size, and where the last one ends."""
    blocks = min(size, side)
    return np.arange(blocks + 1) * size // blocks


def pack(header: dict[str, Any], **arrays: Array) -> bytes:
    """A header of JSON values and named arrays as the bytes that a component unpacks.

    Arrays are uint8, or float32 if each number must arrive exactly. Raises `KeyError` for another type.
    """
    entries = [{"name": name, "type": array.dtype.name, "shape": list(array.shape)} for name, array in arrays.items()]
    text = _write_json({**header, "arrays": entries}).encode()
    body = b"".join(np.ascontiguousarray(array, TYPES[array.dtype.name]).tobytes() for array in arrays.values())
    return zlib.compress(struct.pack("<I", len(text)) + text + body, 6)


def _write_json(header: dict[str, Any]) -> str:
    how: dict[str, Any] = {"ensure_ascii": False, "separators": (",", ":"), "allow_nan": False}
    try:
        return json.dumps(header, **how)
    except ValueError:  # a number that is not finite; they are few, so only then is it looked for
        found: list[list[Any]] = []
        finite = _without_not_finite(header, (), found)
        return json.dumps(finite | {"notFinite": found}, **how)


def _without_not_finite(value: Any, place: tuple[str | int, ...], found: list[list[Any]]) -> Any:
    """The value with None for each number that is not finite. `found` gets the place of each, and its name."""
    if isinstance(value, dict):
        return {key: _without_not_finite(each, (*place, str(key)), found) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [_without_not_finite(each, (*place, at), found) for at, each in enumerate(value)]
    if isinstance(value, float) and not math.isfinite(value):
        found.append([place, "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"])
        return None
    return value


def unpack(data: bytes) -> tuple[dict[str, Any], dict[str, Array]]:
    """The header and the arrays of `pack`."""
    raw = zlib.decompress(data)
    (length,) = struct.unpack_from("<I", raw)
    header = json.loads(raw[4 : 4 + length])
    for (*path, last), number in header.pop("notFinite", ()):
        inside = header
        for key in path:
            inside = inside[key]
        inside[last] = float(number)
    arrays, at = {}, 4 + length
    for entry in header.pop("arrays"):
        size, kind = int(np.prod(entry["shape"])), TYPES[entry["type"]]
        arrays[entry["name"]] = np.frombuffer(raw, kind, size, at).reshape(entry["shape"])
        at += size * kind.itemsize
    return header, arrays
