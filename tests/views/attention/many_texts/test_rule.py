"""A rule on many texts: what is shown of it, and what is said where there is nothing to show."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from model import load, survey
from model.analysis.head_steps import Attention
from model.surveys.reading import Reading
from model.surveys.rule_text import read_rule
from model.surveys.rules import AfterSame, First, Itself, Marked, Nearest, Previous, Rule, SameEarlier
from model.texts.marks import read_marked
from views.attention.many_texts.rule import BEST_HEAD, EXPLAINED, RuleOnTexts
from views.attention.many_texts.texts import built_in
from views.call import Call
from views.head_of_run import HeadOfRun, keep
from views.parts import Action, Chart, Controls, OtherPage
from views.run import make_run
from views.view import DEPTHS
from viz.documents.page_parts import Equation, Group, Text
from viz.shared.style import percent

LAYER, HEAD = 2, 0


@pytest.fixture(scope="module")
def reading() -> Reading:
    return survey(load("tiny-lm"), built_in("small world", "repetition"), keep=False)


@pytest.fixture(scope="module")
def head() -> HeadOfRun:
    run = make_run(load("tiny-lm"), "the dog sees the cat", keep)
    return HeadOfRun(run, Attention("decoder", LAYER, "self_attn"), HEAD)


def parts_of(view: RuleOnTexts, depth: str) -> list[object]:
    found: list[object] = []

    def walk(part: object) -> None:
        if isinstance(part, Group):
            for each in part.parts:
                walk(each)
        else:
            found.append(part)

    walk(Group(view.at(depth)))  # type: ignore[arg-type]
    return found


def words(view: RuleOnTexts, depth: str = "Picture") -> str:
    return " ".join(part.text for part in parts_of(view, depth) if isinstance(part, Text))


def test_the_bars_are_those_of_the_score(head: HeadOfRun, reading: Reading) -> None:
    view = RuleOnTexts(head, reading, AfterSame())
    score, ranked = reading.score(AfterSame(), LAYER, HEAD), reading.ranked(AfterSame())
    bars = next(part for part in parts_of(view, "Picture") if isinstance(part, Chart) and part.key == "heads rule bars")
    shares = [list(trace.x) for trace in bars.draw().data]
    assert shares[0] == [score.share_beyond, ranked[0].share_beyond, score.chance_beyond]
    assert shares[1] == [score.share_asked, max(each.share_asked for each in ranked), score.chance_asked]
    assert shares[3][0] == score.hits
    assert view.told() == {EXPLAINED: score.share_beyond, BEST_HEAD: f"layer {ranked[0].layer}, head {ranked[0].head}"}
    said = words(view)
    assert "**Layer 2, head 0** looks **at the token after the last time this token came**." in said
    assert f"The rule explains **{percent(score.share_beyond)}** of the weight" in said
    assert f"What is the other {percent(1 - score.share_beyond)}? Try another rule." in said
    assert f"{score.asked:,} of {view.queries:,} queries" in said


def test_the_best_head_has_one_bar_less(reading: Reading, head: HeadOfRun) -> None:
    best = reading.ranked(SameEarlier())[0]
    chosen = HeadOfRun(head.run, Attention("decoder", best.layer, "self_attn"), best.head)
    view = RuleOnTexts(chosen, reading, SameEarlier())
    assert len(view.picture().parts[0].parts[0].draw().data[0].x) == 2
    assert "No other of the 16 heads follows it so closely." in words(view)


def test_a_head_is_chosen_in_the_map_and_in_the_table(head: HeadOfRun, reading: Reading) -> None:
    view = RuleOnTexts(head, reading, Previous())
    chart = next(part for part in parts_of(view, "Picture") if isinstance(part, Chart) and part.key == "heads rule map")
    assert chart.pick is not None
    assert chart.pick({"x": 3, "y": 1}) == {"layer": 1, "head": 3, "heads_shown": ()}
    table, best = view.table(), reading.ranked(Previous())[0]
    assert table.pick is not None
    assert table.pick(0) == {"layer": best.layer, "head": best.head, "heads_shown": ()}
    rows = table.make()
    assert rows["beyond the first token"].tolist() == [each.share_beyond for each in reading.ranked(Previous())]


def test_a_text_where_it_fails_becomes_the_sentence(head: HeadOfRun, reading: Reading) -> None:
    view = RuleOnTexts(head, reading, Previous())
    table = view.picture_parts()[3].parts[-1]
    texts = reading.score(Previous(), LAYER, HEAD).failures
    assert table.make()["text"].tolist() == [text.content for text in texts]
    opened = table.pick(1)
    assert isinstance(opened, OtherPage)
    assert opened.keys["text"] == texts[1].content
    assert (opened.keys["heads_view"], opened.keys["layer"], opened.keys["head"]) == ("Lines", LAYER, HEAD)


def test_the_best_rule_can_be_taken(head: HeadOfRun, reading: Reading) -> None:
    best = reading.best_rule(LAYER, HEAD)
    other = next(rule for rule in reading.rules if rule != best.rule)
    (taken,) = (part for part in parts_of(RuleOnTexts(head, reading, other), "Picture") if isinstance(part, Action))
    assert read_rule(taken.keys["heads_rule"]) == best.rule
    view = RuleOnTexts(head, reading, best.rule)
    assert not any(isinstance(part, Action) for part in parts_of(view, "Picture"))
    assert "this one explains most of this head above chance" in words(view)


def test_the_formula_has_the_numbers(head: HeadOfRun, reading: Reading) -> None:
    view = RuleOnTexts(head, reading, AfterSame())
    score = reading.score(AfterSame(), LAYER, HEAD)
    equations = [part.latex for part in parts_of(view, "Formula") if isinstance(part, Equation)]
    assert f"{score.hits:.3f}" in equations[-1]
    assert f"{{{score.asked}}}" in equations[-1]
    assert "Olsson et al." in words(view, "Formula")


def test_a_rule_of_the_first_token_alone_is_compared_by_all_weight(head: HeadOfRun, reading: Reading) -> None:
    view = RuleOnTexts(head, reading, First())
    score = reading.score(First(), LAYER, HEAD)
    assert f"Layer 2, head 0 has **{percent(score.share)}** of all its weight on the first token" in words(view)
    assert reading.ranked(First())[0].share == view._map(lambda each: each.share).max()


def test_a_rule_that_chance_explains_as_well_is_no_rule_of_the_head(head: HeadOfRun, reading: Reading) -> None:
    low = min(
        (each for rule in (Previous(), Itself()) for each in reading.ranked(rule)), key=lambda each: each.above_chance
    )
    chosen = HeadOfRun(head.run, Attention("decoder", low.layer, "self_attn"), low.head)
    assert "That is no sign of the rule." in words(RuleOnTexts(chosen, reading, low.rule))


UNTESTED = Nearest(any_of=("dog",)) | First()


@pytest.mark.parametrize("depth", DEPTHS)
def test_a_rule_that_was_not_tested_says_how_long_that_takes(head: HeadOfRun, reading: Reading, depth: str) -> None:
    view = RuleOnTexts(head, reading, UNTESTED)
    assert view.told() == {}
    if depth != "Code":
        assert "This rule is not tested yet." in words(view, depth)
        assert "That takes a few seconds." in words(view, depth)
    if depth in ("Picture", "Numbers"):
        assert Controls("try rule") in parts_of(view, depth)


@pytest.mark.parametrize(
    ("rule", "said"), [(Nearest(any_of=("zebra",)), "No text has a place"), (Marked(), "words between [[ and ]]")]
)
def test_a_rule_that_never_predicts_a_key_says_so(head: HeadOfRun, rule: Rule, said: str) -> None:
    reading = survey(load("tiny-lm"), ["the dog sees the cat"], rules=[rule], keep=False)
    assert said in words(RuleOnTexts(head, reading, rule))


def test_a_rule_is_tested_once_all_texts_are_read(head: HeadOfRun, reading: Reading) -> None:
    part = replace(reading, read=reading.read & (np.arange(len(reading.read)) > 0))
    assert "once all texts are read" in words(RuleOnTexts(head, part, UNTESTED))


def test_cross_attention_has_no_rules() -> None:
    model = load("en-ur")
    run = make_run(model, "The girl reads the book", keep)
    reading = survey(model, ["The dog is here"], rules=[Previous()], keep=False)
    head = HeadOfRun(run, Attention("decoder", 0, "cross_attn"), 0)
    assert "choose a self-attention" in words(RuleOnTexts(head, reading, Previous()))


def test_marked_words_are_looked_at_and_written_into_a_notebook(head: HeadOfRun) -> None:
    texts = read_marked(["the [[dog]] sees the cat", "a [[cat]] is here"])
    view = RuleOnTexts(head, survey(load("tiny-lm"), texts, rules=[Marked()], keep=False), Marked())
    assert "looks **at the words that are marked**" in words(view)
    assert view.score.asked == 3 + 2
    assert made(view.made_by()) == view


def made(value: Any) -> Any:
    """What a call makes."""
    if not isinstance(value, Call):
        return value
    return value.function(*map(made, value.arguments), **{name: made(each) for name, each in value.named.items()})
