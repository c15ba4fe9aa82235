"""The Cost page: its shape is read and mended, and its measurement is kept."""

import pytest
from streamlit.testing.v1 import AppTest

from model import load
from tests.pages.conftest import run_page, text


def open_cost(**state: object) -> AppTest:
    return run_page("learning/cost.py", **({"model": "minilm-l6"} | state))


def test_a_shape_that_cannot_be_gets_one_message() -> None:
    app = open_cost(model="tiny-lm", cost_width=101)
    assert not app.exception
    assert len(app.error) == 1
    assert "must be even" in app.error[0].value


def test_another_model_comes_in_its_own_shape() -> None:
    app = open_cost(cost_heads=6)
    app.session_state["model"] = "tiny-lm"
    app.run()
    config = load("tiny-lm").config
    assert [box.value for box in app.number_input] == [64, config.d_model, 6, config.n_decoder_layers]


@pytest.mark.slow
def test_measuring_keeps_the_times() -> None:
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
    assert "Medians of three passes" in text(app)
    app.run()
    assert list(app.dataframe[0].value["milliseconds"]) == list(times["milliseconds"])
