"""Heads, the view "What they do": measures, rollout and the sweep against the library."""

import re
from collections.abc import Iterator

import pytest
import torch
from streamlit.runtime.scriptrunner import StopException
from streamlit.testing.v1 import AppTest

from model import load
from model.analysis.induction import induction, repeated_tokens
from model.analysis.rollout import rollout
from model.experiments.head_ablation import AblationSweep, Harm, mean_sweep
from model.run import ids_of
from pages.attention.heads_parts import sweep_work
from pages.shared.model_runs.model_choice import EXAMPLES
from tests.pages.conftest import run_page, text
from views.shared import quotes

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


def test_the_measures_are_those_of_the_library() -> None:
    model = load("tiny-lm")
    table = open_page(depth="Numbers").dataframe[0].value.set_index(["layer", "head"])
    assert len(table) == model.config.n_decoder_layers * model.config.n_heads
    weights = model.trace(SENTENCE)["decoder.1.self_attn.weights"]
    rows = torch.arange(1, weights.shape[-1])
    before = weights[:, rows, rows - 1].mean(-1)
    assert table.loc[1]["Previous token"].tolist() == pytest.approx(before.tolist(), abs=1e-6)
    ids = repeated_tokens(model.tokenizer, model.config.vocab_size)
    again = model.trace_tokens(model.tokenizer.tokens(ids.tolist()))
    assert table.loc[1]["Induction"].tolist() == pytest.approx(
        induction(again["decoder.1.self_attn.weights"]).tolist(), abs=1e-6
    )


def test_cross_attention_has_only_what_means_something() -> None:
    app = open_page(model="en-ur", attention="decoder.cross_attn", depth="Numbers")
    assert list(app.dataframe[0].value.columns) == ["layer", "head", "Entropy bits", "First token"]


def test_the_rollout_is_that_of_the_library() -> None:
    trace = load("tiny-lm").trace(SENTENCE, keep="*.weights")
    shown = open_page(heads_work="rollout", depth="Numbers").dataframe[0].value
    expected = rollout(trace.tensors.values())
    torch.testing.assert_close(torch.tensor(shown.to_numpy()), expected)


def test_the_rollout_without_the_first_token_names_another_source() -> None:
    app = open_page(heads_work="rollout", depth="Numbers", text="The cat sees the dog", query=4)
    whole = app.dataframe[0].value
    app = app.checkbox(key="heads rollout first").check().run()
    assert app.session_state["heads_hide"] == "sink", "the same choice as on Lines"
    assert list(app.dataframe[0].value.columns) == list(whole.columns)[1:]
    assert f"hidden here, gives it {whole.iloc[-1, 0]:.0%}" in text(app)
    most = whole.iloc[-1, 1:-1].idxmax().split()[-1]
    assert re.search(rf"takes most from .*{most}", text(app))


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
