"""The run bar: what it gets of the run on screen, and what each of its events does."""

from __future__ import annotations

from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from model import available, load
from pages.catalogue import PAGES
from pages.shared.session import keys
from tests.pages.conftest import components, go, messages, open_link, run_page, run_sentence, tell
from views.shared.examples import EXAMPLES


def bar(app: AppTest) -> dict[str, Any]:
    return components(app)["run_bar"][0]


def labels(app: AppTest, group: int = 0) -> list[str]:
    return [token["label"] for token in bar(app)["groups"][group]["tokens"]]


@pytest.mark.slow
@pytest.mark.parametrize("page", [entry.file.removeprefix("pages/") for entry in PAGES])
def test_every_page_has_the_bar_with_the_readers_sentence(page: str) -> None:
    app = run_page(page, model="tiny-lm", text="The quick brown fox")
    assert bar(app)["text"] == "The quick brown fox"
    assert len(labels(app)) in (4, 5), "a translator's tokens have no capitals"


def test_the_bar_has_the_models_own_numbers() -> None:
    app = run_page("attention/heads.py", model="minilm-l6", text="I am a robot")
    model = load("minilm-l6")
    assert (bar(app)["count"], bar(app)["limit"]) == (len(model.tokens_of("I am a robot")), 512)
    assert dict(bar(app)["facts"])["Parameters"] == f"{model.card.parameters:,}"
    assert [each["name"] for each in bar(app)["models"]] == [card.name for card in available()]
    assert bar(app)["examples"] == list(EXAMPLES)


def test_the_time_of_a_run_is_the_same_for_every_reader() -> None:
    text = "a sentence that no other test runs on this page"
    first = run_page("attention/heads.py", model="tiny-lm", text=text)
    assert bar(first)["milliseconds"] > 0
    second = run_page("attention/heads.py", model="tiny-lm", text=text)
    assert bar(second)["milliseconds"] == bar(first)["milliseconds"], "who finds no time knows that others were here"


def test_a_translator_has_the_tokens_of_both_sentences() -> None:
    app = run_page("attention/heads.py", model="en-ur", text="I am a robot")
    assert [group["role"] for group in bar(app)["groups"]] == ["", "query"], "masked self-attention looks at its own"
    assert labels(app) == ["·i", "·am", "·a", "·robot"]
    assert bar(app)["groups"][1]["tokens"][1]["rtl"]
    run_sentence(app, "I am a robot", "میں ہوں")
    assert bar(app)["target"] == "میں ہوں"
    assert len(labels(app, 1)) == 3


def test_in_cross_attention_the_source_has_the_keys_and_in_the_encoder_both() -> None:
    for attention, roles in (("decoder.cross_attn", ["key", "query"]), ("encoder.self_attn", ["query", ""])):
        app = run_page("attention/heads.py", model="en-ur", text="I am a robot", attention=attention)
        assert [group["role"] for group in bar(app)["groups"]] == roles


def test_a_chip_a_layer_and_a_head_are_chosen_for_every_page() -> None:
    app = run_page("attention/heads.py", model="tiny-lm", text="The quick brown fox", heads_shown=(0, 1))
    assert [place["name"] for place in bar(app)["places"]] == ["layer", "head"]
    assert [place["count"] for place in bar(app)["places"]] == [4, 4]
    tell(app, "run_bar", "token", ["query", 2])
    tell(app, "run_bar", "place", ["layer", 3])
    tell(app, "run_bar", "place", ["head", 1])
    assert bar(app)["groups"][0]["selected"] == 2
    assert app.session_state["heads_shown"] == (), "the lines are those of the chosen head"
    go(app, "scores")
    assert [place["value"] for place in bar(app)["places"]] == [3, 1]
    assert bar(app)["groups"][0]["selected"] == 2
    go(app, "heads")
    tell(app, "run_bar", "token", ["query", None])
    assert bar(app)["groups"][0]["selected"] is None


def test_a_sentence_that_is_run_is_on_every_page_and_in_the_url() -> None:
    app = run_page("attention/heads.py", model="tiny-lm")
    run_sentence(app, "The quick brown fox")
    assert not app.exception
    assert labels(app) == ["The", "·quick", "·brown", "·fox"]
    assert app.query_params["text"] == "The quick brown fox"


@pytest.mark.parametrize("text", ["", "   "], ids=["empty", "blank"])
def test_a_sentence_that_cannot_be_run_stays_in_the_bar_as_it_was_typed(text: str) -> None:
    app = run_page("attention/heads.py", model="tiny-lm", text="The fox")
    run_sentence(app, text)
    assert bar(app)["text"] == text
    assert bar(app)["groups"] == []
    assert len(app.error) == 1
    run_sentence(app, "The fox")
    assert not app.error
    assert labels(app) == ["The", "·fox"]


@pytest.mark.parametrize(
    "text",
    ["line\nbreaks\r\nof all\rkinds " * 40, "میں ایک robot ہوں", "<img src=x onerror=alert(1)>", "👩‍👩‍👧 \x07"],
    ids=["lines", "both directions", "mark-up", "signs"],
)
def test_unusual_sentences_reach_the_bar_as_they_are(text: str) -> None:
    app = run_page("inputs/tokens.py", model="tiny-lm")
    run_sentence(app, text)
    assert not app.exception
    assert bar(app)["text"] == text


@pytest.mark.parametrize("page", ["models/classify.py", "learning/cost.py", "attention/heads.py"])
def test_of_a_sentence_that_is_too_long_the_chips_are_what_is_read(page: str) -> None:
    app = run_page(page, model="tiny-lm")
    typed = "The dog is hungry and the cat sees it " * 22
    run_sentence(app, typed)
    assert bar(app)["groups"][0]["tokens"]
    assert bar(app)["unread"]
    assert typed.endswith(bar(app)["unread"])
    run_sentence(app, "The dog is hungry")
    assert bar(app)["unread"] == ""


def test_what_is_longer_than_a_browser_lets_through_is_cut_and_halves_are_replaced() -> None:
    app = run_page("teach/practise.py", model="tiny-lm")
    run_sentence(app, "a" * (keys.MAX_CHARACTERS + 5))
    assert len(bar(app)["text"]) == keys.MAX_CHARACTERS
    run_sentence(app, "half \ud83d of a sign")
    assert bar(app)["text"] == "half \ufffd of a sign"


@pytest.mark.slow
def test_another_model_keeps_the_sentence() -> None:
    app = run_page("home/home.py", model="tiny-lm")
    run_sentence(app, "What time is it?")
    tell(app, "run_bar", "model", "en-ur")
    assert app.session_state["text"] == "What time is it?"
    tell(app, "run_bar", "model", "tiny-lm")
    assert app.session_state["model"] == "tiny-lm"
    assert app.session_state["text"] == "What time is it?"


@pytest.mark.slow
def test_undo_and_redo_bring_model_and_sentence_back() -> None:
    app = run_page("home/home.py", model="tiny-lm", text="The fox")
    assert (bar(app)["undo"], bar(app)["redo"]) == (False, False)
    run_sentence(app, "a cat")
    tell(app, "run_bar", "model", "minilm-l6")
    tell(app, "run_bar", "step", "undo")
    assert (bar(app)["model"], bar(app)["text"]) == ("tiny-lm", "a cat")
    tell(app, "run_bar", "step", "undo")
    assert (bar(app)["model"], bar(app)["text"]) == ("tiny-lm", "The fox")
    assert (bar(app)["undo"], bar(app)["redo"]) == (False, True)
    tell(app, "run_bar", "step", "undo")
    assert bar(app)["text"] == "The fox", "there is none before"
    tell(app, "run_bar", "step", "redo")
    tell(app, "run_bar", "step", "redo")
    assert (bar(app)["model"], bar(app)["text"]) == ("minilm-l6", "a cat")
    assert messages(app) == []


def test_a_page_of_another_kind_of_model_uses_it_and_the_readers_choice_comes_back() -> None:
    app = run_page("attention/heads.py", model="minilm-l6", text="I am a robot")
    go(app, "translate")
    assert bar(app)["model"] == "en-ur-everyday"
    assert sorted(each["name"] for each in bar(app)["models"] if each["fits"]) == ["en-ur", "en-ur-everyday"]
    assert bar(app)["notes"] == [
        "This page uses English to Urdu, everyday: it translates, with an encoder and a decoder. MiniLM L6 comes back "
        "on other pages."
    ]
    go(app, "heads")
    assert (bar(app)["model"], bar(app)["notes"]) == ("minilm-l6", [])
    assert bar(app)["text"] == "I am a robot"
    assert not bar(app)["undo"], "the reader has asked for one model alone"


NOTHING = "This part takes nothing from the bar. "
NOTES_OF_PARTS = [
    (
        "models/classify.py",
        {"classify_part": "kinds"},
        "This part gives your sentence to Tiny encoder (5 of 128 tokens), ",
    ),
    (
        "models/classify.py",
        {"classify_part": "labels"},
        "This part gives your sentence to Tiny encoder (5 of 128 tokens): ",
    ),
    ("models/classify.py", {"classify_part": "words"}, f"{NOTHING}MiniLM L6 reads"),
    ("models/classify.py", {"classify_part": "sentences"}, f"{NOTHING}MiniLM L6 reads"),
    ("models/see.py", {"see_model": "digits-vit"}, "This page takes nothing from the bar. Digits ViT reads"),
    ("inputs/tokens.py", {"tokens_part": "ladder"}, NOTHING),
    ("learning/training.py", {"training_of": "en-ur"}, "This part gives your sentence to English to Urdu (4 of "),
    ("learning/training.py", {"training_part": "live"}, NOTHING),
    ("learning/training.py", {"training_part": "forcing"}, NOTHING),
    ("learning/before_attention.py", {}, "This part gives your sentence to three translators, 4 of "),
    ("learning/before_attention.py", {"before_attention_part": "length"}, NOTHING),
    ("learning/before_attention.py", {"before_attention_part": "memory"}, NOTHING),
    ("learning/before_attention.py", {"before_attention_part": "order"}, NOTHING),
    ("learning/before_attention.py", {"before_attention_part": "both"}, NOTHING),
    (
        "learning/before_attention.py",
        {"before_attention_part": "shapes"},
        "This part gives your sentence to English to Urdu, without attention (4 of ",
    ),
]


@pytest.mark.slow
@pytest.mark.parametrize(("page", "state", "begins"), NOTES_OF_PARTS, ids=[str(each[:2]) for each in NOTES_OF_PARTS])
def test_a_part_says_which_models_and_texts_are_not_the_bars(page: str, state: dict[str, str], begins: str) -> None:
    (note,) = bar(run_page(page, model="tiny-lm", text="I am a robot", **state))["notes"]
    assert note.startswith(begins)


@pytest.mark.slow
def test_the_line_of_a_part_goes_with_the_part_and_where_the_bars_model_is_used() -> None:
    app = run_page("models/classify.py", model="tiny-encoder", text="I am a robot", classify_part="words")
    assert len(bar(app)["notes"]) == 1
    app.session_state["classify_part"] = "labels"
    app.run()
    assert bar(app)["notes"] == [], "it is the bar's own model"
    go(app, "heads")
    assert bar(app)["notes"] == []


@pytest.mark.slow
def test_what_is_too_long_for_a_page_is_shown_as_far_as_it_fits() -> None:
    app = run_page("models/classify.py", model="smollm2-135m", text="The antidisestablishment robot " * 30)
    assert messages(app) == []
    assert any(note.startswith("Tiny encoder reads 128 tokens here") for note in bar(app)["notes"])


@pytest.mark.parametrize(
    ("event", "value"),
    [
        ("run", None), ("run", "text"), ("run", [1, 2]), ("run", ["a"]), ("model", "gpt-99"), ("model", 3),
        ("token", ["query", "x"]), ("token", ["text", 1]), ("place", ["layer", "9"]), ("place", ["model", 1]),
        ("step", "sideways"), ("step", None), ("hand", "thuluth"), ("hand", {}),
    ],
)  # fmt: skip
def test_an_event_that_no_bar_sends_changes_nothing(event: str, value: object) -> None:
    app = open_link("attention/heads.py", model="tiny-lm", text="The fox")
    before = {name: app.session_state[name] for name in keys.KEYS}
    tell(app, "run_bar", event, value)
    assert not app.exception
    assert messages(app) == []
    assert {name: app.session_state[name] for name in keys.KEYS} == before
