"""All heads of a vision model, packed for the browser as queries and keys. The browser computes the weights.

A head's weights are (S + N)² numbers, but they come from two matrices (S + N, d_head) alone. Those are smaller. An
error in them is smooth, while rounded weights would show steps where a head looks nearly evenly.

Two changes keep the softmax as it is. All keys may move by the same vector, so they are centred. Queries and keys may
turn together, so they are turned to their principal directions. Most of these are nearly 0 and compress well.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from model.arrays import Array
from viz.models.see import enlarge_picture
from viz.shared.payload import Codes, codes, pack
from viz.shared.pictures import Pixels, jpeg

MAX_BYTES = 1_000_000  # of all heads and the picture
FINEST_STEP = 0.01  # the least difference of two values
LARGE_STEP = 0.1  # the first step to try if the finest cannot fit
STEP_GROWTH = 1.25  # from one try to the next
LARGEST_PRODUCT = 1e30  # of two entries; a sum of such products is finite in float32


def turn_basis(queries: Array, keys: Array) -> tuple[Array, Array]:
    """Queries and keys (..., S + N, d_head) with the same softmax of Q K^T / √d_head, as (..., d_head, S + N).

    Q K^T is that of the centred keys, already divided by √d_head. Rows go from the largest direction down. Heads with a
    number that is not finite, or whose product would not be, are 0.
    """
    sizes = np.abs(queries).max((-1, -2)).astype(np.float64) * np.abs(keys).max((-1, -2))
    is_usable = (sizes < LARGEST_PRODUCT)[..., None, None]  # false for NaN
    queries, keys = np.where(is_usable, queries, 0), np.where(is_usable, keys, 0)
    query_basis, query_factor = np.linalg.qr(queries / np.sqrt(queries.shape[-1]))
    key_basis, key_factor = np.linalg.qr(keys - keys.mean(-2, keepdims=True))
    u, sizes, v = np.linalg.svd(query_factor @ key_factor.swapaxes(-1, -2))
    roots = np.sqrt(sizes)[..., None, :]
    return (query_basis @ (u * roots)).swapaxes(-1, -2), (key_basis @ (v.swapaxes(-1, -2) * roots)).swapaxes(-1, -2)


def round_heads(queries: Array, keys: Array, step: float) -> tuple[Codes, Codes, Array]:
    """Queries and keys (layers, heads, d_head, S + N) rounded to signed bytes, and each head's step (layers, heads).

    A head's step is larger than `step` if its largest value would not fit.
    """
    largest = np.maximum(np.abs(queries).max((-1, -2)), np.abs(keys).max((-1, -2)))
    steps = np.maximum(step, largest / 127)
    rounded = [np.rint(each / steps[..., None, None]).astype(np.int8).view(np.uint8) for each in (queries, keys)]
    return rounded[0], rounded[1], steps


def pack_heads(
    square: Pixels,
    queries: Array,
    keys: Array,
    weights: Array,
    side: int,
    view: Mapping[str, Any],
    learnt: Sequence[str] = ("the class token",),
) -> bytes:
    """The data of the component patch_attention: the picture, all heads and the view. At most `MAX_BYTES`.

    `queries` and `keys` (layers, heads, S + N, d_head) are as recorded. `weights` (layers, heads, S + N, S + N) gives
    the patch that each token looks at most, with its exact weight, so that the browser's words about it are right.
    `view` has layer, head and patch; the patches -1, -2 and so on are the learnt tokens. They stand first, and `learnt`
    has their S names.
    """
    patches = weights[..., len(learnt) :]
    number = np.uint8 if side**2 <= 256 else np.float32  # a byte, where it can name all patches
    best, top = patches.argmax(-1).astype(number), codes(np.sqrt(patches.max(-1)), root=True)
    picture = np.frombuffer(jpeg(enlarge_picture(square)), np.uint8)
    q, k = turn_basis(queries, keys)
    step = FINEST_STEP if q.size + k.size < MAX_BYTES else LARGE_STEP
    while True:
        q_codes, k_codes, steps = round_heads(q, k, step)
        header = {"side": side, "learnt": [*learnt], "special": len(learnt), "steps": steps.ravel().tolist(), **view}
        packed = pack(header, picture=picture, queries=q_codes, keys=k_codes, best=best, top=top)
        if len(packed) <= MAX_BYTES:
            return packed
        step *= STEP_GROWTH
