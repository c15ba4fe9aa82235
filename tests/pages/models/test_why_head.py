"""Why this word, Head in general: the numbers are those of the library, for any kind of head."""

from __future__ import annotations

from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from model import load
from model.analysis.circuits.composition import compose
from model.analysis.circuits.looked_for import looked_for
from model.analysis.circuits.written import copying, written
from model.analysis.head_steps import Attention
from model.run import ids_of
from tests.pages.conftest import messages, run_page, text
from viz.shared.style import number

TINY: dict[str, Any] = {"model": "tiny-lm", "text": "the dog sees the cat", "layer": 2, "head": 2}
URDU: dict[str, Any] = {"model": "en-ur", "text": "I am a robot", "layer": 1, "head": 2}
AT = Attention("decoder", 2, "self_attn")


def open_page(**state: object) -> AppTest:
    return run_page("models/why.py", **{**TINY, "why_part": "head", **state})


def test_the_scores_are_those_of_the_library() -> None:
    model = load("tiny-lm")
    ids = ids_of(model.tokens_of(TINY["text"])).tolist()
    expected = looked_for(model, AT, 2, ids[-1:], ids, 6)
    rows = open_page(depth="Numbers").dataframe[0].value
    assert list(rows["score"][: len(ids)]) == pytest.approx(expected.scores[0].tolist(), abs=1e-5)
    assert list(rows["score"][len(ids) :]) == pytest.approx(
        [*expected.ends.most[0].tolist(), *expected.ends.least[0].tolist()], abs=1e-5
    )


@pytest.mark.slow
def test_another_token_of_the_sentence_looks_for_others() -> None:
    first, last = (open_page(query=query, depth="Numbers").dataframe[0].value for query in (1, 3))
    assert list(first["score"]) != pytest.approx(list(last["score"]), abs=1e-3)


def test_what_is_written_and_copied_is_that_of_the_library() -> None:
    model = load("tiny-lm")
    ids = ids_of(model.tokens_of(TINY["text"])).tolist()
    expected = written(model, AT, 2, ids, 6)
    app = open_page(depth="Numbers")
    rows = app.dataframe[1].value
    assert expected.ranks is not None
    assert list(rows["rank of the token itself"]) == expected.ranks.tolist()
    assert f"copying score is {number(copying(model, AT, 2).score)}" in text(app)


def test_the_earlier_heads_are_named_with_their_scores() -> None:
    (at, head, value), *_ = compose(load("tiny-lm"), AT, 2, "k").strongest(1)
    assert f"By its keys it reads most what layer {at.layer} head {head} ({number(value)})" in text(open_page())
    rows = open_page(depth="Numbers").dataframe[3].value
    assert len(rows) == 3 * 2 * load("tiny-lm").config.n_heads


def test_the_first_layer_has_no_head_before_it() -> None:
    assert "No head stands before it" in text(open_page(layer=0))


@pytest.mark.parametrize(
    ("attention", "said"),
    [
        ("encoder.self_attn", "This head is in the encoder"),
        ("decoder.cross_attn", "a place in the other sentence"),
        ("decoder.self_attn", "copying score"),
    ],
)
def test_every_attention_of_a_translator_has_its_circuits(attention: str, said: str) -> None:
    for depth in ("Picture", "Formula"):
        app = open_page(**URDU, attention=attention, depth=depth)
        assert not app.exception
        assert not messages(app)
    assert said in text(open_page(**URDU, attention=attention))


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


def test_the_sentence_of_one_token_has_a_head() -> None:
    for depth in ("Picture", "Numbers", "Formula"):
        app = open_page(text="the", depth=depth)
        assert not app.exception
        assert not messages(app)
