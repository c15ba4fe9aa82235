"""How much a rule explains of weights that were made by hand, where the right share is known."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
import torch

from model.surveys.rule_tally import Predictions, RuleTally
from model.surveys.rules import First, Itself, Nearest, Previous, Rule, SameEarlier
from model.surveys.scores import RuleScore, score_of
from model.surveys.sight import Sight
from model.texts.collection import Collection, Text
from model.tokens.tokenizer import Token

SENTENCES = ("a b a", "b c a b")
TEXTS = Collection("two", tuple(Text(text, line) for line, text in enumerate(SENTENCES, start=1)))
TOKENS = [tuple(Token("abc".index(word), word, word.encode()) for word in text.split()) for text in SENTENCES]
# (texts, queries, keys) of one head. The padding of the first text has weights too, which no sum may count.
WEIGHTS = torch.tensor(
    [
        [[1, 0, 0, 0], [0.5, 0.5, 0, 0], [0.8, 0.1, 0.1, 0], [0.3, 0.3, 0.4, 0]],
        [[1, 0, 0, 0], [0.25, 0.75, 0, 0], [0.5, 0.4, 0.1, 0], [0.2, 0.5, 0.2, 0.1]],
    ]
)


def scores(rules: Sequence[Rule], weights: torch.Tensor = WEIGHTS) -> list[RuleScore]:
    sight = Sight((0, 1), tuple(TOKENS), tuple(TOKENS), is_causal=True)
    tally = RuleTally.none(2, 1, len(rules))
    tally.add(1, weights[:, None], sight, Predictions.of(sight, rules))
    return [score_of(tally, rule, place, 1, 0, TEXTS) for place, rule in enumerate(rules)]


def test_the_shares_of_weight_with_and_without_the_first_token() -> None:
    before, first, itself = scores([Previous(), First(), Itself()])
    # five queries, whose weight beyond the first token is 0.5 + 0.2 + 0.75 + 0.5 + 0.8 = 2.75
    assert before.share == pytest.approx((0.5 + 0.1 + 0.25 + 0.4 + 0.2) / 5)
    assert before.share_beyond == pytest.approx((0.1 + 0.4 + 0.2) / 2.75)
    assert first.share == pytest.approx((0.5 + 0.8 + 0.25 + 0.5 + 0.2) / 5)
    assert first.share_beyond == 0
    assert itself.share_beyond == pytest.approx((0.5 + 0.1 + 0.75 + 0.1 + 0.1) / 2.75)
    assert (before.asked, first.asked, itself.asked) == (5, 5, 5)
    assert (before.share_asked, itself.share_asked) == (before.share_beyond, itself.share_beyond)


def test_the_share_of_the_queries_that_have_a_predicted_key() -> None:
    """Two queries follow a "c". They look at it with 0.4 and 0.5, and beyond the first token with 0.5 and 0.8."""
    (after,) = scores([Nearest(any_of=("c",))])
    assert after.asked == 2
    assert after.share_asked == pytest.approx((0.4 + 0.5) / (0.5 + 0.8))
    assert after.share_beyond == pytest.approx((0.4 + 0.5) / 2.75)


def test_how_often_its_key_is_the_largest() -> None:
    before, first, itself, same = scores([Previous(), First(), Itself(), SameEarlier()])
    # The first token and the query itself count only where they are predicted. The keys of the five queries that are
    # left without them: none, 0.1; none, 0.4, and 0.5 and 0.2.
    assert before.hits == pytest.approx(4 / 5)  # the last query looks at 0.5, and the token before has 0.2
    assert first.hits == pytest.approx(4 / 5)  # 0.2 is less than 0.5
    assert itself.hits == pytest.approx(3 / 5)  # 0.1 is as large as 0.1, and less than 0.4 and 0.5
    assert (same.asked, same.hits) == (2, pytest.approx(1 / 2))  # "a" at the first token, 0.8; "b" too, only 0.2


def test_several_keys_of_one_query_are_explained_together() -> None:
    """The third "a" looks at both others, the last token at another one."""
    tokens = tuple(Token("abc".index(word), word, word.encode()) for word in ["a", "a", "b", "a"])
    sight = Sight((0,), (tokens,), (tokens,), is_causal=True)
    weights = torch.tensor([[[1, 0, 0, 0], [0.9, 0.1, 0, 0], [1, 0, 0, 0], [0.2, 0.3, 0.1, 0.4]]])
    tally = RuleTally.none(1, 1, 1)
    tally.add(0, weights[:, None], sight, Predictions.of(sight, [SameEarlier()]))
    score = score_of(tally, SameEarlier(), 0, 0, 0, TEXTS)
    assert (score.asked, score.hits) == (2, 1)
    assert score.share == pytest.approx((0.9 + 0.2 + 0.3) / 3)
    assert score.share_beyond == pytest.approx(0.3 / (0.1 + 0.8))
    assert score.share_asked == pytest.approx(0.3 / (0.1 + 0.8)), "“b” is not asked, and looks at the first alone"
    assert score.chance == pytest.approx((1 / 2 + 2 / 4) / 3)
    assert score.chance_hits == pytest.approx((1 + 2 / 3) / 2)


def test_chance_is_the_score_of_a_head_that_looks_everywhere_alike() -> None:
    rules = [Previous(), First(), Itself(), SameEarlier(), Nearest(any_of=("c",))]
    even = torch.ones(4, 4).tril()
    even = (even / even.sum(-1, keepdim=True)).expand(2, 4, 4)
    for score in scores(rules, even):
        assert score.chance == pytest.approx(score.share)
        assert score.chance_beyond == pytest.approx(score.share_beyond)
        assert score.above_chance == pytest.approx(0, abs=1e-6)
        assert score.chance_asked == pytest.approx(score.share_asked)
    before, first, *_ = scores(rules)
    assert first.chance_hits == pytest.approx((1 + 1 / 2 + 1 + 1 / 2 + 1 / 3) / 5)
    assert before.chance_hits == pytest.approx((1 + 1 + 1 + 1 + 1 / 2) / 5)


def test_a_head_that_follows_a_rule_is_explained_by_it() -> None:
    follows = torch.zeros(2, 4, 4)
    follows[:, 0, 0] = 1
    for row in range(1, 4):
        follows[:, row, row - 1] = 1
    before, itself = scores([Previous(), Itself()], follows)
    assert (before.share, before.share_beyond, before.hits) == (1, 1, 1)
    assert (itself.share, itself.hits) == (0, 0)


def test_it_fails_most_where_most_weight_is_left() -> None:
    before, itself = scores([Previous(), Itself()])
    # left of a query beyond the first token: (0.5 + 0.2 - 0.1) / 2 and (0.75 + 0.5 + 0.8 - 0.6) / 3
    assert before.failures == (TEXTS.texts[1], TEXTS.texts[0])
    assert itself.failures == (TEXTS.texts[1], TEXTS.texts[0])
    turned = scores([Previous()], WEIGHTS.flip(0))[0]  # (0.75 + 0.5 - 0.4) / 2 and (0.5 + 0.2 - 0.1 + 0.7 - 0.4) / 3
    assert turned.failures == TEXTS.texts


def test_a_score_is_a_sentence() -> None:
    said = str(scores([Previous()])[0])
    assert said.startswith("Layer 1, head 0: “Looks at the token before.” explains 25% of its weight beyond")
    assert said.endswith("its key is the largest in 80% of 5 queries.")
