"""The Block page: a measurement that is watched and stopped, and choices that do not exist."""

from typing import Any

import pytest
from streamlit.runtime.scriptrunner import StopException
from streamlit.testing.v1 import AppTest
from torch import Tensor

from model.experiments.gradients import gradient_by_depth
from tests.pages.conftest import run_page, text
from views.layer import depth_lines
from views.shared import long_text

SENTENCE = "I am a robot"


def open_page(**state: object) -> AppTest:
    return run_page("block/block.py", **({"model": "minilm-l6", "text": SENTENCE} | state))


def test_one_token_has_no_next_token_for_a_gradient() -> None:
    app = open_page(model="tiny-lm", text="a", block_part="skips")
    assert not app.exception


@pytest.mark.slow
def test_the_gradients_of_a_long_text_are_followed_at_a_press(monkeypatch: pytest.MonkeyPatch) -> None:
    """They are those of a short one. The trained network is not measured again with the next depth."""
    state = {"block_part": "skips", "block_depth": 2, "depth": "Numbers"}
    expected = open_page(**state).dataframe[0].value
    monkeypatch.setattr(long_text, "MOST_TOKENS", 3)
    app = open_page(**state)
    assert not app.dataframe
    assert "0 of 5 networks are measured" in text(app)
    next(button for button in app.button if button.label == "Follow the gradients").click().run()
    assert app.dataframe[0].value.equals(expected)
    assert "Partial" not in text(app)
    measured: list[int] = []

    def count(network: Any, *rest: Any) -> Tensor:
        measured.append(len(network.encoder.blocks))
        return gradient_by_depth(network, *rest)

    monkeypatch.setattr(depth_lines, "gradient_by_depth", count)
    app.session_state["block_depth"] = 3
    app.run()
    assert measured == []
    next(button for button in app.button if button.label == "Follow the gradients").click().run()
    assert measured == [3, 3, 3, 3]
    assert app.dataframe[0].value.notna().sum().tolist() == [6, 6, 3, 3, 3, 3]


def test_gradients_that_are_stopped_keep_the_networks_that_are_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    """Streamlit ends a run with this exception when the reader presses Stop."""
    measured: list[Tensor] = []

    def ends_early(*asked: Any) -> Tensor:
        if len(measured) == 2:
            raise StopException
        measured.append(gradient_by_depth(*asked))
        return measured[-1]

    monkeypatch.setattr(long_text, "MOST_TOKENS", 3)
    monkeypatch.setattr(depth_lines, "gradient_by_depth", ends_early)
    app = open_page(block_part="skips", block_depth=1, depth="Numbers")
    next(button for button in app.button if button.label == "Follow the gradients").click().run()
    next(button for button in app.button if button.label == "Stop").click().run()
    assert not app.exception
    assert "2 of 5 networks are measured" in text(app)
    assert [*app.dataframe[0].value] == ["layer", "MiniLM L6, trained", "untrained"]


def test_a_layer_that_does_not_exist_is_corrected_with_a_message() -> None:
    app = open_page(layer=29)
    assert any("Layer 29 does not exist here" in each.value for each in app.warning)
