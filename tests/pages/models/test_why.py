"""Why this word: the page's numbers are those of the library, each choice is kept, and bad input is told."""

from __future__ import annotations

from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from model import attribute, load
from model.errors import UnreadableText
from model.tokens.tokenizer import Token, Tokenizer
from pages.models.why import PARTS
from pages.models.why_parts.examples import LUCY, LUCY_AND_OMAR, OMAR
from pages.shared.model_runs import measurements
from pages.shared.session.keys import KEYS
from tests.pages.conftest import go, messages, run_page, text, type_into
from views.shared import long_text

TINY: dict[str, Any] = {"model": "tiny-lm", "text": "the dog sees the cat"}
URDU: dict[str, Any] = {"model": "en-ur", "text": "I am a robot"}
GAVE = LUCY_AND_OMAR["text"]


def open_page(**state: object) -> AppTest:
    return run_page("models/why.py", **{**TINY, **state})


def test_every_part_is_registered() -> None:
    assert tuple(PARTS) == KEYS["why_part"].choices


def test_the_example_names_its_tokens() -> None:
    tokens = load("tiny-lm").tokenizer.tokens((LUCY, OMAR))
    assert [token.text for token in tokens] == [" Lucy", " Omar"]


def test_against_another_token_the_difference_is_accounted_for() -> None:
    app = open_page(text=GAVE, why_answer=LUCY, why_against=OMAR)
    account = attribute(load("tiny-lm"), GAVE, LUCY, OMAR)
    assert f"the lead of **Lucy** over **Omar** is {account.value:.3f}" in text(app)
    assert app.selectbox(key="why token").value == LUCY
    assert app.selectbox(key="why rival").value == OMAR


@pytest.mark.slow
def test_a_token_is_chosen_in_the_menu_and_by_its_text() -> None:
    app = open_page()
    likeliest = app.selectbox(key="why token").value
    app.selectbox(key="why token").select_index(1).run()
    assert app.session_state["why_answer"] not in (-1, likeliest)
    type_into(app, "why token", "Lucy")
    assert app.session_state["why_answer"] == LUCY
    assert "the logit of **Lucy**" in text(app)
    type_into(app, "why token", "counterrevolutionary")
    assert app.session_state["why_answer"] == LUCY
    assert "is no token of this model, but several" in messages(app)[0]
    type_into(app, "why rival", "x" * 1000)
    assert "No token is that long" in messages(app)[0]
    assert app.session_state["why_against"] == -1


@pytest.mark.slow
def test_both_sides_are_typed_and_swapped() -> None:
    app = open_page(text=GAVE)
    assert app.button(key="why swap").disabled
    type_into(app, "why token", "Omar")
    type_into(app, "why rival", " Lucy ")
    assert "the lead of **Omar** over **Lucy** is" in text(app)
    app.button(key="why swap").click().run()
    assert (app.session_state["why_answer"], app.session_state["why_against"]) == (LUCY, OMAR)
    assert "the lead of **Lucy** over **Omar** is" in text(app)
    app.selectbox(key="why rival").set_value(-1).run()
    assert "the logit of **Lucy** is" in text(app)


@pytest.mark.slow
def test_a_typed_token_that_the_tokenizer_cannot_cut_is_refused_in_words(monkeypatch: pytest.MonkeyPatch) -> None:
    app, encode = open_page(), Tokenizer.encode

    def refuse(self: Tokenizer, text: str, add_special: bool = True) -> tuple[Token, ...]:
        if "Ω" in text:
            raise UnreadableText("This model's tokenizer cannot cut “Ω” into tokens.")
        return encode(self, text, add_special)

    monkeypatch.setattr(Tokenizer, "encode", refuse)
    type_into(app, "why token", "Ω")
    assert not app.exception
    assert "cannot cut “Ω” into tokens" in messages(app)[0]
    assert not messages(app.run())


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"why_answer": 10**6}, "the vocabulary ends at"),
        ({"why_against": 10**6}, "the vocabulary ends at"),
        ({"why_opened": "decoder.99.ffn"}, "does not exist here"),
        ({"why_opened": "final_norm.bias"}, "does not exist here"),
    ],
)
def test_what_the_model_lacks_is_replaced_and_told(wrong: dict[str, object], said: str) -> None:
    app = open_page(**wrong)
    assert said in messages(app)[0]
    assert "parts sum to" in text(app)


def test_a_rival_that_is_the_token_itself_is_none() -> None:
    app = open_page(why_answer=LUCY, why_against=LUCY)
    assert "the logit of **Lucy**" in text(app)


def test_a_head_opens_by_the_tokens_that_it_reads() -> None:
    app = open_page(text=GAVE, why_answer=LUCY, why_against=OMAR, why_opened="decoder.2.self_attn.heads.2")
    assert "**Layer 2, head 2**, by the tokens that it reads" in text(app)
    assert "Most comes from :gray-background[**Lucy** :small[1]]" in text(app)
    app.button(key="why on the map").click().run()
    assert app.session_state["home_at"] == "decoder.2/head 2"


@pytest.mark.parametrize(("state", "tables"), [(TINY, 1), (URDU, 2)])
def test_the_gradient_of_a_long_text_is_measured_at_a_press(
    state: dict[str, Any], tables: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    state = state | {"why_part": "tokens", "depth": "Numbers"}
    expected = [each.value["gradient × input"].tolist() for each in open_page(**state).dataframe]
    monkeypatch.setattr(long_text, "MOST_TOKENS", 3)
    app = open_page(**state)
    assert ["gradient × input" in each.value for each in app.dataframe] == [False] * tables
    assert all("share of value paths" in each.value for each in app.dataframe)
    next(button for button in app.button if button.label == "Measure gradient × input").click().run()
    assert [each.value["gradient × input"].tolist() for each in app.dataframe] == expected
    assert "takes some seconds" not in text(app)
    app.session_state["query"] = 1
    app.run()
    assert "gradient × input" not in app.dataframe[-1].value, "another question is measured anew"


def test_another_model_forgets_the_token() -> None:
    app = open_page(why_answer=LUCY, why_opened="decoder.3.ffn")
    app = go(app, "heads")
    app = go(app, "why")
    assert app.session_state["why_answer"] == LUCY


def test_another_sentence_stands_in_where_it_has_as_many_tokens() -> None:
    same = open_page(why_part="cause", why_without="another sentence", why_text2=TINY["text"], depth="Numbers")
    rows = same.dataframe[0].value
    assert abs(rows["direct part"]).max() < 1e-5
    assert abs(rows["the logit loses"]).max() < 1e-4
    longer = open_page(why_part="cause", why_without="another sentence", why_text2="the dog sees the cat again today")
    assert "yours has 6, the other 13" in messages(longer)[0]


def test_what_was_not_measured_is_said_and_measured_at_a_press(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(measurements, "QUICK_PRODUCTS", 0.0)
    app = open_page(why_part="cause", depth="Numbers")
    assert "**Partial**: 1 of 5 places" in text(app)
    assert len(app.dataframe[0].value) == 5
    next(button for button in app.button if button.label == "Take each part away").click().run()
    assert "Partial" not in text(app)
    assert len(app.dataframe[0].value) == 2 + 4 * 5


@pytest.mark.slow
def test_an_encoder_gives_way_to_a_model_with_a_next_token() -> None:
    app = open_page(model="minilm-l6")
    assert "parts sum to" in text(app)
