"""The views of Scores: the tensors that they show, and words that match the numbers."""

from __future__ import annotations

import math
from contextlib import redirect_stdout
from io import StringIO
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import torch

from model import Model, load
from model.analysis.head_steps import HeadSteps
from tests.views.heads import head_of, header, matrix, programs, sums, whole, words
from views.attention.scores.geometry import Geometry
from views.attention.scores.scale import Scale
from views.attention.scores.similarity import Similarity
from views.attention.scores.steps import HeadStep
from views.attention.scores.table import SHAMSI, WeightTable
from views.attention.scores.temperature import Temperature
from views.head_of_run import HeadOfRun
from views.parts import Canvas
from viz.shared.style import number

TEXT = "The cat sees the dog"
PATH, HEAD = "decoder.1.self_attn", 2
STEPS = {
    "project": ("x", "w_q", "q_unrotated"),
    "scores": ("q", "k", "raw_scores"),
    "scale": ("raw_scores", None, "scores"),
    "mask": ("scores", "mask", "masked"),
    "softmax": ("masked", None, "weights"),
    "mix": ("weights", "v", "mixed"),
    "concat": ("mixed", None, "concat"),
    "output": ("mixed", "w_o", "part"),
}


@pytest.fixture(scope="module")
def head() -> HeadOfRun:
    return head_of(load("tiny-lm"), TEXT, PATH, HEAD, 4, 1)


@pytest.fixture(scope="module")
def steps(head: HeadOfRun) -> HeadSteps:
    return head.steps


def step(head: HeadOfRun, name: str, of: str = "q") -> HeadStep:
    return HeadStep(head, name, of, whole(head))


@pytest.mark.parametrize("name", STEPS)
def test_every_step_shows_the_tensors_of_the_trace(head: HeadOfRun, steps: HeadSteps, name: str) -> None:
    picture = step(head, name).picture()
    assert header(picture)["step"] == list(STEPS).index(name)
    for letter, field in zip("abc", STEPS[name], strict=True):
        if field is not None:
            expected = getattr(steps, field).numpy()
            np.testing.assert_array_equal(matrix(picture, letter), expected.T if field == "k" else expected)
    if name == "output":
        np.testing.assert_array_equal(matrix(picture, "d"), steps.out.numpy())


def test_the_picture_says_what_is_framed_and_a_click_singles_out_another_cell(head: HeadOfRun) -> None:
    picture = step(head, "softmax").picture()
    told = header(picture)
    assert told["steps"][told["step"]] == "softmax"
    assert (told["query"], told["key"]) == (4, 1)
    assert picture.picks["cell"]([3, 2]) == {"query": 3, "key": 2}
    assert picture.picks["step"](1) == {"scores_step": "scores"}
    assert picture.picks["step"](99) == {"scores_step": "output"}
    assert (picture.picks["of"]("k"), picture.picks["of"]("rubbish")) == ({"scores_of": "k"}, {})


@pytest.mark.parametrize("name", STEPS)
def test_the_code_of_every_step_runs_and_asserts(head: HeadOfRun, name: str) -> None:
    snippet = next(each for each in programs(step(head, name).at("Code")) if "assert_close" in each)
    printed = StringIO()
    with redirect_stdout(printed):
        exec(snippet, {})
    assert printed.getvalue().strip()


def test_rotary_models_have_one_step_more(smollm2: Model) -> None:
    picture = step(head_of(smollm2, "I am a robot", PATH, HEAD, 3, 1), "rotate").picture()
    assert len(header(picture)["steps"]) == 9
    before, after, cos, sin = (matrix(picture, name) for name in ("a", "c", "cos", "sin"))
    np.testing.assert_allclose(after[:, 0::2], before[:, 0::2] * cos - before[:, 1::2] * sin, atol=1e-4)
    assert math.isclose(header(picture)["speeds"][0], 1.0)


@pytest.mark.parametrize("path", ["encoder.1.self_attn", "decoder.1.self_attn", "decoder.1.cross_attn"])
def test_the_weights_of_a_translator_are_those_of_every_attention(path: str) -> None:
    head = head_of(load("en-ur"), "I am a robot", path, HEAD, 1, 1)
    shown = matrix(step(head, "softmax").picture(), "c")
    np.testing.assert_array_equal(shown, head.run.again(f"{path}.weights")[f"{path}.weights"][HEAD].numpy())


def test_the_stages_end_in_the_models_own_weights(head: HeadOfRun, steps: HeadSteps) -> None:
    picture = Similarity(head, whole(head)).picture()
    titles = [panel["title"] for panel in header(picture)["panels"]]
    assert titles == ["Similarity", "Learned", "Scaled", "Masked"]
    np.testing.assert_array_equal(matrix(picture, "p3"), steps.weights.numpy())
    torch.testing.assert_close(torch.from_numpy(matrix(picture, "p0").copy()), (steps.x @ steps.x.mT).softmax(-1))


def test_an_encoder_has_no_mask_to_add(minilm: Model) -> None:
    head = head_of(minilm, TEXT, "encoder.1.self_attn", HEAD, 1, 1)
    assert [stage.title for stage in Similarity(head, whole(head)).stages][-1] == "Scaled"


def test_the_sample_is_called_one_and_lies_on_the_theory() -> None:
    view = Scale(64, 0)
    _, chart = view.picture().parts[0].parts[0].parts
    assert {line.name for line in chart.draw().data[:2]} == {"theory", "sample"}
    assert "A sample" in view.caption()
    for seed in (0, 7):
        sample = Scale(64, seed).sample
        torch.testing.assert_close(sample.variance, sample.widths.float(), rtol=0.2, atol=0)


def test_temperature_of_a_real_row(head: HeadOfRun, steps: HeadSteps) -> None:
    view = Temperature(head, 0.5, slice(0, 5))
    best = float((steps.masked[4] / 0.5).softmax(-1).max())
    assert f"{100 * best:.0f}% at temperature 0.5" in view.caption()
    assert sums(view.formula())[-1].endswith((f"= {best:.3f}", rf"\approx {best:.3f}"))


def test_geometry_marks_the_key_with_the_largest_product(head: HeadOfRun, steps: HeadSteps) -> None:
    view = Geometry(head)
    products = steps.q[4] @ steps.k[:5].mT
    best = int(products.argmax())
    assert f":orange-background[**{TEXT.split()[best]}** :small[{best}]] has the largest product" in view.caption()
    assert view.picture().draw().data[2].name == "best match"
    product = number(float(products.max())).replace("−", "-")
    assert sums(view.formula())[-1].endswith((f"= {product}", f"= ({product})"))


@pytest.mark.parametrize(
    ("bias", "found"),
    [
        ((0.0, 0.0), "largest product q · k, 3.000, so it gets the most weight, 88%"),
        ((0.0, 4.0), "largest product q · k, 3.000, and the weight 12%. With the bias of its place, "),
    ],
)
def test_a_bias_of_places_may_give_another_key_the_most_weight(bias: tuple[float, float], found: str) -> None:
    q, k = torch.tensor([[1.0, 0.0, 0.0]]), torch.tensor([[3.0, 0.0, 0.0], [1.0, 1.0, 0.0]])
    head: Any = SimpleNamespace(
        steps=SimpleNamespace(q=q, k=k),
        hidden=torch.tensor([[False, False]]),
        weights=(q @ k.mT + torch.tensor([bias])).softmax(-1),
        query=0,
        queries=["cat"],
        keys=["dog", "milk"],
    )
    assert found in Geometry(head).caption()


def test_a_table_says_what_each_row_makes_of_a_word(head: HeadOfRun) -> None:
    view = WeightTable(head, SHAMSI)
    assert "**like** becomes 0.65 like + 0.20 I" in words(view.at("Picture"))
    assert sums(view.formula())[2] == "0.80 + 0.10 + 0.05 + 0.05 = 1.00"


@pytest.mark.parametrize(("row", "said"), [((None, 0.5, 0.25, 0.25), "cell without a number"), ((0.5,) * 4, "sums to")])
def test_what_is_no_table_of_weights_says_why(head: HeadOfRun, row: tuple[float | None, ...], said: str) -> None:
    view = WeightTable(head, (row, *SHAMSI[1:]))
    assert not view.told()
    for depth in ("Picture", "Numbers", "Formula"):
        assert said in words(view.at(depth))
        assert not any(isinstance(each, Canvas) for each in view.at(depth))


def test_a_head_stands_beside_the_table_where_its_tokens_are_the_words(head: HeadOfRun, smollm2: Model) -> None:
    """SmolLM2 reads the four words as four tokens, tiny-lm in more."""
    other = head_of(smollm2, "Hello I like you", PATH, HEAD, 1, 1)
    picture = WeightTable(other, SHAMSI, other).picture()
    assert [panel["title"] for panel in header(picture)["panels"]] == ["The table", "A real head"]
    np.testing.assert_array_equal(matrix(picture, "p1"), other.weights.numpy())
    assert len(header(WeightTable(head, SHAMSI, head).picture())["panels"]) == 1
