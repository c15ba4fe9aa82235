"""A rule that a reading has not tested has the same score as in a survey with it."""

from __future__ import annotations

import pytest

from model import load, survey
from model.errors import ModelMismatch
from model.surveys.rules import First, Itself, Nearest, Previous, SameEarlier
from model.surveys.trial import try_rule
from tests.model.networks import small_model
from tests.model.surveys.test_survey import TEXTS, StopAfter, assert_same

KNOWN = (Previous(), First())
RULE = SameEarlier() | Nearest(any_of=("is",)) | First()


def test_it_has_the_scores_of_a_survey_with_the_rule() -> None:
    model = small_model("Llama")
    reading = survey(model, TEXTS, rules=KNOWN, keep=False)
    for rule in (RULE, Itself()):
        reading = reading.with_rule(rule, try_rule(model, reading, rule).rule_tallies)
    at_once = survey(model, TEXTS, rules=(*KNOWN, RULE, Itself()), keep=False)
    assert reading == at_once
    assert_same(reading, at_once, close=1e-6)
    assert [score.failures for score in reading.ranked(RULE)] == [score.failures for score in at_once.ranked(RULE)]


def test_it_can_be_stopped_and_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("model.surveys.rows.BATCH_TOKENS", 10)
    model = small_model("Llama")
    reading = survey(model, TEXTS, rules=KNOWN, keep=False)
    two = StopAfter(2)
    begun = try_rule(model, reading, RULE, stop=two.stop, progress=two.note)
    assert not begun.is_whole
    tried = try_rule(model, reading, RULE, begun=begun)
    assert tried.is_whole
    assert tried.score(RULE, 1, 1) == survey(model, TEXTS, rules=[RULE], keep=False).score(RULE, 1, 1)


def test_it_is_of_the_same_model_and_texts() -> None:
    model = small_model("Llama")
    reading = survey(model, TEXTS, rules=KNOWN, keep=False)
    with pytest.raises(ModelMismatch, match="of another model"):
        try_rule(load("tiny-lm"), reading, RULE)
    with pytest.raises(ModelMismatch, match="Only a part"):
        try_rule(model, survey(model, TEXTS, keep=False, stop=lambda: True), RULE)


def test_heads_that_a_rule_explains_alike_are_in_the_order_of_their_share_of_all() -> None:
    ranked = survey(small_model("Llama"), TEXTS, rules=KNOWN, keep=False).ranked(First())
    assert {score.share_beyond for score in ranked} == {0.0}
    assert [score.share for score in ranked] == sorted((score.share for score in ranked), reverse=True)
