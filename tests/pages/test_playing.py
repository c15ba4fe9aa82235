"""A slider that plays: a step on when its time has come, and an end."""

from streamlit.testing.v1 import AppTest

from tests.pages.conftest import run_page

LINK = {"model": "en-ur", "text": "I am a robot", "before_attention_part": "sentence"}


def pressed(app: AppTest, label: str) -> AppTest:
    next(button for button in app.button if button.label == label).click().run()
    assert not app.exception
    return app


def later(app: AppTest, seconds: float) -> AppTest:
    """The page as it is drawn when so much time has passed."""
    app.session_state["_playing before_attention_step"] -= seconds
    app.run()
    assert not app.exception
    return app


def test_from_the_end_it_plays_again_from_the_first_and_stops_at_the_last() -> None:
    app = pressed(run_page("learning/before_attention.py", **LINK), "Play")
    last = int(app.slider(key="before_attention_step").max)
    assert app.slider(key="before_attention_step").value == 1
    for step in range(2, last + 1):
        assert later(app, 1).slider(key="before_attention_step").value == step
    assert "Stop" in [button.label for button in app.button]
    assert "Play" in [button.label for button in later(app, 1).button]
    assert app.slider(key="before_attention_step").value == last


def test_it_waits_until_a_step_has_been_shown_long_enough_and_stops_when_told() -> None:
    app = pressed(run_page("learning/before_attention.py", **LINK, before_attention_step=2), "Play")
    assert app.slider(key="before_attention_step").value == 2
    pressed(app, "Stop")
    assert "_playing before_attention_step" not in app.session_state


def test_what_was_left_playing_elsewhere_plays_no_more() -> None:
    app = pressed(run_page("learning/before_attention.py", **LINK, before_attention_step=2), "Play")
    later(app, 60)
    assert app.slider(key="before_attention_step").value == 2
    assert "Play" in [button.label for button in app.button]
