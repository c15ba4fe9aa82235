"""Heads, "Many texts": points, what a head writes, and two models beside each other, on the page."""

from __future__ import annotations

from itertools import count

import pytest
from streamlit.runtime.scriptrunner import StopException
from streamlit.testing.v1 import AppTest

from model.surveys.effect import HeadEffect
from pages.attention.heads_parts import effect_work
from tests.pages.attention.test_many_texts import open_page, press
from tests.pages.conftest import messages, shown_page, text
from views.attention.many_texts.beside import BesideOnTexts
from views.attention.many_texts.effect import EffectOnTexts
from views.attention.many_texts.points import PointsOfTexts


def effect_on(app: AppTest) -> HeadEffect | None:
    view = shown_page(app).view
    assert isinstance(view, EffectOnTexts)
    return view.effect


def buttons(app: AppTest) -> set[str]:
    return {each.label for each in app.button} & {"Take the head away", "Go on", "Stop"}


def test_the_points_follow_the_choice_of_side_and_colour() -> None:
    app = open_page(heads_many="Points", heads_side="keys", heads_tint="token")
    view = shown_page(app).view
    assert isinstance(view, PointsOfTexts)
    assert (view.side, view.colour) == ("keys", "token")
    assert not messages(app)


def test_the_head_is_taken_away_when_the_reader_asks_for_it() -> None:
    app = open_page(heads_many="What it writes")
    assert effect_on(app) is None
    app = press(app, "Take the head away")
    effect = effect_on(app)
    assert effect is not None
    assert effect.is_whole
    assert not buttons(app)
    assert "35 texts." in text(app)


def test_a_measurement_that_is_stopped_stays_and_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """Streamlit ends a run with this exception when the reader presses Stop."""
    steps, step = count(), effect_work._step

    def ends_early(*args: object) -> HeadEffect:
        if next(steps) == 1:
            raise StopException
        return step(*args)  # type: ignore[arg-type]

    monkeypatch.setattr(effect_work, "STEP_SECONDS", -1.0)
    monkeypatch.setattr(effect_work, "_step", ends_early)
    monkeypatch.setattr("model.surveys.rows.BATCH_TOKENS", 100)
    app = press(open_page(heads_many="What it writes", head=3), "Take the head away")
    app = app.run()
    begun = effect_on(app)
    assert begun is not None
    assert 0 < begun.done.sum() < 35
    assert "**Partial**" in text(app)
    app = press(app, "Go on")
    effect = effect_on(app)
    assert effect is not None
    assert effect.is_whole


def test_a_moment_of_training_stands_beside_the_model() -> None:
    app = open_page(heads_many="Beside", heads_beside="step 119")
    view = shown_page(app).view
    assert isinstance(view, BesideOnTexts)
    assert view.other_reading is not None
    assert view.other_reading != view.reading
    assert not messages(app)


def test_a_model_that_is_not_there_is_replaced_and_said() -> None:
    app = open_page(heads_many="Beside", heads_beside="step 7")
    view = shown_page(app).view
    assert isinstance(view, BesideOnTexts)
    assert view.other == "step 0"
    assert messages(app)
