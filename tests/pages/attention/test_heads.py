"""The Heads page without a browser: what a reader chooses, fall-backs, one message for bad input."""

from __future__ import annotations

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from model import Model
from tests.pages.conftest import components, figures, messages, open_link, run_sentence, tell, text
from tests.views.heads import arrays, head_of
from views.attention.all_heads import AllHeads

SENTENCE = "George drove to the bank"  # [CLS] george drove to the bank [SEP]


def visit(**url: str) -> AppTest:
    given = {"model": "minilm-l6", "text": SENTENCE, "layer": "2", "head": "4"} | url
    return open_link("attention/heads.py", **given)


def test_without_a_query_the_page_says_how_to_get_a_story() -> None:
    assert "Click a query and then a key" in text(visit(query="-2"))


def test_sentences_of_different_length_get_one_message_with_both_counts() -> None:
    app = visit(heads_view="Compare", heads_with="Another sentence", heads_text2="George drove")
    assert len(messages(app)) == 1
    assert "the first has 7, the second 4" in messages(app)[0].replace("\\", "")
    assert not app.exception
    app.session_state["heads_text2"] = "George drove to the park"
    app.run()
    assert not messages(app)
    assert "bank / park" in figures(app)[2]["layout"]["xaxis"]["ticktext"]


def test_what_is_taken_while_the_run_is_made_are_the_measures(minilm: Model) -> None:
    shown = components(visit(heads_view="All heads"))["heads_atlas"][1]
    view = AllHeads(head_of(minilm, SENTENCE, "encoder.2.self_attn", 4), "layer").picture()
    for name, values in arrays(view).items():
        np.testing.assert_array_equal(shown[name], values)


@pytest.mark.parametrize(
    ("key", "value", "said"),
    [
        ("layer", "99", "Layer 99 does not exist here: it can be 0 to 5. Shown: 5."),
        ("head", "12", "Head 12 does not exist here: it can be 0 to 11. Shown: 11."),
        ("query", "50", "Query 50 does not exist here: it can be 0 to 6. Shown: 6."),
        ("layer", "two", "it is not a whole number"),
        ("heads_view", "Circles", "it can only be Lines, Matrix"),
        ("attention", "decoder.self_attn", "Attention “self-attention of the decoder” does not exist here."),
        ("heads_least", "7", "it must lie between 0 and 0.5"),
    ],
)
def test_a_bad_value_in_a_url_falls_back_and_says_so(key: str, value: str, said: str) -> None:
    app = visit(**{key: value})
    assert not app.exception
    assert len(messages(app)) == 1
    assert said in messages(app)[0].replace("\\", "")
    assert "attention_lines" in components(app)


@pytest.mark.parametrize("text", ["", "   "])
def test_a_sentence_that_cannot_run_gets_one_message_and_keeps_the_last_view(text: str) -> None:
    app = visit()
    run_sentence(app, text)
    assert len(app.error) == 1
    assert not app.exception
    header, _ = components(app)["attention_lines"]
    assert [each["label"] for each in header["queries"]][1] == "george"


@pytest.mark.slow
def test_of_a_sentence_that_is_too_long_the_part_that_fits_is_shown() -> None:
    app = visit()
    run_sentence(app, "word " * 600)
    assert not messages(app)
    assert components(app)["run_bar"][0]["limit"] == 512
    (note,) = components(app)["run_bar"][0]["notes"]
    assert note.startswith("MiniLM L6 reads 512 tokens here: your sentence up to “…")


def test_changing_the_head_forgets_the_heads_that_had_lines() -> None:
    app = visit(heads_shown="1,4,7")
    assert components(app)["attention_lines"][0]["view"]["heads"] == [1, 4, 7]
    tell(app, "run_bar", "place", ["head", 5])
    assert components(app)["attention_lines"][0]["view"]["heads"] == [5]


def test_a_new_sentence_forgets_the_pair() -> None:
    app = visit(query="6", key="5")
    run_sentence(app, "Hello")
    assert not messages(app)
    assert components(app)["attention_lines"][0]["view"]["key"] is None
