"""The classes of tokens, and the account of one: the bundled classifier without its classes of texts answers so."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import pytest
import torch

from model import Model, attribute, load
from model.analysis.answers import answers
from model.analysis.head_steps import Attention, final_name
from model.network.linear import store_transposed
from model.zoo.build import build
from tests.views import asked, shown
from views.attention.next_words import find
from views.head_of_run import keep
from views.map.run_answers import answer_of, build_outcome
from views.models.classify import answers as of_classes
from views.models.classify import kinds, labels
from views.models.classify.labels import Classes
from views.models.classify.token_classes import TokenClasses
from views.models.why.account import ANSWER
from views.run import make_run
from views.usual_head import choose_head

TEXT = "I love this film"


@cache
def tagger() -> Model:
    """An encoder that gives each token a class, and the text none."""
    model = load("tiny-encoder")
    weights = {name: each for name, each in model.network.state_dict().items() if not name.startswith("text_head.")}
    network = build(replace(model.config, text_labels=()), weights)
    return replace(model, network=store_transposed(network))


def test_each_place_has_an_answer_whose_account_sums_to_its_logit() -> None:
    trace = load("tiny-encoder").trace(TEXT, keep="token_logits")
    for place in range(len(trace.tokens)):
        account = attribute(tagger(), TEXT, position=place)
        assert account.value == pytest.approx(float(trace["token_logits"][place].max()), abs=1e-5)
        assert account.difference < 1e-4
        assert account.asked == tagger().config.token_labels[int(trace["token_logits"][place].argmax())]


def test_the_answer_is_the_same_with_and_without_its_tensor() -> None:
    trace = tagger().trace(TEXT, keep=("token_logits", final_name(tagger().config, "encoder")))
    bare = tagger().trace(TEXT, keep=final_name(tagger().config, "encoder"))
    for place in (1, 3):
        torch.testing.assert_close(answers(tagger(), bare, place), trace["token_logits"][place], atol=1e-5, rtol=0)


def test_why_asks_at_the_token() -> None:
    view = asked.account(asked.question(tagger(), TEXT, None, None, 2))
    assert view.told()[ANSWER] == "verb"
    assert "At :gray-background[**love** :small[2]], the logit of **verb**" in shown.said(view)


def test_the_map_the_heads_and_the_kinds_tell_the_class_of_the_last_word() -> None:
    run = make_run(tagger(), TEXT, (*keep(tagger().config), *kinds.keep(tagger().config)))
    best = run.trace["token_logits"][-1].softmax(-1).max()
    outcome = build_outcome(run, 3)
    assert (outcome.title, outcome.labels[0]) == ("Class of film", "noun")
    assert outcome.shares[0] == pytest.approx(float(best))
    assert answer_of(run)[0].equal(run.trace["token_logits"][-1])
    found = find(choose_head(run, Attention("encoder", 0, "self_attn"), 0), run.trace)
    assert (found.title, found.names[0]) == ("Class of “film”", "noun")


def test_of_few_classes_all_are_drawn_and_the_least_sure_token_is_told() -> None:
    labels_of = ("a", "b")
    shares = torch.tensor([[0.9, 0.1], [0.4, 0.6]])
    view = TokenClasses([1, 2], ["one", "two"], shares, labels_of)
    assert view.drawn == [0, 1]
    assert "Least sure: :gray-background[**two** :small[2]], b with 60%" in view.sentence()


def test_of_many_classes_the_likeliest_are_drawn_and_those_unlike_most_are_told() -> None:
    names = [f"class {number}" for number in range(40)]
    shares = torch.full((5, 40), 0.001)
    shares[:, 7] = 0.95
    shares[3, 30], shares[3, 7] = 0.9, 0.05
    view = TokenClasses([1, 2, 3, 4, 5], list("vwxyz"), shares, names)
    assert len(view.drawn) == 8
    assert {7, 30} <= set(view.drawn)
    assert "Most tokens: **class 7**. Others: :gray-background[**y** :small[4]], class 30 with " in view.sentence()
    table = view.table(view.drawn)
    assert list(table["taken for"]) == ["class 7"] * 3 + ["class 30", "class 7"]
    assert table.shape == (5, 10)
    assert view.table().shape == (5, 42)


def test_classify_asks_for_the_chosen_token() -> None:
    view = Classes(make_run(tagger(), TEXT, labels.KEEP), 2)
    assert view.told() == {of_classes.OF_TOKEN: "verb"}
    assert "The sentence" not in shown.said(view)
    assert shown.tables(view)[0]["taken for"].tolist() == ["pronoun", "verb", "determiner", "noun"]
