"""The Cost page, with the bundled or installed default model."""

import pytest
from streamlit.testing.v1 import AppTest

from model import load
from model.cost.formulas import model_costs
from tests.pages.conftest import run_page, text
from viz.shared.style import number


def open_cost(**state: object) -> AppTest:
    return run_page("learning/cost.py", **({"model": "minilm-l6"} | state))


def test_the_formulas_and_torch_agree_on_the_page() -> None:
    app = open_cost(depth="Numbers")
    assert not app.exception
    assert "The difference is 0." in text(app)
    table = app.dataframe[0].value
    assert table["multiplications"].sum() > 0
    assert abs(table["share"].sum() - 1) < 1e-9


def test_the_formulas_and_torch_agree_on_a_model_with_class_heads() -> None:
    app = open_cost(model="tiny-encoder", depth="Numbers")
    assert "The difference is 0." in text(app)
    assert {"text classes", "token classes"} <= set(app.dataframe[0].value["part"])


def test_the_crossing_is_2d_plus_d_ff() -> None:
    app = open_cost(cost_view="Growth")
    assert f"T = {2 * 384 + 1536:,} tokens" in text(app)  # MiniLM: D = 384, d_ff = 1536


def test_a_shape_that_cannot_be_gets_one_message() -> None:
    app = open_cost(model="tiny-lm", cost_width=101)
    assert not app.exception
    assert len(app.error) == 1
    assert "must be even" in app.error[0].value


def test_another_shape_is_not_called_the_model() -> None:
    app = open_cost(cost_width=1024)
    assert "Not MiniLM" in text(app)
    assert "12 heads of 32 features and 4,096 hidden features" in text(app), "1,024 does not divide into 12 heads"
    assert "Not MiniLM" not in text(open_cost())


def test_another_model_comes_in_its_own_shape() -> None:
    app = open_cost(cost_heads=6)
    app.session_state["model"] = "tiny-lm"
    app.run()
    config = load("tiny-lm").config
    assert [box.value for box in app.number_input] == [64, config.d_model, 6, config.n_decoder_layers]


@pytest.mark.slow
def test_measuring_compares_with_the_multiplications_and_keeps_the_times() -> None:
    app = open_cost(cost_view="Time", depth="Numbers")
    quick = app.dataframe[0].value
    assert len(quick) >= 3
    assert (quick["milliseconds"] > 0).all()
    assert "A quick measurement on this machine" in text(app)
    assert list(app.run().dataframe[0].value["milliseconds"]) == list(quick["milliseconds"])
    app.button[[b.label for b in app.button].index("Measure more exactly")].click().run()
    assert not app.exception
    times = app.dataframe[0].value
    assert list(times["tokens"]) == [8, 16, 32, 64, 96, 128, 192, 256]
    assert (times["milliseconds"] > 0).all()
    config = load("minilm-l6").config
    counts = [sum(each.multiplications for each in model_costs(config, tokens)) for tokens in (8, 256)]
    assert f"the multiplications grow {number(counts[1] / counts[0])} times" in text(app)
    assert "Medians of three passes" in text(app)
    app.run()
    assert list(app.dataframe[0].value["milliseconds"]) == list(times["milliseconds"])
