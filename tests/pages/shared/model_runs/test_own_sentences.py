"""While the reader has not touched the default sentence, a page that it does not suit shows an example of its own."""

from __future__ import annotations

from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from pages.shared.model_runs.model_choice import FOR_TRANSLATORS, TWO_NAMES
from tests.pages.conftest import components, go, open_link, run_sentence, tell
from views.shared.examples import DEFAULT_SENTENCE

NOTE = "shows an example of its own"
PATCHING = {"model": "tiny-lm", "why_part": "patching"}


def bar(app: AppTest) -> dict[str, Any]:
    return components(app)["run_bar"][0]


def is_noted(app: AppTest) -> bool:
    return any(NOTE in line for line in bar(app)["notes"])


def test_translate_shows_its_example_and_gives_the_sentence_and_its_token_back() -> None:
    app = open_link("attention/heads.py", model="tiny-lm", query="2")
    go(app, "translate")
    assert (bar(app)["text"], is_noted(app)) == (FOR_TRANSLATORS, True)
    app.run()
    assert (bar(app)["text"], is_noted(app)) == (FOR_TRANSLATORS, True), "at each run"
    go(app, "heads")
    assert (bar(app)["text"], is_noted(app)) == (DEFAULT_SENTENCE, False)
    assert app.session_state["query"] == 2
    assert not bar(app)["undo"], "the example is no run of the reader's"


@pytest.mark.slow
def test_a_sentence_of_the_reader_stays_even_if_it_is_the_default_one() -> None:
    app = open_link("attention/heads.py", model="tiny-lm", text="the dog sees the cat")
    assert bar(go(app, "translate"))["text"] == "the dog sees the cat"
    run_sentence(app, DEFAULT_SENTENCE)
    assert (bar(app)["text"], is_noted(app)) == (DEFAULT_SENTENCE, False)


@pytest.mark.slow
def test_what_the_reader_types_in_the_place_of_the_example_goes_along() -> None:
    app = go(open_link("attention/heads.py", model="tiny-lm"), "translate")
    run_sentence(app, "Where do you live?")
    assert bar(go(app, "heads"))["text"] == "Where do you live?"


@pytest.mark.slow
def test_patching_swaps_a_name_for_a_name_and_sets_its_rival() -> None:
    app = open_link("models/why.py", **PATCHING)
    assert bar(app)["text"] == TWO_NAMES["tiny-lm"]
    assert app.text_input(key="why_text2").placeholder.endswith("Lucy gave a box to")
    answer, rival = (app.selectbox(key=key) for key in ("why token", "why rival"))
    assert (answer.format_func or str)(answer.value) != (rival.format_func or str)(rival.value)
    assert rival.value >= 0
    rival.set_value(-1).run()
    assert app.selectbox(key="why rival").value == -1, "the reader wants none"


@pytest.mark.slow
def test_another_part_of_the_page_gives_the_sentence_back_and_has_no_rival() -> None:
    app = open_link("models/why.py", **PATCHING)
    app.button_group(key="why_part").set_value("account").run()
    assert (bar(app)["text"], is_noted(app)) == (DEFAULT_SENTENCE, False)
    assert app.session_state["why_against"] == -1


def test_another_model_in_the_bar_keeps_the_sentence() -> None:
    app = open_link("attention/heads.py", model="tiny-lm")
    tell(app, "run_bar", "model", "en-ur")
    assert bar(app)["text"] == DEFAULT_SENTENCE
