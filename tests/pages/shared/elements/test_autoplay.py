"""A slider that plays: it goes one step on when the time has come, and it comes to an end."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from pages.shared.elements import autoplay
from tests.pages.conftest import run_page

KEY = "before_attention_step"
LINK = {"model": "en-ur", "text": "I am a robot", "before_attention_part": "sentence"}


class Clock:
    """Time that passes only by `later`."""

    def __init__(self) -> None:
        self.now = 1000.0

    def monotonic(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    stopped = Clock()
    monkeypatch.setattr(autoplay, "time", stopped)
    return stopped


def press(app: AppTest, label: str) -> AppTest:
    next(button for button in app.button if button.label == label).click().run()
    assert not app.exception
    return app


def later(clock: Clock, app: AppTest, seconds: float) -> AppTest:
    """The page as it is drawn when so much time has passed."""
    clock.now += seconds
    app.run()
    assert not app.exception
    return app


@pytest.mark.slow
def test_from_the_end_it_plays_again_from_the_first_and_stops_at_the_last(clock: Clock) -> None:
    app = press(run_page("learning/before_attention.py", **LINK), "Play")
    last = int(app.slider(key=KEY).max)
    assert app.slider(key=KEY).value == 1
    for step in range(2, last + 1):
        assert later(clock, app, 1).slider(key=KEY).value == step
    assert "Stop" in [button.label for button in app.button]
    assert "Play" in [button.label for button in later(clock, app, 1).button]
    assert app.slider(key=KEY).value == last


def test_it_waits_until_a_step_has_been_shown_long_enough_and_stops_when_told(clock: Clock) -> None:
    app = press(run_page("learning/before_attention.py", **LINK, before_attention_step=2), "Play")
    assert later(clock, app, 0.1).slider(key=KEY).value == 2
    press(app, "Stop")
    assert f"_playing {KEY}" not in app.session_state


def test_a_slider_that_was_left_on_another_page_plays_no_more(clock: Clock) -> None:
    app = press(run_page("learning/before_attention.py", **LINK, before_attention_step=2), "Play")
    later(clock, app, 60)
    assert app.slider(key=KEY).value == 2
    assert "Play" in [button.label for button in app.button]
