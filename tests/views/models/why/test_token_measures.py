"""What each token does, by three measures, as a view."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from model import load
from model.analysis.attribution import account_of
from model.analysis.source_tokens import token_parts
from model.chat.turns import Conversation
from tests.views import asked, shown
from tests.views.asked import CLASS_TEXT, URDU_TEXT, question
from views.models.why.token_measures import FIRSTS, MEASURES


def test_the_tokens_of_a_class_sum_to_its_logit() -> None:
    view, model = asked.tokens(question("tiny-encoder", CLASS_TEXT)), load("tiny-encoder")
    trace = model.trace(CLASS_TEXT)
    parts = token_parts(model, trace, account_of(model, trace))
    assert parts.total == pytest.approx(float(trace["text_logits"].max()), abs=1e-4)
    assert shown.tables(view)[0]["value paths"].tolist() == pytest.approx(parts.tokens.tolist(), abs=1e-5)
    assert "All sum to" in shown.said(view)


def test_a_translator_answers_for_its_last_word_and_for_its_source() -> None:
    view = asked.tokens(question("en-ur", URDU_TEXT))
    assert "**Tokens of the sentence**" in shown.said(view)
    assert "**Tokens that it has written**" in shown.said(view)
    assert [len(figure.data) for figure in shown.charts(view)] == [2, 3], "the sentence has no rollout"
    assert "<EOS>" not in shown.said(view)


def test_the_shares_of_each_measure_sum_to_one_in_size() -> None:
    view = asked.tokens(question())
    (rows,) = shown.tables(view)
    for name in MEASURES:
        assert np.abs(rows[f"share of {name}"]).sum() == pytest.approx(1, abs=1e-5)
    firsts = {int(np.abs(rows[name]).argmax()) for name in MEASURES}
    assert view.told()[FIRSTS] == len(firsts)


def test_without_gradients_it_says_what_they_take_and_shows_the_others() -> None:
    view = replace(asked.tokens(question()), gradients=None)
    assert "goes back through every layer" in shown.said(view)
    (rows,) = shown.tables(view)
    assert "gradient × input" not in rows
    assert "attention rollout" in rows


@pytest.mark.slow
def test_the_measures_of_a_conversation_are_summed_by_turn() -> None:
    view = asked.tokens(question("smollm2-135m", Conversation("user: What is the capital of France?")))
    tokens, turns = shown.tables(view)
    assert turns["turn"].tolist() == ["system", "user", "template"]
    for name in MEASURES:
        assert turns[name].sum() == pytest.approx(tokens[name].sum(), abs=1e-4)
        assert turns[f"share of {name}"].sum() == pytest.approx(tokens[f"share of {name}"].sum(), abs=1e-5)
    assert turns["tokens"].sum() == len(view.asked.read)


def test_the_picture_has_the_chosen_tokens_and_the_table_all() -> None:
    view = replace(asked.tokens(question()), shown=slice(1, 3))
    (figure,) = shown.charts(view)
    assert {len(each.y) for each in figure.data} == {2}
    assert len(shown.tables(view)[0]) == len(view.asked.read)


def test_its_sum_ends_in_the_logit() -> None:
    asks = question()
    assert shown.ends(shown.equations(asked.tokens(asks))[-1], asked.tokens(asks).layers.parts.total)
