"""Heads, "Many texts": which texts are read, and how the reading begins, is stopped and goes on."""

from __future__ import annotations

from pathlib import Path

import pytest
from streamlit.runtime.scriptrunner import StopException
from streamlit.testing.v1 import AppTest

from model.surveys import kept_readings
from model.surveys.reading import Reading
from pages.attention.heads_parts import readings
from tests.pages.conftest import messages, run_page, shown_page, text
from views.attention.many_texts import not_read
from views.attention.many_texts.reading_view import ReadingView
from views.attention.many_texts.texts import built_in, count_read

MANY = len(built_in("small world", "bank").texts)


def open_page(**values: object) -> AppTest:
    start = {"model": "tiny-lm", "text": "the dog sees the cat", "heads_view": "Many texts", "heads_kinds": "bank"}
    return run_page("attention/heads.py", **(start | values))


def press(app: AppTest, label: str) -> AppTest:
    return next(each for each in app.button if each.label == label).click().run()


def labels(app: AppTest) -> set[str]:
    return {each.label for each in app.button} & {"Read the texts", "Go on", "Stop"}


def reading_on(app: AppTest) -> Reading:
    view = shown_page(app).view
    assert isinstance(view, ReadingView)
    return view.reading


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Each batch is a step, and none is read before the reader asks for it. Nobody has read these texts."""
    monkeypatch.setattr(readings, "QUICK_SECONDS", -1.0)
    monkeypatch.setattr(readings, "STEP_SECONDS", 0.0)
    monkeypatch.setattr(kept_readings, "cache_folder", lambda: tmp_path)
    readings.whole.clear()


def test_a_small_model_reads_its_texts_at_once() -> None:
    app = open_page()
    assert reading_on(app).is_whole
    assert not labels(app)
    assert not messages(app)


@pytest.mark.usefixtures("slow")
def test_the_texts_are_read_when_the_reader_asks_for_it() -> None:
    app = open_page()
    assert labels(app) == {"Read the texts"}
    assert any("reads 35 texts once" in each.value for each in app.info)
    app = press(app, "Read the texts")
    assert not app.exception
    assert reading_on(app).is_whole
    assert not labels(app)


@pytest.mark.usefixtures("slow")
def test_a_reading_that_is_stopped_stays_and_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """Streamlit ends a run with this exception when the reader presses Stop."""
    steps, read_step = [], readings.read_step

    def ends_early(*args: object, **how: object) -> Reading:
        if steps:
            raise StopException
        steps.append(read_step(*args, **how))  # type: ignore[arg-type]
        return steps[-1]

    monkeypatch.setattr(readings, "read_step", ends_early)
    app = press(open_page(), "Read the texts")
    assert labels(app) == {"Stop"}
    assert 0 < count_read(reading_on(app)) < MANY
    app = press(app, "Stop")
    assert reading_on(app) == steps[0]
    assert f"**Partial**: {count_read(steps[0])} of {MANY} texts" in text(app)
    monkeypatch.setattr(readings, "read_step", read_step)
    app = press(app, "Go on")
    assert reading_on(app).is_whole
    assert "Partial" not in text(app)


def test_a_time_is_said_as_somebody_would_who_cannot_know_it() -> None:
    said = [not_read.say_time(seconds) for seconds in (0.2, 12, 33, 70, 290)]
    assert said == ["a few seconds", "about a quarter of a minute", "about half a minute", "about a minute",
                    "about 5 minutes"]  # fmt: skip
