"""Heads, "What they do": what the reader chooses there, and the work of the sweep against the library."""

from collections.abc import Iterator

import pytest
import torch
from streamlit.runtime.scriptrunner import StopException
from streamlit.testing.v1 import AppTest

from model import load
from model.experiments.head_ablation import AblationSweep, Harm, mean_sweep
from model.run import ids_of
from pages.attention.heads_parts import sweep_work
from tests.pages.conftest import run_page, text
from views.shared import quotes
from views.shared.examples import EXAMPLES

SENTENCE = "I am a robot"


def open_page(**values: object) -> AppTest:
    start = {"model": "tiny-lm", "text": SENTENCE, "heads_view": "What they do"}
    return run_page("attention/heads.py", **(start | values))


def test_the_measures_are_reached_from_another_view() -> None:
    app = open_page(heads_view="Lines")
    app.session_state["heads_view"] = "What they do"
    assert "Highest: layer" in text(app.run())
    app.session_state["heads_work"] = "rollout"
    assert f"layers, {quotes.quote('robot', 3)} keeps" in text(app.run())


def test_the_first_token_is_hidden_as_on_lines() -> None:
    app = open_page(heads_work="rollout", depth="Numbers", text="The cat sees the dog", query=4)
    whole = app.dataframe[0].value
    app = app.checkbox(key="heads rollout first").check().run()
    assert app.session_state["heads_hide"] == "sink"
    assert list(app.dataframe[0].value.columns) == list(whole.columns)[1:]


def test_the_sweep_of_a_small_model_is_there_at_once_and_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sweep_work, "OPENING_SECONDS", 60.0)
    app = open_page(heads_work="sweep", depth="Numbers")
    model = load("tiny-lm")
    expected = [harm.rise for harm in AblationSweep(model.network, ids_of(model.tokens_of(SENTENCE))).run()]
    found = app.dataframe[0].value["rise of the loss, in nats"]
    assert found.tolist() == pytest.approx(torch.cat(expected).tolist(), abs=1e-5)
    assert "Partial" not in text(app)
    assert len(app.run().dataframe) == 1  # still there


def test_a_long_sweep_opens_on_its_beginning(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sweep_work, "OPENING_SECONDS", 0.0)
    app = open_page(heads_work="sweep", depth="Numbers")
    model = load("tiny-lm")
    assert len(app.dataframe[0].value) == model.config.n_heads
    assert "**Partial**: 1 of 4 attentions are measured" in text(app)
    opening = app.dataframe[0].value
    app = next(each for each in app.button if each.label == "Go on").click().run()
    assert not app.exception
    assert len(app.dataframe[0].value) == 4 * model.config.n_heads
    assert app.dataframe[0].value.iloc[: len(opening)].equals(opening)
    assert "Partial" not in text(app)
    assert any(each.label == "Measure again" for each in app.run().button)


@pytest.mark.slow
def test_the_sweep_over_the_examples_is_the_mean_of_theirs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sweep_work, "OPENING_SECONDS", 0.0)
    app = open_page(heads_work="sweep", heads_sweep="the examples", depth="Numbers")
    app = next(each for each in app.button if each.label == "Go on").click().run()
    assert not app.exception
    model = load("tiny-lm")
    sweeps = [AblationSweep(model.network, ids_of(model.tokens_of(text))) for text in EXAMPLES]
    expected = torch.cat([harm.rise for harm in mean_sweep(sweeps)])
    found = app.dataframe[0].value["rise of the loss, in nats"]
    assert found.tolist() == pytest.approx(expected.tolist(), abs=1e-5)


def test_a_sweep_that_is_stopped_keeps_what_it_has(monkeypatch: pytest.MonkeyPatch) -> None:
    """Streamlit ends a run with this exception when the reader presses Stop. Then the sweep goes on behind it."""
    begun = []

    def ends_early(sweeps: list[AblationSweep], first: int = 0) -> Iterator[Harm]:
        begun.append(first)
        yield next(mean_sweep(sweeps, first))
        raise StopException

    monkeypatch.setattr(sweep_work, "mean_sweep", ends_early)
    monkeypatch.setattr(sweep_work, "OPENING_SECONDS", 0.0)
    app = open_page(heads_work="sweep")
    next(each for each in app.button if each.label == "Go on").click().run()
    next(each for each in app.button if each.label == "Stop").click().run()
    assert not app.exception
    assert "**Partial**: 2 of 4 attentions are measured" in text(app)
    assert "Most is lost without head" in text(app)
    next(each for each in app.button if each.label == "Go on").click().run()
    next(each for each in app.button if each.label == "Stop").click().run()
    assert "**Partial**: 3 of 4 attentions are measured" in text(app)
    assert begun == [0, 1, 2], "the first one as the part opened"


def test_a_text_of_one_token_is_too_short() -> None:
    app = open_page(text="The", heads_work="sweep")
    assert len(load("tiny-lm").tokens_of("The")) == 1
    assert any("at least two tokens" in each.value for each in app.warning)
    assert not app.exception
