"""The difference of two runs: its tiles are those of the subtracted tensors, and its terms add up to it."""

from __future__ import annotations

import json
import math
from functools import cache
from typing import Any

import numpy as np
import pytest

from model.edits.parts import ablate
from model.errors import ModelMismatch
from model.experiments.surgery import with_edits
from model.numerals import number
from tests.conftest import loaded
from views.map.tiles.difference import DifferenceRun
from views.map.tiles.many import pack_tiles
from views.map.tiles.run import TiledRun
from viz.shared.tiles import FIRST, LAST_CODE, MASKED_CODE, SECOND, NoTile, scale_codes

A, B = "The dog sees the cat", "The cat sees the dog"
WEIGHTS, MASKED, HEADS = "decoder.1.self_attn.weights", "decoder.1.self_attn.masked", "decoder.1.self_attn.heads"
NAMES = (WEIGHTS, MASKED, HEADS, "decoder.2.ffn.activated", "decoder.3.resid_out", "logits", "embed.out")


@cache
def tensors(text: str, muted: bool = False) -> Any:
    model = loaded("tiny-lm")
    return (with_edits(model, [ablate("decoder.1.self_attn", 2)]) if muted else model).trace(text)


@cache
def subtracted(muted: bool = False) -> DifferenceRun:
    return DifferenceRun(TiledRun(tensors(A, muted)), TiledRun(tensors(A if muted else B)))


@pytest.mark.parametrize("name", NAMES)
def test_a_full_tile_has_the_differences_to_the_bit(name: str) -> None:
    first, second = tensors(A)[name].numpy(), tensors(B)[name].numpy()
    with np.errstate(invalid="ignore"):
        expected = np.where(np.isneginf(first) & np.isneginf(second), -np.inf, first - second)
    matrix = 3 if expected.ndim == 3 else 0
    found = subtracted().tile(name, matrix, 0, 0, 0)
    cut = (expected[matrix] if expected.ndim == 3 else expected)[:256, :256]
    np.testing.assert_array_equal(found.cells, cut)
    assert found.scale.kind == "diverging"
    assert found.scale.low == -found.scale.high


def test_a_reduced_tile_keeps_the_largest_magnitude_with_its_sign() -> None:
    name = "decoder.2.ffn.activated"
    change = tensors(A)[name].numpy() - tensors(B)[name].numpy()
    found = subtracted().tile(name, 0, 1, 0, 0)
    pairs = change.reshape(len(change), -1, 2)
    strongest = np.take_along_axis(pairs, np.abs(pairs).argmax(-1)[..., None], -1)[..., 0]
    np.testing.assert_array_equal(found.cells, scale_codes(strongest, found.scale)[:, :256])


def test_what_both_runs_hide_stays_hidden() -> None:
    cells = subtracted().tile(MASKED, 0, 0, 0, 0).cells
    assert np.isneginf(cells[np.triu_indices(len(cells), 1)]).all()
    assert np.isfinite(cells[np.tril_indices(len(cells))]).all()
    scale = subtracted().tile(MASKED, 0, 0, 0, 0).scale
    assert (scale_codes(cells, scale) == MASKED_CODE).sum() == np.isneginf(cells).sum()


@pytest.mark.parametrize("level", [0, 1, 2])
def test_weights_are_the_same_in_both_runs(level: int) -> None:
    found = subtracted().tile("decoder.blocks.0.ffn.expand.weight", 0, level, 0, 0)
    assert (
        found.cells.shape == TiledRun(tensors(A)).tile("decoder.blocks.0.ffn.expand.weight", 0, level, 0, 0).cells.shape
    )
    assert (found.cells == (LAST_CODE // 2 if level else 0)).all()


def test_the_tiles_of_both_runs_come_by_their_names() -> None:
    for prefix, text in ((FIRST, A), (SECOND, B)):
        found = subtracted().tile(prefix + WEIGHTS, 2, 0, 0, 0)
        np.testing.assert_array_equal(found.cells, tensors(text)[WEIGHTS][2])
    body, is_whole = pack_tiles(subtracted(), [(FIRST + WEIGHTS, 2, 0, 0, 0), (WEIGHTS, 2, 0, 0, 0)])
    assert is_whole
    assert len(json.loads(body[4 : 4 + int.from_bytes(body[:4], "little")])) == 2


@pytest.mark.parametrize("name", ["nothing", f"{FIRST}nothing", f"c|{WEIGHTS}", f"{FIRST}{SECOND}{WEIGHTS}"])
def test_there_is_no_tile_of_what_no_run_has(name: str) -> None:
    with pytest.raises(NoTile):
        subtracted().tile(name, 0, 0, 0, 0)


@pytest.mark.parametrize(
    ("name", "index"), [("decoder.3.resid_out", (4, 7)), ("logits", (4, 9)), (HEADS, (2, 3, 5)), ("embed.out", (1, 3))]
)
def test_the_terms_of_a_sum_add_up_to_the_difference(name: str, index: tuple[int, ...]) -> None:
    told = subtracted().why(name, index)
    expected = float(tensors(A)[name][index]) - float(tensors(B)[name][index])
    assert told["value"] == pytest.approx(expected, abs=1e-6)
    assert told["is_sum"]
    total = math.fsum(term["value"] for term in told["terms"]) + told["rest"]
    assert total == pytest.approx(expected, abs=1e-4)
    sizes = [abs(term["value"]) for term in told["terms"]]
    assert sizes == sorted(sizes, reverse=True)
    json.dumps(told, allow_nan=False)


def test_a_share_has_both_values_in_words() -> None:
    told = subtracted().why(WEIGHTS, (2, 3, 1))
    first, second = (float(tensors(text)[WEIGHTS][2, 3, 1]) for text in (A, B))
    assert told["words"].startswith(f"a − b: {number(first)} − {number(second)} = ")
    assert not told["is_sum"]
    assert told["terms"] == []


@pytest.mark.parametrize(("prefix", "text"), [(FIRST, A), (SECOND, B)])
def test_the_number_of_each_run_is_explained_as_in_its_own_map(prefix: str, text: str) -> None:
    told = subtracted().why(f"{prefix}{WEIGHTS}", (2, 3, 1))
    assert told["name"] == WEIGHTS
    assert told["value"] == float(tensors(text)[WEIGHTS][2, 3, 1])
    assert told["terms"]
    with pytest.raises(NoTile):
        subtracted().why(f"{prefix}{prefix}{WEIGHTS}", (2, 3, 1))


def test_what_an_edit_put_there_is_said() -> None:
    told = subtracted(muted=True).why(HEADS, (2, 3, 1))
    assert "An edit put the number of a there" in told["words"]
    assert told["value"] == pytest.approx(-float(tensors(A)[HEADS][2, 3, 1]))
    assert not subtracted(muted=True).tile("decoder.0.resid_out", 0, 0, 0, 0).cells.any()
    assert subtracted(muted=True).tile("decoder.1.resid_out", 0, 0, 0, 0).cells.any()


def test_runs_of_other_lengths_are_not_subtracted() -> None:
    with pytest.raises(ModelMismatch, match="as many tokens"):
        DifferenceRun(TiledRun(tensors(A)), TiledRun(tensors("The dog")))
