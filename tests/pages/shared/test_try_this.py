"""The prompts of a page, and the way back from them."""

from __future__ import annotations

from tests.pages.conftest import run_page, run_sentence


def test_the_way_back_from_prompts_restores_what_the_reader_had() -> None:
    app = run_page("home/home.py", model="tiny-lm", text="I am a robot")
    assert "Back to my sentence" not in [button.label for button in app.button]
    app.button(key="try End on a capital city").click().run()
    app.button(key="try Look at the first layer").click().run()
    assert app.session_state["text"] == "The capital of France is"
    app.button(key="back to my sentence").click().run()
    assert not app.exception
    assert app.session_state["text"] == "I am a robot"
    assert "Back to my sentence" not in [button.label for button in app.button]


def test_a_sentence_of_the_readers_own_ends_the_way_back() -> None:
    app = run_page("home/home.py", model="tiny-lm", text="I am a robot")
    app.button(key="try End on a capital city").click().run()
    run_sentence(app, "What time is it?")
    assert "Back to my sentence" not in [button.label for button in app.button]
