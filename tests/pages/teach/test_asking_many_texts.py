"""Asking a class which rule fits a head: the answer is that of the reading."""

from __future__ import annotations

from random import Random

import pytest

from model import load
from model.numerals import percent
from model.questions import NoQuestion
from pages.attention.heads_parts import readings
from pages.teach.questions import View, draw
from pages.teach.questions.many_texts import draw_rule
from tests.pages.teach.test_asking import TINY, URDU, pose, right, value
from views.attention.many_texts.texts import built_in, read_texts

AT = {"heads_kinds": "repetition", "layer": 2, "head": 2}


def test_the_rule_that_fits_best_is_that_of_the_reading() -> None:
    reading = read_texts(load("tiny-lm"), built_in("small world", "repetition"))
    best = reading.best_rule(2, 2)
    asked = pose("rule", "heads", **AT)
    assert right(asked) == f"It looks {best.rule.words}"
    assert value(asked) == pytest.approx(best.above_chance)
    assert asked.text == "Which rule fits layer 2, head 2 best, over 35 texts?"
    assert f"explains {percent(best.share_beyond)} of the head's weight" in asked.explanation
    assert len(asked.choices) == 4


def test_there_is_no_question_where_no_rule_fits_or_nothing_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(NoQuestion, match="self-attention"):
        pose("rule", "heads", **URDU, attention="decoder.cross_attn")
    with pytest.raises(NoQuestion, match="have no kind “nonsense”"):
        pose("rule", "heads", heads_kinds="nonsense")
    with pytest.raises(NoQuestion, match="than chance does"):
        pose("rule", "heads", heads_kinds="facts", layer=3, head=2)
    monkeypatch.setattr(readings, "QUICK_SECONDS", -1.0)
    with pytest.raises(NoQuestion, match="not read yet"):
        pose("rule", "heads", heads_kinds="bank, closing")


def test_practise_shows_the_answer_in_the_view_of_the_rule() -> None:
    view = draw_rule(View("heads", TINY), Random(1))
    assert (view["heads_view"], view["heads_many"], view["attention"]) == ("Many texts", "Rule", "decoder.self_attn")
    asked, shown = draw("rule", View("heads", TINY), 3)
    assert f"layer {shown['layer']}, head {shown['head']}" in asked.text
