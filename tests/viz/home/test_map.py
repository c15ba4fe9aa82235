"""The map's data: what is kept of a large tensor, and what the component receives."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as anything

from viz.home import map
from viz.shared.payload import unpack


def test_a_wide_picture_keeps_the_strongest_of_each_block() -> None:
    values = np.zeros((2, 960), np.float32)
    values[0, 13], values[1, 959] = -5, 3
    shown = map.strongest(values)
    assert shown.shape == (2, 96)
    assert shown[0, 1] == -5
    assert shown[1, 95] == 3
    assert np.count_nonzero(shown) == 2


def test_a_long_sentence_keeps_the_strongest_of_neighbouring_tokens() -> None:
    values = np.zeros((256, 10), np.float32)
    values[5, 2], values[255, 9] = 4, -7
    shown = map.strongest(values, rows=64)
    assert shown.shape == (64, 10)
    assert shown[1, 2] == 4
    assert shown[63, 9] == -7


def test_the_strongest_neurons_stay_in_their_order() -> None:
    activated = np.array([[0.1, -9.0, 2.0, 0.0], [0.1, 9.0, 2.0, 0.0]], np.float32)
    shown, numbers = map.strongest_neurons(activated, 2)
    assert numbers.tolist() == [1, 2]
    assert shown.tolist() == [[-9.0, 2.0], [9.0, 2.0]]


@given(anything.integers(1, 300))
def test_chips_lose_no_token_uncounted(count: int) -> None:
    shown, left_out = map.chips([f"t{i}" for i in range(count)])
    assert len(shown) + left_out == count
    assert len(shown) <= map.MAX_CHIPS
    assert shown[0] == "t0"
    assert shown[-1] == f"t{count - 1}"


def example(tokens: int, width: int = 576, heads: int = 9) -> map.Map:
    """A map of a run of this size; its numbers are drawn by a seeded generator, since only their packing is tested."""
    draw = np.random.default_rng(0)
    weights = draw.dirichlet(np.ones(tokens), (heads, tokens)).astype(np.float32)
    stack = map.StackData(
        stack="decoder",
        title="",
        tokens=[f"t{i}" for i in range(tokens)],
        embedding=draw.normal(size=(tokens, width)).astype(np.float32),
        layer=3,
        n_layers=30,
        attentions=[map.Attention("self_attn", "Self-attention", weights, 2)],
        activated=draw.normal(size=(tokens, 1536)).astype(np.float32),
        sizes=np.linspace(1, 9, 30, dtype=np.float32),
        d_head=64,
        query=tokens - 1,
    )
    return map.Map([stack], map.Outcome("Next token", "of 9", ["a", "b"], [0.75, 0.25]), {"head": "Heads"})


def test_the_component_receives_the_weights_and_the_shares() -> None:
    shown = example(8)
    header, packed = unpack(map.pack_map(shown))
    assert header["links"] == {"head": "Heads"}
    assert header["outcome"]["bars"] == [{"label": "a", "share": 0.75}, {"label": "b", "share": 0.25}]
    assert header["stacks"][0]["attentions"] == [
        {"part": "self_attn", "title": "Self-attention", "heads": 9, "framed": 2}
    ]
    assert np.abs(packed["self_attn0"] / 255 - shown.stacks[0].attentions[0].weights).max() <= 0.5 / 255 + 1e-6
    assert (packed["self_attn0_means"] == shown.stacks[0].attentions[0].weights.mean(-2)).all()
    assert packed["embedding0"].shape == (8, 96)
    assert packed["neurons0"].shape == (8, 60)


def test_the_longest_sentence_stays_below_the_budget_of_60_kb() -> None:
    packed = map.pack_map(example(256))
    assert len(packed) < 60_000
    assert "self_attn0_means" not in unpack(packed)[1], "no key of so many is named"
