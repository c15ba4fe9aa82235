"""A run as tiles: the same bits as its tensors and weights, which are not copied."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from itertools import product
from typing import Any

import numpy as np
import pytest
import torch
from gguf import dequantize
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from model import Model, ablate, load
from model.errors import ModelMismatch
from model.experiments.surgery import with_edits
from model.graph.nodes import PIXELS
from model.tape import Origin
from model.zoo.gguf_file import QuickReader
from tests.model.devices import CLOSE, OTHER, lend, on, trace_of
from tests.model.graph.runs import SMALL, network_of, run_small
from tests.model.networks import small_network
from views.map.tiles import pictures
from views.map.tiles.run import TiledRun
from viz.shared.tiles import (
    SHARES,
    NoTile,
    count_halvings,
    level_count,
    matrix_place,
    matrix_shape,
    reduce_blocks,
    scale_codes,
)

TILE = 256


def whole(run: TiledRun, name: str, shape: tuple[int, ...], matrix: int = 0, level: int = 0) -> NDArray[Any]:
    """All tiles of one level, side by side."""
    high, wide = (math.ceil(length / 2 ** count_halvings(length, level) / TILE) for length in matrix_shape(shape))
    rows = [[run.tile(name, matrix, level, row, column).cells for column in range(wide)] for row in range(high)]
    return np.block(rows)


def same_bits(run: TiledRun, name: str, tensor: torch.Tensor) -> None:
    shape = tuple(tensor.shape)
    values = tensor.detach().numpy()
    for matrix, place in enumerate(product(*map(range, shape[:-2]))):
        assert matrix_place(shape, matrix) == place
        found = whole(run, name, shape, matrix)
        assert found.dtype == np.float32
        np.testing.assert_array_equal(found.view(np.uint32), np.atleast_2d(values[place]).view(np.uint32))


@pytest.mark.parametrize("name", SMALL)
def test_every_tensor_and_weight_of_every_architecture_is_there_to_the_bit(name: str) -> None:
    trace = run_small(small_network(name))
    run, listed = TiledRun(trace), TiledRun(trace).describe()
    assert {entry[0] for entry in listed["tensors"]} - {PIXELS} == set(trace.tensors)
    parameters = dict(network_of(trace).named_parameters())
    assert {entry[0] for entry in listed["weights"]} == set(parameters)
    numbers = {**parameters, **trace.tensors, PIXELS: trace.origin.pixels}
    for tensor, _, shape, levels in [*listed["tensors"], *listed["weights"]]:
        values = numbers[tensor]
        assert list(values.shape) == shape
        assert levels == level_count(tuple(shape))
        same_bits(run, tensor, values)


class OfAnyShape(TiledRun):
    """A run that knows only the shapes of the numbers that it got: those of a model depend on the model."""

    def shape(self, name: str) -> tuple[int, ...]:
        return tuple(self._trace[name].shape)


SHAPES = st.one_of(
    st.lists(st.integers(1, 5), min_size=0, max_size=4),
    st.tuples(st.sampled_from([1, 255, 256, 257, 513]), st.sampled_from([1, 3, 256, 300])),
    st.tuples(st.integers(1, 2), st.integers(1, 2), st.integers(250, 260), st.integers(510, 515)),
).map(tuple)


@pytest.mark.slow
@given(SHAPES, st.integers(0, 9), st.booleans())
def test_full_tiles_are_the_tensor_to_the_bit(shape: tuple[int, ...], seed: int, is_turned: bool) -> None:
    values = torch.randn(shape, generator=torch.Generator().manual_seed(seed))
    if values.numel() > 3:
        values.view(-1)[:3] = torch.tensor([torch.nan, torch.inf, -torch.inf])
    if is_turned and len(shape) >= 2:  # as weights lie in memory
        values = values.mT.contiguous().mT
    trace = replace(run_small(small_network("plain decoder")), tensors={"logits": values})
    run = OfAnyShape(trace)
    same_bits(run, "logits", values)
    for matrix in range(int(np.prod(shape[:-2]))):
        for level in range(1, level_count(shape)):
            codes = whole(run, "logits", shape, matrix, level)
            assert codes.dtype == np.uint8


def test_one_scale_serves_all_heads_and_levels() -> None:
    values = torch.zeros(2, 300, 300)
    values[0], values[1, 7, 9] = 1.0, 50.0
    run = OfAnyShape(replace(run_small(small_network("plain decoder")), tensors={"decoder.0.self_attn.q": values}))
    tiles = [run.tile("decoder.0.self_attn.q", head, level, 0, 0) for head in (0, 1) for level in (0, 1)]
    assert {tile.scale for tile in tiles} == {tiles[0].scale}
    assert tiles[3].cells[3, 4] == scale_codes(np.array([50.0], np.float32), tiles[0].scale)[0]


@pytest.mark.parametrize("cells", [pictures.LARGE_CELLS, 1000])
def test_the_coarse_levels_of_a_large_tensor_are_those_of_its_blocks(
    cells: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pictures, "LARGE_CELLS", cells)
    values = torch.rand(2, 300, 500, generator=torch.Generator().manual_seed(0))
    run = OfAnyShape(replace(run_small(small_network("plain decoder")), tensors={"logits": values}))
    for level in reversed(range(1, level_count((2, 300, 500)))):
        tile = run.tile("logits", 1, level, 0, 0)
        blocks = reduce_blocks(values[1].numpy(), *(count_halvings(length, level) for length in (300, 500)))
        np.testing.assert_array_equal(tile.cells, scale_codes(blocks, tile.scale)[:256, :256])


def test_attention_weights_have_the_scale_of_shares() -> None:
    run = TiledRun(run_small(small_network("paper")))
    for name in ("decoder.1.cross_attn.weights", "encoder.0.self_attn.weights"):
        assert run.tile(name, 1, 0, 0, 0).scale == SHARES
    assert run.tile("decoder.1.cross_attn.scores", 1, 0, 0, 0).scale.kind == "diverging"


def test_the_description_says_what_a_kind_means() -> None:
    found = TiledRun(trace_of(on("cpu", "tiny-lm"))).describe()
    weights = found["kinds"]["{stack}.{layer}.{attn}.weights"]
    assert weights["axes"] == ("heads", "queries", "keys")
    assert weights["meaning"] == "softmax of the masked scores; rows sum to 1"
    assert weights["scale"] == {"kind": "sequential", "low": 0.0, "high": 1.0}
    assert {entry[1] for entry in (*found["tensors"], *found["weights"])} == set(found["kinds"])


def test_a_run_that_kept_little_has_little_to_show() -> None:
    run = TiledRun(load("tiny-lm").trace("The dog is here", keep="*.weights"))
    assert "decoder.1.self_attn.weights" in run
    assert "decoder.1.ffn.out" not in run
    with pytest.raises(NoTile):
        run.tile("decoder.1.ffn.out", 0, 0, 0, 0)
    assert run.tile("decoder.blocks.1.ffn.contract.weight", 0, 0, 0, 0).cells.size


@pytest.mark.parametrize(
    "address",
    [
        ("logit", 0, 0, 0, 0),
        ("pixels", 0, 0, 0, 0),
        ("logits", 1, 0, 0, 0),
        ("logits", -1, 0, 0, 0),
        ("logits", 0, 99, 0, 0),
        ("logits", 0, -1, 0, 0),
        ("logits", 0, 0, 1, 0),
        ("logits", 0, 0, 0, 10**9),
        ("decoder.1.self_attn.weights", 4, 0, 0, 0),
    ],
)
def test_what_there_is_not_is_no_tile(address: Any) -> None:
    with pytest.raises(NoTile):
        TiledRun(trace_of(on("cpu", "tiny-lm"))).tile(*address)


def test_a_run_of_no_known_model_has_no_tiles() -> None:
    trace = run_small(small_network("plain decoder"))
    with pytest.raises(ModelMismatch):
        TiledRun(replace(trace, origin=None))
    with pytest.raises(ModelMismatch):
        TiledRun(replace(trace, origin=Origin(load("tiny-lm-rnn").network)))


def test_a_turn_is_taken_to_make_a_layer_and_only_then() -> None:
    turns = []

    @contextmanager
    def take_turn() -> Iterator[None]:
        turns.append(1)
        yield

    run = TiledRun(load("tiny-lm").trace_on_demand("The dog is here"), take_turn)
    run.describe()
    run.tile("decoder.embed.tokens.weight", 0, 1, 0, 0)
    assert turns == []
    run.tile("logits", 0, 1, 0, 0)
    assert turns
    before = len(turns)
    run.tile("logits", 0, 1, 0, 0)  # the picture is there
    assert len(turns) == before


def test_weights_are_the_models_own() -> None:
    model = load("tiny-lm")
    run = TiledRun(model.trace_on_demand("The dog is here"))
    tile = run.tile("decoder.embed.tokens.weight", 0, 0, 0, 0)
    assert np.shares_memory(tile.cells, model.network.get_parameter("decoder.embed.tokens.weight").detach().numpy())
    assert run.nbytes < model.nbytes / 4


def test_a_model_with_edited_parts_shares_the_weights_of_the_whole_one() -> None:
    model = load("tiny-lm")
    muted = with_edits(model, [ablate("decoder.1.self_attn", 2)])
    runs = [TiledRun(each.trace_on_demand("The dog is here")) for each in (model, muted)]
    assert runs[0].weight_bytes == runs[1].weight_bytes
    assert sum(runs[0].weight_bytes.values()) == model.nbytes
    same, other = (
        [run.tile(name, matrix, 0, 0, 0).cells for run in runs]
        for name, matrix in (("decoder.1.self_attn.heads", 1), ("decoder.1.self_attn.heads", 2))
    )
    np.testing.assert_array_equal(*same)
    assert other[0].any()
    assert not other[1].any()


def test_a_model_on_another_device_has_the_same_tiles(monkeypatch: pytest.MonkeyPatch) -> None:
    lend(monkeypatch)
    here, there = (TiledRun(on(kind, "tiny-lm-rotary").trace_on_demand("The dog is here")) for kind in ("cpu", OTHER))
    for name in ("decoder.embed.tokens.weight", "decoder.blocks.0.self_attn.query.weight", "decoder.0.self_attn.q"):
        for level in (0, 1):
            tiles = [run.tile(name, 0, level, 0, 0) for run in (here, there)]
            assert tiles[0].scale.kind == tiles[1].scale.kind
            assert tiles[0].scale.high == pytest.approx(tiles[1].scale.high, rel=CLOSE)
            np.testing.assert_allclose(*(tile.cells for tile in tiles), atol=CLOSE * tiles[0].scale.high)


def test_a_run_grows_no_further_than_its_bounds() -> None:
    model = load("tiny-lm")
    trace = model.trace_on_demand("The dog is here", max_bytes=100_000)
    run = TiledRun(trace)
    held = run.nbytes
    for name in trace.tensors:
        run.tile(name, 0, 0, 0, 0)
        assert run.nbytes <= held + 100_000 + 50_000  # with the scales and pictures of so few tokens


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        ("decoder.embed.tokens.weight", "token_embd.weight"),
        ("decoder.blocks.9.ffn.contract.weight", "blk.9.ffn_down.weight"),
    ],
)
def test_smollm2s_weights_are_those_of_its_file(smollm2: Model, ours: str, theirs: str) -> None:
    """Dequantised by the package of those who made the format."""
    reader = QuickReader(smollm2.card.require())
    quantised = next(tensor for tensor in reader.tensors if tensor.name == theirs)
    run = TiledRun(smollm2.trace_on_demand("I am a robot"))
    shape = tuple(smollm2.network.get_parameter(ours).shape)
    high, wide = (math.ceil(length / TILE) for length in shape)
    chance = np.random.default_rng(3)
    for row in {0, high - 1, *chance.integers(0, high, 3).tolist()}:
        rows = slice(row * TILE, (row + 1) * TILE)
        expected = dequantize(quantised.data[rows], quantised.tensor_type)
        found = np.hstack([run.tile(ours, 0, 0, row, column).cells for column in range(wide)])
        np.testing.assert_array_equal(found, expected)


@pytest.mark.slow
def test_a_recorded_run_of_smollm2_is_the_one_that_is_seen(smollm2: Model) -> None:
    text = "The animal did not cross the street because it was tired"
    kept = smollm2.trace(text)
    run = TiledRun(smollm2.trace_on_demand(text))
    for name in ("decoder.9.self_attn.weights", "decoder.9.ffn.hidden", "logits"):
        same_bits(run, name, kept[name])
