"""A token's vector: what the run has recorded of it, its neighbours, and its place on the map."""

from __future__ import annotations

import re

import numpy as np
import pytest

from model.vectors.vocabulary_map import nearest_tokens
from tests.conftest import loaded
from tests.views.shown import ends, equations, said, tables
from views.inputs.embedding import ADDED, NEAREST, TokenVector
from views.inputs.vocabulary import table_of
from views.plain import plain_view
from views.run import make_run
from views.shared.quotes import quote
from views.view import DEPTHS
from viz.shared.tokens import labels


def vector(model: str, sentence: str, token: int = 0) -> TokenVector:
    return TokenVector(make_run(loaded(model), sentence, TokenVector.needs), token)


@pytest.mark.slow
@pytest.mark.parametrize("model", ["tiny-lm", "tiny-encoder", "en-ur", "smollm2-135m", "minilm-l6"])
@pytest.mark.parametrize("sentence", ["a", "I like 🙂", "میں ایک روبوٹ ہوں"])
def test_any_text_in_any_model(model: str, sentence: str) -> None:
    view = vector(model, sentence)
    for depth in DEPTHS:
        assert plain_view(view, depth)


def test_the_vectors_are_those_of_the_run() -> None:
    view = vector("tiny-lm", "The quick brown fox", 2)
    (table,) = tables(view)
    np.testing.assert_allclose(table["row of the table"], view.run.trace["embed.tokens"][2], atol=1e-6)
    np.testing.assert_allclose(table["what layer 0 reads"], view.run.trace["embed.out"][2], atol=1e-6)
    assert "Their sum is what the first layer reads" in said(view)


def test_a_model_that_turns_adds_nothing() -> None:
    assert vector("smollm2-135m", "a fox").told()[ADDED] == "nothing"
    assert vector("tiny-lm", "a fox").told()[ADDED] == "a position"


def test_the_map_says_how_many_tokens_it_draws() -> None:
    assert re.search(r"Grey: 1,200 of the 2,260 tokens", said(vector("en-ur", "the dog")))


def test_the_sums_are_those_of_the_run() -> None:
    view = vector("tiny-lm", "The dog is happy", 2)
    trace, shown = view.run.trace, equations(view)
    feature = int(trace["embed.tokens"][2].abs().argmax())
    assert ends(shown[1], float(trace["embed.out"][2, feature]))
    near, cosine = nearest_tokens(table_of(view.run), trace.tokens[2].id, 1)[0]
    assert ends(shown[3], cosine)
    assert view.told()[NEAREST] == pytest.approx(cosine)
    assert quote(labels([loaded("tiny-lm").tokenizer.token(near)])[0]) in said(view, "Formula")
