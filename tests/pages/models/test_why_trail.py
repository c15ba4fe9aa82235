"""The part Trail of Why this word: a press walks on, a link restores the steps, and a wrong one is told."""

from __future__ import annotations

from streamlit.testing.v1 import AppTest

from tests.pages.conftest import messages, run_page

TEXT = "the dog sees the cat. the dog sees the"


def visit(**state: object) -> AppTest:
    return run_page("models/why.py", **{"model": "tiny-lm-concat", "text": TEXT, "why_part": "trail"} | state)


def test_a_step_is_a_link_and_the_way_back() -> None:
    app = visit()
    assert app.session_state["why_trail"] == "", "it is followed to its end"
    app.button(key="why step 0").click().run()
    assert not app.exception
    assert app.session_state["why_trail"] == "decoder.1.self_attn.1@8>10"
    app.button(key="why whole trail").click().run()
    assert app.session_state["why_trail"] == ""


def test_a_trail_that_the_run_does_not_have_is_told() -> None:
    app = visit(why_trail="decoder.1.self_attn.1@8>10,query:decoder.3.self_attn.0@0>10")
    assert not app.exception
    assert app.session_state["why_trail"] == ""
    assert any("This run has no such trail" in each for each in messages(app))
