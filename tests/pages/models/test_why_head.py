"""Why this word, Head in general: the head is that of the run bar."""

from __future__ import annotations

from typing import Any

from streamlit.testing.v1 import AppTest

from tests.pages.conftest import messages, run_page, text

TINY: dict[str, Any] = {"model": "tiny-lm", "text": "the dog sees the cat", "layer": 2, "head": 2}


def open_page(**state: object) -> AppTest:
    return run_page("models/why.py", **{**TINY, "why_part": "head", **state})


def test_an_opened_head_of_the_account_is_shown_in_general() -> None:
    app = open_page(why_part="account", why_opened="decoder.1.self_attn.heads.3")
    app.button(key="why in general").click().run()
    state = app.session_state
    assert (state["why_part"], state["layer"], state["head"]) == ("head", 1, 3)
    assert "Layer 1, head 3, read from its weights" in text(app)


def test_a_layer_that_the_model_lacks_is_told() -> None:
    app = open_page(layer=99)
    assert messages(app)
    assert "read from its weights" in text(app)
