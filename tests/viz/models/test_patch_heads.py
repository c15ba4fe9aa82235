"""All heads of a vision model as queries and keys: a browser gets their weights back."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from viz.models.patch_heads import LARGE_STEP, MAX_BYTES, pack_heads, turn_basis
from viz.shared.payload import unpack

VIEW = {"layer": 0, "head": 0, "patch": -1}
SQUARE = np.zeros((28, 28, 3), np.uint8)
Heads = NDArray[np.float64]


def softmax(scores: Heads) -> Heads:
    powers = np.exp(scores - scores.max(-1, keepdims=True))
    weights: Heads = powers / powers.sum(-1, keepdims=True)
    return weights


def weights_of(queries: Heads, keys: Heads) -> Heads:
    return softmax(queries @ keys.swapaxes(-1, -2) / np.sqrt(queries.shape[-1]))


def decode_weights(packed: bytes) -> Heads:
    """The weights as patch_attention/weights.js computes them: (layers, heads, 1 + N, 1 + N)."""
    header, arrays = unpack(packed)
    q, k = (arrays[name].view(np.int8).astype(float) for name in ("queries", "keys"))
    steps = np.array(header["steps"]).reshape(q.shape[:2])[..., None, None]
    weights = softmax(q.swapaxes(-1, -2) @ k * steps**2)
    best, largest = arrays["best"][..., None].astype(int) + 1, (arrays["top"][..., None] / 255) ** 4
    weights[..., 1:] = np.minimum(weights[..., 1:], largest)
    np.put_along_axis(weights, best, largest, -1)
    return weights


def keeps_the_strongest(decoded: Heads, weights: Heads) -> bool:
    """Each token looks most at the same patch, with nearly the same weight."""
    best = weights[..., 1:].argmax(-1, keepdims=True)
    strongest = np.take_along_axis(decoded[..., 1:], best, -1)
    return bool((strongest >= decoded[..., 1:]).all()) and strongest == pytest.approx(
        np.take_along_axis(weights[..., 1:], best, -1), rel=0.05, abs=1e-3
    )


def sample_heads(seed: int, layers: int, heads: int, tokens: int, width: int) -> tuple[Heads, Heads]:
    q, k = np.random.default_rng(seed).normal(size=(2, layers, heads, tokens, width))
    return q, k + 3  # a mean that all keys share changes nothing


@settings(max_examples=20)
@given(st.integers(0, 9), st.integers(1, 3), st.integers(1, 4), st.integers(1, 24))
def test_turned_queries_and_keys_have_the_same_softmax(seed: int, layers: int, heads: int, width: int) -> None:
    queries, keys = sample_heads(seed, layers, heads, 17, width)
    q, k = turn_basis(queries, keys)
    assert q.shape == k.shape == (layers, heads, min(width, 17), 17)
    assert softmax(q.swapaxes(-1, -2) @ k) == pytest.approx(weights_of(queries, keys), abs=1e-9)
    sizes = (q**2).sum(-1)  # (layers, heads, width)
    assert (np.diff(sizes, axis=-1) <= 1e-9).all(), "the largest direction first"


@settings(max_examples=10)
@given(st.integers(0, 9), st.integers(1, 3), st.integers(1, 4))
def test_heads_come_back_with_their_strongest_patch(seed: int, layers: int, heads: int) -> None:
    queries, keys = sample_heads(seed, layers, heads, 50, 16)
    weights = weights_of(queries, keys)
    packed = pack_heads(SQUARE, queries, keys, weights, 7, VIEW)
    header, arrays = unpack(packed)
    assert {name: header[name] for name in VIEW} == VIEW
    assert header["side"] == 7
    assert arrays["picture"][:2].tobytes() == b"\xff\xd8"
    decoded = decode_weights(packed)
    assert decoded == pytest.approx(weights, abs=0.05)
    assert keeps_the_strongest(decoded, weights)


def test_more_patches_than_a_byte_can_name_come_back_too() -> None:
    """As of pictures of 384 pixels in patches of 16: 24 x 24."""
    queries, keys = sample_heads(1, 1, 1, 577, 8)
    weights = weights_of(queries, keys)
    _, arrays = unpack(packed := pack_heads(SQUARE, queries, keys, weights, 24, VIEW))
    assert (arrays["best"] == weights[..., 1:].argmax(-1)).all()
    assert arrays["best"].max() > 255
    assert keeps_the_strongest(decode_weights(packed), weights)


@pytest.mark.slow
def test_an_even_head_has_no_steps() -> None:
    """Weights that hardly differ, as in early layers. Rounded weights would have only two tones."""
    smooth = np.linspace(-1, 1, 257)[:, None]  # each token a little more than the one before
    queries, keys = np.ones((12, 6, 257, 1)), np.broadcast_to(smooth, (12, 6, 257, 1))
    decoded = decode_weights(pack_heads(SQUARE, queries, keys, weights_of(queries, keys), 16, VIEW))
    assert len(np.unique(decoded[0, 0, 0].round(6))) > 150


@pytest.mark.slow
def test_noise_which_packs_worst_stays_below_a_megabyte() -> None:
    queries, keys = sample_heads(0, 12, 6, 257, 64)
    packed = pack_heads(SQUARE, queries, keys, weights_of(queries, keys), 16, VIEW)
    assert len(packed) <= MAX_BYTES
    assert min(unpack(packed)[0]["steps"]) > LARGE_STEP
