"""Two models side by side in a notebook: a hand chooses on both, and what cannot stand beside each other is refused."""

from __future__ import annotations

import pytest

from glassformer import load, views
from model import GlassformerError

TEXT = "The dog is hungry"


def test_a_choice_of_the_first_is_one_of_both() -> None:
    first, second = (views.heads.Lines(load(name).trace(TEXT), layer=1) for name in ("tiny-lm", "tiny-lm@300"))
    both = views.Beside(first, second)
    assert both.view().first.minus(both.view().second) is not None
    both.choose({"query": 3, "head": 2, "heads_least": 0.1})
    assert [(side.query, side.head, side.least) for side in (first, second)] == [(3, 2, 0.1)] * 2
    assert set(both._repr_mimebundle_()) >= {"text/plain", "text/html"}


def test_another_tokenizer_takes_the_same_characters() -> None:
    first = views.heads.Lines(load("tiny-lm").trace(TEXT), layer=1)
    second = views.heads.Lines(load("tiny-encoder").trace(TEXT), layer=0)
    views.Beside(first, second).choose({"query": 1, "layer": 3, "head": 3})
    assert (first.query, first.layer) == (1, 3)
    assert (second.query, second.layer) == (2, 0), "its first token is of no word, and it has fewer layers"


def test_two_other_views_are_refused() -> None:
    run = load("tiny-lm").trace(TEXT)
    with pytest.raises(GlassformerError, match="the same view of two runs"):
        views.Beside(views.heads.Lines(run), views.heads.Matrix(run))
