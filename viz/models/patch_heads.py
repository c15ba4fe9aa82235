"""All heads of a vision model on their way to the browser: as queries and keys, from which it makes the weights.

A head's weights are (1 + N)² numbers, but they come from two matrices (1 + N, d_head) alone. Those are smaller, and an
error in them is smooth: rounded weights would show steps where a head looks nearly evenly. The softmax does not change
when every key is moved by the same vector, so the keys are centred; nor when queries and keys are turned together, so
they are turned to their principal directions, most of which are nearly 0 and pack to nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from viz.models.see import enlarge_picture
from viz.shared.payload import Codes, codes, pack
from viz.shared.pictures import Pixels, jpeg

MOST_BYTES = 1_000_000  # of all heads and the picture
FINEST, LARGE = 0.01, 0.1  # the least step between two values, and that of heads that cannot fit with the finest
COARSER = 1.25


def turn_basis(queries: NDArray[Any], keys: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
    """Queries and keys (..., 1 + N, d_head) with the same softmax of Q K^T / √d_head, as (..., d_head, 1 + N).

    Their product is that of the centred keys, already divided by the root; rows go from the largest direction down.
    """
    one, left = np.linalg.qr(queries / np.sqrt(queries.shape[-1]))
    other, right = np.linalg.qr(keys - keys.mean(-2, keepdims=True))
    u, sizes, v = np.linalg.svd(left @ right.swapaxes(-1, -2))
    half = np.sqrt(sizes)[..., None, :]
    return (one @ (u * half)).swapaxes(-1, -2), (other @ (v.swapaxes(-1, -2) * half)).swapaxes(-1, -2)


def whole_numbers(queries: NDArray[Any], keys: NDArray[Any], step: float) -> tuple[Codes, Codes, NDArray[Any]]:
    """Both (layers, heads, d_head, 1 + N) as bytes of signed numbers, and each head's step (layers, heads).

    The step is wider where a head's largest value needs it.
    """
    most = np.maximum(np.abs(queries).max((-1, -2)), np.abs(keys).max((-1, -2)))
    steps = np.maximum(step, most / 127)
    made = [np.rint(each / steps[..., None, None]).astype(np.int8).view(np.uint8) for each in (queries, keys)]
    return made[0], made[1], steps


def pack_heads(
    square: Pixels, queries: NDArray[Any], keys: NDArray[Any], weights: NDArray[Any], side: int, view: Mapping[str, Any]
) -> bytes:
    """For the component patch_attention: the picture, all heads, what is chosen. At most `MOST_BYTES`.

    `queries` and `keys` (layers, heads, 1 + N, d_head) as recorded; of the `weights` (layers, heads, 1 + N, 1 + N) the
    patch that each token looks at most goes along, and how much, so that what is said of it is right.
    `view` has layer, head and patch (-1: the class token).
    """
    patches = weights[..., 1:]
    best, top = patches.argmax(-1).astype(np.uint8), codes(np.sqrt(patches.max(-1)), root=True)
    picture = np.frombuffer(jpeg(enlarge_picture(square)), np.uint8)
    q, k = turn_basis(queries, keys)
    step = FINEST if q.size + k.size < MOST_BYTES else LARGE
    while True:
        q_codes, k_codes, steps = whole_numbers(q, k, step)
        header = {"side": side, "steps": steps.ravel().tolist(), **view}
        packed = pack(header, picture=picture, queries=q_codes, keys=k_codes, best=best, top=top)
        if len(packed) <= MOST_BYTES:
            return packed
        step *= COARSER
