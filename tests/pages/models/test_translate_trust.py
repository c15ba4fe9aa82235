"""What Translate says of its own translations, with the bundled translator."""

from __future__ import annotations

from pathlib import Path

import pytest

from model.train.everyday import is_right, read_sentences
from model.zoo import cards
from pages.models.translate_parts.mistakes import reliability_points
from pages.shared.model_runs import traces
from tests.pages.models.test_translate import open_page, page_text

LIST = Path(__file__).parents[2] / "model" / "train" / "everyday" / "sentences.txt"
OUTSIDE = "This is outside what this model learnt"
NONSENSE = "Today is hotter than yesterday"  # the model knows every word of it
UNKNOWN = "My grandmother bakes bread"


def test_a_sentence_of_its_world_is_sure() -> None:
    text = page_text(open_page())
    assert "% sure** of this translation" in text
    assert "kept apart of which it was" in text
    assert OUTSIDE not in text


def test_a_sentence_outside_is_said_even_where_every_word_is_known() -> None:
    app = open_page(text=NONSENSE)
    (warning,) = app.warning
    assert OUTSIDE in warning.value
    assert "It is least sure of" in warning.value
    assert "No step looked at" in warning.value
    assert "It repeats" in warning.value


def test_a_word_without_which_it_writes_the_same_is_named_where_it_is_sure() -> None:
    app = open_page(model="en-ur-everyday", text="If it rains tomorrow, we will stay at home")
    (line,) = [each.value for each in app.markdown if "sure** of this translation" in each.value]
    assert "Without **tomorrow** it writes the same" in line
    assert ":material/verified:" not in line
    unused = cards.card("en-ur-everyday").details["confidence"]["unused"]
    assert f"{unused['sentences']} everyday sentences with such a word, {unused['right']} came out right" in line


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


def test_unknown_words_are_marked_in_the_sentence() -> None:
    text = page_text(open_page(text=UNKNOWN))
    assert text.count(":orange-background[") == 2  # what the warning names
    assert OUTSIDE in text


@pytest.mark.parametrize("text", ["<b>zebra</b> $x$ ](x) :red[zebra]", "۔" * 30, "zebra " * 60, "کتاب robot 漢字 x=1;"])
def test_any_text_is_marked_and_judged(text: str) -> None:
    app = open_page(text=text)
    shown = page_text(app)
    assert not app.exception
    assert "<b>" not in shown
    assert " :red[" not in shown


def test_a_given_translation_is_not_judged() -> None:
    assert "sure** of this translation" not in page_text(open_page(target="میں ایک دریا ہوں"))


def test_an_edited_model_is_not_judged() -> None:
    assert "sure** of this translation" not in page_text(open_page(edits="decoder.1.cross_attn.0"))


def test_the_misses_are_those_of_the_card() -> None:
    app = open_page(translate_view="mistakes")
    found = cards.card("en-ur").details["everyday"]
    assert f"**{found['right']}** come out right" in page_text(app)
    (table,) = (each.value for each in app.dataframe if "it wrote" in each.value)
    assert list(table["English"]) == [miss["english"] for miss in found["misses"]]
    references = {sentence.english: sentence.references for sentence in read_sentences(LIST)}
    assert not [row for row in table.itertuples() if is_right(row[3], references[row.English])]


def test_the_ranges_have_the_numbers_of_the_card() -> None:
    table = open_page(translate_view="mistakes", depth="Numbers").dataframe[0].value
    ranges = cards.card("en-ur").details["confidence"]["reliability"]
    assert list(table["sentences"]) == [each["sentences"] for each in ranges]
    assert table["everyday sentences among them"].sum() == 150
    assert list(table["right"]) == [each["right"] for each in ranges]


def test_an_empty_range_is_no_point() -> None:
    empty, full = ({"confidence": 0.5, "sentences": count, "right": count} for count in (0, 4))
    ((confidence, share, low, high, count),) = reliability_points([empty, full])
    assert (confidence, share, count) == (0.5, 1.0, 4)
    assert 0 < low < share <= high


def test_a_card_without_measures_says_how_to_measure(monkeypatch: pytest.MonkeyPatch) -> None:
    # A card that is read again is another object than that of the model in memory, so both lose their measures.
    for card in (traces.model("en-ur").card, cards.card("en-ur")):
        for name in ("everyday", "confidence"):
            monkeypatch.delitem(card.details, name, raising=False)
    app = open_page(translate_view="mistakes")
    assert "--everyday" in app.info[0].value
    assert "% sure" not in page_text(app)
