"""What Translate says of its own translations, with the bundled translator."""

from __future__ import annotations

import pytest

from tests.pages.models.test_translate import open_page, page_text

OUTSIDE = "This is outside what this model learnt"
NONSENSE = "Today is hotter than yesterday"  # the model knows every word of it


@pytest.mark.slow
def test_a_number_in_digits_is_one_press_away_from_its_word() -> None:
    app = open_page(model="en-ur-everyday", text="I have 3 books")
    assert "**3**" in app.warning[0].value
    (button,) = (each for each in app.button if each.label == "3 → three")
    app = button.click().run()
    assert not app.exception
    assert app.session_state["text"] == "I have three books"
    assert "sure** of this translation" in page_text(app)


def test_the_nearest_sentence_is_one_that_it_can_do() -> None:
    app = open_page(text=NONSENSE)
    (button,) = (each for each in app.button if "hotter" in each.label)
    button.click().run()
    assert not app.exception
    assert "hotter" in app.session_state["text"]
    assert app.session_state["text"] != NONSENSE
    assert OUTSIDE not in page_text(app)


def test_the_translator_that_knows_more_is_offered() -> None:
    app = open_page(text=NONSENSE)
    (button,) = (each for each in app.button if each.label.startswith("Ask English to Urdu, everyday"))
    button.click().run()
    assert not app.exception
    assert (app.session_state["model"], app.session_state["text"]) == ("en-ur-everyday", NONSENSE)
    assert not [each for each in app.button if each.label.startswith("Ask ")]


def test_an_edited_model_is_not_judged() -> None:
    assert "sure** of this translation" not in page_text(open_page(edits="decoder.1.cross_attn.0"))
