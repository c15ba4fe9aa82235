"""The steps of a head as matrices: what each multiplies, and what the browser gets."""

from typing import Any

import numpy as np
import pytest

from viz.attention.head_steps import HeadData, Matrix, StepData, describe_step, pack_step
from viz.shared.payload import unpack

RNG = np.random.default_rng(0)


def head_arrays(tokens: int = 3, d_model: int = 8, d_k: int = 4) -> dict[str, Any]:
    pairs = ("raw_scores", "scores_unbiased", "position_bias", "scores", "mask", "masked", "weights")
    square = {name: RNG.normal(size=(tokens, tokens)) for name in pairs}
    names = ("q", "k", "v", "q_projected", "k_projected", "q_unrotated", "k_unrotated", "mixed")
    narrow = {name: RNG.normal(size=(tokens, d_k)) for name in names}
    wide = {name: RNG.normal(size=(tokens, d_model)) for name in ("x", "out", "part", "concat")}
    weights = {name: RNG.normal(size=(d_model, d_k)) for name in ("w_q", "w_k", "w_v")}
    rest: dict[str, Any] = {
        "w_o": RNG.normal(size=(d_k, d_model)),
        "b_q": None,
        "b_k": RNG.normal(size=d_k),
    }
    return {**square, **narrow, **wide, **weights, **rest, "b_v": None, "b_o": None, "memory": wide["x"]}


@pytest.mark.parametrize("of", ["q", "k", "v"])
def test_a_projection_multiplies_what_it_says(of: str) -> None:
    head = head_arrays()
    picture = describe_step("project", HeadData(head, of, 0, 2.0))
    assert picture.kind == "product"
    assert picture.matrices["a"].values is head["x"]
    assert picture.matrices["b"].values is head[f"w_{of}"]
    assert picture.matrices["c"].values is head["v" if of == "v" else f"{of}_projected"]
    assert ("bias" in picture.arrays) == (of == "k")


@pytest.mark.parametrize(
    ("step", "kind", "shapes"),
    [
        ("scores", "product", {"a": (3, 4), "b": (4, 3), "c": (3, 3)}),
        ("scale", "scale", {"a": (3, 3), "c": (3, 3)}),
        ("bias", "bias", {"a": (3, 3), "b": (3, 3), "c": (3, 3)}),
        ("mask", "mask", {"a": (3, 3), "b": (3, 3), "c": (3, 3)}),
        ("softmax", "softmax", {"a": (3, 3), "c": (3, 3)}),
        ("mix", "product", {"a": (3, 3), "b": (3, 4), "c": (3, 4)}),
        ("concat", "concat", {"a": (3, 4), "c": (3, 8)}),
        ("output", "product", {"a": (3, 4), "b": (4, 8), "c": (3, 8), "d": (3, 8)}),
    ],
)
def test_every_step_has_its_matrices(step: str, kind: str, shapes: dict[str, tuple[int, int]]) -> None:
    picture = describe_step(step, HeadData(head_arrays(), "q", 1, 2.0))
    assert picture.kind == kind
    assert {name: matrix.values.shape for name, matrix in picture.matrices.items()} == shapes


def test_a_step_is_packed_with_its_labels() -> None:
    picture = StepData("scale", {"c": Matrix("S", np.eye(2), "query", "key")}, "÷ 2", {"divisor": 2.0})
    data = pack_step(
        picture,
        ["a", "b"],
        ["c", "d"],
        identity="x",
        step=1,
        steps=["one", "two"],
        of="q",
        choices=(),
        head=3,
        selected=(1, 0),
    )
    header, arrays = unpack(data)
    assert header["divisor"] == 2.0
    assert header["tokens"] == {"query": ["a", "b"], "key": ["c", "d"]}
    assert (header["step"], header["head"], header["query"], header["key"]) == (1, 3, 1, 0)
    np.testing.assert_array_equal(arrays["c"].view("<f4"), np.eye(2))
