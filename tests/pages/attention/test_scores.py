"""The Scores page without a browser: the tensors that the components get, bad links."""

from __future__ import annotations

import math
from contextlib import redirect_stdout
from io import StringIO
from types import SimpleNamespace

import numpy as np
import pytest
import torch
from streamlit.testing.v1 import AppTest

from model import load
from model.analysis.head_steps import Attention, HeadSteps, keep_for, of_head
from pages.attention.scores_parts import geometry
from tests.pages.conftest import components, figures, messages, open_link, text
from viz.shared.style import number

TEXT = "The cat sees the dog"
LAYER, HEAD = 1, 2


def visit(page: str = "scores", model: str = "tiny-lm", **url: str) -> AppTest:
    given = {"model": model, "text": TEXT, "layer": str(LAYER), "head": str(HEAD)} | url
    return open_link(f"attention/{page}.py", **given)


def values(app: AppTest, component: str, name: str) -> np.ndarray:
    """The float32 matrix of that name which a component got."""
    raw = np.ascontiguousarray(components(app)[component][1][name])
    return raw.view("<f4")


@pytest.fixture(scope="module")
def steps() -> HeadSteps:
    model, at = load("tiny-lm"), Attention("decoder", LAYER, "self_attn")
    return of_head(model, model.trace(TEXT, keep=keep_for(model.config, at)), at, HEAD)


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


def test_every_step_shows_the_tensors_of_the_trace(steps: HeadSteps) -> None:
    app = visit()
    for step, (a, b, c) in STEPS.items():
        app.session_state["scores_step"] = step
        app.run()
        header = components(app)["matrix_steps"][0]
        assert header["step"] == list(STEPS).index(step)
        for name, field in (("a", a), ("b", b), ("c", c)):
            if field is None:
                continue
            expected = getattr(steps, field).numpy()
            shown = values(app, "matrix_steps", name)
            np.testing.assert_array_equal(shown, expected.T if field == "k" else expected, err_msg=f"{step} {name}")
    np.testing.assert_array_equal(values(app, "matrix_steps", "d"), steps.out.numpy())


def test_a_click_on_the_rail_goes_to_the_url() -> None:
    app = visit(scores_step="softmax", query="3", key="1")
    header = components(app)["matrix_steps"][0]
    assert header["steps"][header["step"]] == "softmax"
    assert (header["query"], header["key"]) == (3, 1)
    assert app.query_params["scores_step"] == "softmax"


@pytest.mark.slow
def test_the_code_of_every_step_runs_and_asserts() -> None:
    app = visit()
    app.session_state["depth"] = "Code"
    for step in STEPS:
        app.session_state["scores_step"] = step
        app.run()
        snippet = next(block.value for block in app.code if "assert_close" in block.value)
        printed = StringIO()
        with redirect_stdout(printed):
            exec(snippet, {})
        assert printed.getvalue().strip(), step


def test_the_stages_end_in_the_models_own_weights(steps: HeadSteps) -> None:
    app = visit(scores_part="similarity")
    titles = [panel["title"] for panel in components(app)["matrix_panels"][0]["panels"]]
    assert titles == ["Similarity", "Learned", "Scaled", "Masked"]
    np.testing.assert_array_equal(values(app, "matrix_panels", "p3"), steps.weights.numpy())
    similarity = (steps.x @ steps.x.mT).softmax(-1)
    torch.testing.assert_close(torch.from_numpy(values(app, "matrix_panels", "p0").copy()), similarity)


def test_the_sample_is_called_one_and_lies_on_the_theory() -> None:
    app = visit(scores_part="scale")
    lines = {trace["name"]: trace for trace in figures(app)[0]["data"][:2]}
    assert set(lines) == {"theory", "sample"}
    assert "A sample" in text(app)


def test_the_scale_is_taken_back_at_the_width_of_this_models_heads() -> None:
    app = visit(scores_part="temperature")
    app.button(key="try Without the scale").click().run()
    assert "1/√32 = 0.177" in text(app)


def test_temperature_of_a_real_row(steps: HeadSteps) -> None:
    app = visit(scores_part="temperature", query="4", scores_temperature="0.5")
    expected = (steps.masked[4] / 0.5).softmax(-1)
    best = float(expected.max())
    assert f"{100 * best:.0f}% at temperature 0.5" in text(app)


def test_formulas_end_in_the_numbers_of_the_row(steps: HeadSteps) -> None:
    weight = float((steps.masked[4] / 0.5).softmax(-1).max())
    app = visit(scores_part="temperature", query="4", scores_temperature="0.5", depth="Formula")
    assert app.latex[-1].value.strip("$\n ").endswith((f"= {weight:.3f}", rf"\approx {weight:.3f}"))
    app = visit(scores_part="geometry", query="4", depth="Formula")
    product = number(float((steps.q[4] @ steps.k[:5].mT).max())).replace("−", "-")
    assert app.latex[-1].value.strip("$\n ").endswith((f"= {product}", f"= ({product})"))


def test_geometry_marks_the_key_with_the_largest_product(steps: HeadSteps) -> None:
    app = visit(scores_part="geometry", query="4")
    best = int((steps.q[4] @ steps.k[:5].mT).argmax())
    assert f":orange-background[**{TEXT.split()[best]}** :small[{best}]] has the largest product" in text(app)
    line = figures(app)[0]["data"][2]
    assert line["name"] == "best match"


def test_a_bias_of_places_may_give_another_key_the_most_weight() -> None:
    q, k = torch.tensor([[1.0, 0.0]]), torch.tensor([[3.0, 0.0], [1.0, 1.0]])
    for bias, found in (
        ((0.0, 0.0), "largest product q · k, 3.000, so it gets the most weight, 88%"),
        ((0.0, 4.0), "largest product q · k, 3.000, and the weight 12%. With the bias of its place, "),
    ):
        weights = (q @ k.mT + torch.tensor([bias])).softmax(-1)
        screen = SimpleNamespace(
            steps=SimpleNamespace(q=q, k=k),
            hidden=torch.tensor([[False, False]]),
            weights=weights,
            query=0,
            queries=["cat"],
            keys=["dog", "milk"],
        )
        assert found in geometry._describe(geometry.QueryAndKeys(screen))


def test_shamsis_table_and_a_bad_one() -> None:
    app = visit(scores_part="table")
    assert "**like** becomes 0.65 like + 0.20 I" in text(app)
    bad = ",".join(["nan"] + ["0.25"] * 15)
    app = visit(scores_part="table", scores_table=bad)
    assert not app.exception
    assert any("cell without a number" in message for message in messages(app))
    app = visit(scores_part="table", scores_table="1,2,3")
    assert any("not sixteen numbers" in message for message in messages(app))
    assert "**like** becomes 0.65 like" in text(app)


def test_the_readers_table_can_be_had_again_after_a_reset() -> None:
    mine = ",".join(["0.25"] * 16)
    app = visit(scores_part="table", scores_table=mine)
    next(button for button in app.button if button.label == "Back to Shamsi's table").click().run()
    assert "**like** becomes 0.65 like + 0.20 I" in text(app)
    next(button for button in app.button if button.label.startswith("Undo")).click().run()
    assert app.session_state["scores_table"] == mine
    assert "**like** becomes 0.25 Hello" in text(app)


def test_a_bad_link_falls_back_and_says_so() -> None:
    app = visit(scores_part="nothing", layer="99", scores_step="rotate", query="5000")
    assert not app.exception
    assert any("the part “nothing”" in message for message in messages(app))
    assert any("Layer 99" in message for message in messages(app))
    assert app.session_state["scores_part"] == "steps"


def test_rotary_models_have_one_step_more() -> None:
    app = visit(model="smollm2-135m", scores_step="rotate", text="I am a robot")
    header = components(app)["matrix_steps"][0]
    assert len(header["steps"]) == 9
    before, after = values(app, "matrix_steps", "a"), values(app, "matrix_steps", "c")
    cos, sin = values(app, "matrix_steps", "cos"), values(app, "matrix_steps", "sin")
    np.testing.assert_allclose(after[:, 0::2], before[:, 0::2] * cos - before[:, 1::2] * sin, atol=1e-4)
    assert math.isclose(header["speeds"][0], 1.0)


@pytest.mark.parametrize("attention", ["encoder.self_attn", "decoder.self_attn", "decoder.cross_attn"])
def test_the_weights_of_a_translator_are_those_of_every_attention(attention: str) -> None:
    app = visit(model="en-ur", attention=attention, scores_step="softmax", text="I am a robot")
    assert not app.exception
    stack, part = attention.split(".")
    translator, at = load("en-ur"), Attention(stack, LAYER, part)
    trace = translator.trace("I am a robot", keep=keep_for(translator.config, at))
    np.testing.assert_array_equal(values(app, "matrix_steps", "c"), trace[f"{at.path}.weights"][HEAD].numpy())


def test_an_encoder_has_no_mask_to_add(steps: HeadSteps) -> None:
    app = visit(model="minilm-l6", scores_part="similarity")
    assert not app.exception
    assert [panel["title"] for panel in components(app)["matrix_panels"][0]["panels"]][-1] == "Scaled"
