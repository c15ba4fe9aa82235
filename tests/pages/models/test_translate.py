"""The Translate page, with the bundled translator."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from model.zoo import cards
from tests.model.zoo import tiny_families
from tests.model.zoo.opened import card_of_files
from tests.pages.conftest import components, go, run_sentence

APP = str(Path(__file__).parents[3] / "app.py")
EVERYDAY = "en-ur-everyday"
SENTENCE, URDU = "I am a robot", "میں ایک روبوٹ ہوں"


def open_page(**state: object) -> AppTest:
    app = AppTest.from_file(APP, default_timeout=120)
    app.switch_page("pages/models/translate.py")
    for key, value in ({"model": "en-ur", "text": SENTENCE} | state).items():
        app.session_state[key] = value
    app.run()
    assert not app.exception
    return app


def page_text(app: AppTest) -> str:
    return "\n".join(each.value for each in (*app.markdown, *app.info, *app.caption, *app.warning))


def test_one_translator_is_no_choice(monkeypatch: pytest.MonkeyPatch) -> None:
    bundled = cards.bundled_cards()
    monkeypatch.setattr(cards, "bundled_cards", lambda: tuple(each for each in bundled if each.name != EVERYDAY))
    assert not [each for each in open_page().segmented_control if each.label == "Translator"]


def test_each_bundled_translator_says_what_it_knows() -> None:
    app = open_page()
    (choice,) = (each for each in app.segmented_control if each.label == "Translator")
    assert sorted(choice.options) == ["English to Urdu", "English to Urdu, everyday"]
    assert page_text(app).count("of everyday sentences right") == 2
    choice.set_value(EVERYDAY).run()
    assert not app.exception
    assert app.session_state["model"] == EVERYDAY


@pytest.fixture
def added(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A Marian that a reader has added, by the name of its card."""
    tiny_families.make_translator("marian", tmp_path / "opus-mt-en-ur")
    card = replace(card_of_files(tmp_path / "opus-mt-en-ur"), place=str(tmp_path / "opus-mt-en-ur"))
    monkeypatch.setattr(cards, "REAL", (*cards.REAL, card))
    return card.name


@pytest.mark.slow
def test_an_added_translator_stands_beside_the_bundled_one(added: str) -> None:
    app = open_page()
    (choice,) = (each for each in app.segmented_control if each.label == "Translator")
    assert sorted(choice.options) == ["English to Urdu", "English to Urdu, everyday", "opus-mt-en-ur"]
    assert "was trained here" in page_text(app)
    assert "** was added: " in page_text(app)
    choice.set_value(added).run()
    assert not app.exception
    assert app.session_state["model"] == added
    assert not app.error


def test_a_translation_that_is_too_long_is_named() -> None:
    assert "The translation has" in open_page(target="ہوں " * 200).error[0].value


def test_another_sentence_is_shown_to_its_end() -> None:
    app = open_page(text="Hello")
    assert app.session_state["translate_step"] == 1
    run_sentence(app, "My brother is very happy today")
    assert app.session_state["translate_step"] == 6
    app.session_state["text"] = "I am a robot"
    app.session_state["translate_step"] = 2
    assert app.run().session_state["translate_step"] == 2


def test_a_sentence_that_cannot_be_run_has_one_message() -> None:
    assert len(open_page(text="").error) == 1


@pytest.mark.slow
def test_of_a_sentence_that_is_too_long_the_beginning_is_translated() -> None:
    app = open_page(text="dog " * 200)
    assert not app.error
    assert len(components(app)["run_bar"][0]["notes"]) == 1


def test_for_other_models_the_page_uses_the_translator() -> None:
    app = open_page(model="tiny-lm")
    (note,) = components(app)["run_bar"][0]["notes"]
    assert note.startswith("This page uses English to Urdu, everyday: it translates")
    assert "میں روبوٹ ہوں" in page_text(app)
    go(app, "heads")
    assert (app.session_state["model"], app.session_state["text"]) == ("tiny-lm", SENTENCE)
