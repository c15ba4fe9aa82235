"""The Translate page, with the bundled translator."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from model import Model, load
from model.train.samples import held_out_examples
from model.zoo import cards
from tests.model.zoo import tiny_families
from tests.model.zoo.opened import card_of_files
from tests.pages.conftest import components, go, run_sentence

APP = str(Path(__file__).parents[3] / "app.py")
EVERYDAY = "en-ur-everyday"
SENTENCE, URDU = "I am a robot", "میں ایک روبوٹ ہوں"


@pytest.fixture(scope="module")
def translator() -> Model:
    return load("en-ur")


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


@pytest.mark.parametrize("view", ["steps", "wiring", "beam", "forcing"])
def test_an_added_translator_stands_beside_the_bundled_one(added: str, view: str) -> None:
    app = open_page(translate_view=view)
    (choice,) = (each for each in app.segmented_control if each.label == "Translator")
    assert sorted(choice.options) == ["English to Urdu", "English to Urdu, everyday", "opus-mt-en-ur"]
    assert "was trained here" in page_text(app)
    assert "** was added: " in page_text(app)
    choice.set_value(added).run()
    assert not app.exception
    assert app.session_state["model"] == added
    assert not app.error


def test_a_character_without_a_piece_is_named(added: str) -> None:
    assert "no piece for **漢**" in page_text(open_page(model=added, text="I am 漢"))


def test_it_writes_the_greedy_translation() -> None:
    assert URDU in page_text(open_page())


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


@pytest.mark.slow
def test_held_out_sentences_translate_in_the_page_as_in_the_card(translator: Model) -> None:
    """The card's share of exact translations, on the first held-out sentences, through the page's own path."""
    pairs = held_out_examples(60)
    right = 0
    for pair in pairs:
        source = translator.tokens_of(pair.source_text)
        end = translator.tokenizer.end
        ids = [id for id in translator.translate_ids(source) if id != end]
        right += translator.tokenizer.decode(ids) == pair.target_text
    assert right / len(pairs) >= translator.card.details["metrics"]["exact_match"] - 0.1
    app = open_page(text=pairs[0].source_text, depth="Numbers")
    ids = list(translator.translate_ids(translator.tokens_of(pairs[0].source_text)))
    words = [token.text.strip() for token in translator.tokenizer.tokens(ids)]
    assert app.dataframe[0].value["token"].tolist() == words


def test_rows_of_cross_attention_sum_to_one() -> None:
    table = open_page(depth="Numbers").dataframe[0].value
    weights = table.drop(columns=["step", "token", "probability"]).to_numpy(dtype=float)
    assert weights.sum(1) == pytest.approx([1.0] * len(weights), abs=1e-3)


def test_every_layer_receives_the_same_memory() -> None:
    app = open_page(translate_view="wiring", depth="Numbers")
    table = app.dataframe[0].value
    assert set(table["is the encoder's output"]) == {"the same tensor"}
    assert table["norm"].nunique() == 1
    assert table["K from memory, largest difference"].max() < 1e-5
    assert "receive the same tensor" in page_text(app)


def test_a_beam_of_one_is_greedy() -> None:
    table = open_page(translate_view="beam", translate_width=1).dataframe[0].value
    assert table["search"].tolist() == ["greedy", "beam, place 1"]
    assert table["translation"].nunique() == 1
    assert table["log p"].nunique() == 1


def test_scores_are_normalised_by_length() -> None:
    table = open_page(translate_view="beam", translate_alpha=0.5).dataframe[0].value
    expected = table["log p"] / table["tokens"] ** 0.5
    assert table["score"].tolist() == pytest.approx(expected.tolist(), abs=1e-9)


def test_a_wrong_word_of_the_teacher_shows_in_its_loss_and_in_the_free_run() -> None:
    app = open_page(translate_view="forcing", translate_truth="میں ایک دریا ہوں")
    table = app.dataframe[0].value
    assert table["should write"].tolist() == ["میں", "ایک", "دریا", "ہوں", "<EOS>"]
    assert table["decoder reads"].tolist() == ["<SOS>", "میں", "ایک", "دریا", "ہوں"]
    assert int(table["loss in nats"].argmax()) == 2
    as_true = "as the true translation"
    assert table["free run is"].tolist()[:3] == [as_true, as_true, "here the first other token"]
    assert "leaves the true translation at position 2" in page_text(app)


def test_unknown_words_are_named_with_suggestions_that_can_be_taken() -> None:
    app = open_page(text="I am a robotz")
    assert "does not know" in page_text(app)
    suggestion = next(button for button in app.button if "robotz → robot" in button.label)
    suggestion.click().run()
    assert app.session_state["text"] == SENTENCE
    assert "does not know" not in page_text(app)


def test_a_known_word_behind_a_quotation_mark_is_known() -> None:
    assert "does not know" not in page_text(open_page(text="“The robot” is “happy”"))
    assert "does not know" in page_text(open_page(text="“Zaphod” is happy"))


@pytest.mark.parametrize(("key", "text"), [("target", "I am a dog"), ("text", "میں ایک روبوٹ ہوں")])
def test_the_wrong_script_is_said(key: str, text: str) -> None:
    app = open_page(**{key: text})
    assert "script" in " ".join(each.value for each in app.warning)
    assert not app.exception


def test_a_given_translation_is_read_and_not_called_the_models() -> None:
    app = open_page(target=URDU)
    assert "You gave this translation" in page_text(app)
    assert "The model was given" in page_text(app)


def test_a_sentence_that_cannot_be_run_has_one_message() -> None:
    assert len(open_page(text="").error) == 1


def test_of_a_sentence_that_is_too_long_the_beginning_is_translated() -> None:
    app = open_page(text="dog " * 200)
    assert not app.error
    assert len(components(app)["run_bar"][0]["notes"]) == 1


def test_an_empty_or_endless_teacher_is_an_error_at_its_place() -> None:
    app = open_page(translate_view="forcing", translate_truth="میں " * 100)
    assert not app.error
    app = open_page(translate_view="forcing", translate_truth="☂" * 200)
    assert "at most 127 fit" in app.error[0].value


def test_for_other_models_the_page_uses_the_translator() -> None:
    app = open_page(model="tiny-lm")
    (note,) = components(app)["run_bar"][0]["notes"]
    assert note.startswith("This page uses English to Urdu, everyday: it translates")
    assert "میں روبوٹ ہوں" in page_text(app)
    go(app, "heads")
    assert (app.session_state["model"], app.session_state["text"]) == ("tiny-lm", SENTENCE)
