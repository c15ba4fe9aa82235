"""Break a part: the page takes away the chosen parts, and keeps its measures."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import pytest
from streamlit.runtime.scriptrunner import StopException
from streamlit.testing.v1 import AppTest

from model.experiments.broken_parts import MeasureComparison, compare
from pages.learning.bench_parts import measure_work
from tests.pages.conftest import open_link, run_page, text
from views.learning.bench import both_models


def open_page(**state: object) -> AppTest:
    return run_page("learning/bench.py", **({"model": "en-ur", "text": "I am a robot"} | state))


def test_it_opens_without_the_residual_connections() -> None:
    app = open_page()
    assert "**Without residuals**" in text(app)
    assert len(app.get("plotly_chart")) == 1
    assert "bench_parts" not in app.query_params


def test_a_link_to_nothing_taken_away_still_shows_that() -> None:
    for parts in ("none", ""):  # an older link or lecture file says it by an empty choice
        app = open_link("learning/bench.py", model="en-ur", text="I am a robot", bench_parts=parts)
        assert "Choose what to take away" in app.info[0].value
        assert app.query_params["bench_parts"] == "none"


def test_a_link_to_a_silent_head_takes_no_part_away() -> None:
    app = open_link("learning/bench.py", model="en-ur", text="I am a robot", bench_heads="one")
    assert "**Without head 0 of" in text(app)
    assert "bench_parts" not in app.query_params


@pytest.mark.slow
def test_the_parts_that_the_reader_sees_stay_when_a_head_is_silenced() -> None:
    app = open_page()
    choices: Any = app.get("button_group")
    next(each for each in choices if each.label == "Heads to silence").set_value("one").run()
    assert "**Without residuals, head 0 of" in text(app)
    assert app.query_params["bench_parts"] == "residuals"


@pytest.mark.slow
def test_both_models_write_again_only_for_another_sentence_or_choice(monkeypatch: pytest.MonkeyPatch) -> None:
    written: list[str] = []
    monkeypatch.setattr(both_models, "sample", lambda model, text: written.append(text) or f"{len(written)}")
    app = open_page()
    for change, runs in (
        ({"depth": "Numbers"}, 0),
        ({"text": "The dog sleeps"}, 2),
        ({"bench_parts": "norms"}, 2),
        ({"bench_parts": "norms,residuals"}, 2),
        ({"model": "tiny-lm"}, 2),
        ({"depth": "Picture"}, 0),
    ):
        before = len(written)
        for name, value in change.items():
            app.session_state[name] = value
        app.run()
        assert not app.exception
        assert len(written) == before + runs, change


@pytest.mark.slow
def test_measures_are_kept_for_the_session() -> None:
    app = open_page(bench_parts="feed-forward", model="tiny-encoder", text="the film is good", depth="Numbers")
    app.button[[b.label for b in app.button].index("Measure on held-out sentences")].click().run()
    assert not app.exception
    tables = [table.value for table in app.dataframe if "measure" in table.value]
    assert len(tables) == 1
    assert (tables[0]["whole"] >= tables[0]["without"]).all()
    assert "60 held-out items a measure." in text(app)
    assert "Partial:" not in text(app)
    app.run()
    assert any("measure" in table.value for table in app.dataframe)


def test_a_measurement_that_is_stopped_keeps_what_it_has(monkeypatch: pytest.MonkeyPatch) -> None:
    """Streamlit ends a run with this exception when the reader presses Stop."""

    def ends_early(*args: Any) -> Iterator[MeasureComparison]:
        yield from itertools.islice(compare(*args), 2)
        raise StopException

    monkeypatch.setattr(measure_work, "compare", ends_early)
    state = {"bench_parts": "feed-forward", "model": "tiny-encoder", "text": "the film is good", "bench_items": "20"}
    app = open_page(**state)
    app.button[[b.label for b in app.button].index("Measure on held-out sentences")].click().run()
    next(button for button in app.button if button.label == "Stop").click().run()
    assert not app.exception
    assert "Partial: it was stopped before all measures were made." in text(app)
    assert "20 held-out items a measure." in text(app)


def test_a_real_model_has_no_held_out_sentences_here() -> None:
    app = open_page(model="minilm-l6", bench_parts="norms")
    assert any("was trained elsewhere" in info.value for info in app.info)


def test_a_part_that_the_model_lacks_is_left_out_and_the_page_says_so() -> None:
    app = open_page(model="tiny-encoder", bench_parts="cross-attention,nonsense")
    assert "**Without residuals**" in text(app)
    (note,) = app.warning
    assert "has no “cross-attention, nonsense”" in note.value.replace("\\", "")
    assert "bench_parts" not in app.query_params


def test_an_empty_sentence_gets_one_message() -> None:
    app = open_page(text=" ", bench_parts="norms")
    assert len(app.error) == 1
    assert not app.exception
