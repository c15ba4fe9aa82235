"""Averages over pairs of prompts as a view: its numbers are those of the library, and a pick opens a pair."""

from __future__ import annotations

from dataclasses import replace

import pytest

from model.experiments.prompt_pairs import EXAMPLE_PAIRS, PromptPair, mean_account, mean_patching
from tests.conftest import loaded
from tests.views import shown
from views.models.why.averaged_pairs import MOST_ON_AVERAGE, AveragedPairs, average_pairs
from views.models.why.pair_numbers import ACCOUNT, SITES
from views.parts import Chart
from views.run import make_run
from viz.models.why import part_title

PAIRS = EXAMPLE_PAIRS["names in a small world"]
ODD = PromptPair("the dog", "the big dog", "sees", "[runs](x)")


def made(averaged: str = "heads", pairs: tuple[PromptPair, ...] = PAIRS, **how: object) -> AveragedPairs:
    run = make_run(loaded("tiny-lm"), "the dog", AveragedPairs.needs)
    return average_pairs(run, pairs, averaged, **how)  # type: ignore[arg-type]


def chart(view: AveragedPairs, key: str) -> Chart:
    return next(each for each in shown.parts(view) if isinstance(each, Chart) and each.key == key)


def test_the_shares_are_those_of_the_library() -> None:
    view = made("values")
    found = mean_patching(loaded("tiny-lm"), PAIRS, SITES["values"])
    (table,) = shown.tables(view)
    assert table["mean"].tolist() == pytest.approx(found.mean.flatten().tolist(), abs=1e-4)
    assert table["spread"].tolist() == pytest.approx(found.spread.flatten().tolist(), abs=1e-4)
    assert table["pair 2"].tolist() == pytest.approx(found.each[1].flatten().tolist(), abs=1e-4)


def test_the_parts_are_those_of_the_mean_account() -> None:
    view = made(ACCOUNT)
    found = mean_account(loaded("tiny-lm"), PAIRS)
    gives = dict(zip(map(part_title, found.parts), found.gives.mean.tolist(), strict=True))
    (table,) = shown.tables(view)
    rows = dict(zip(table["part"], table["mean"], strict=True))
    assert rows["layer 2, head 2"] == pytest.approx(gives["layer 2, head 2"], abs=1e-4)
    assert sum(rows.values()) == pytest.approx(sum(gives.values()), abs=1e-3)
    assert f"Most is given by {max(gives, key=gives.__getitem__)}" in shown.said(view)
    assert not view.told()


def test_what_brings_most_back_is_told_with_its_spread() -> None:
    view = made()
    each = view.over.each[:, 2, 2]
    assert view.told() == {MOST_ON_AVERAGE: "layer 2, head 2"}
    assert f"between {each.min():.0%} and {each.max():.0%}" in shown.said(view)
    assert shown.equations(view)
    bars = chart(view, "why each pair").draw().data[0]
    assert list(bars.x) == pytest.approx(each.tolist())


def test_a_pick_chooses_a_cell_and_a_pick_of_a_bar_opens_its_pair() -> None:
    view = made()
    pick, opens = chart(view, "why averaged").pick, chart(view, "why each pair").pick
    assert pick is not None
    assert opens is not None
    assert pick({"x": 3, "y": 1}) == {"why_mean_cell": (1, 3)}
    chosen = replace(view, cell=(1, 3))
    assert "**Layer 1, head 3, in each pair**" in shown.said(chosen)
    keys = opens({"x": 0.2, "y": 1})
    assert (keys["text"], keys["why_text2"]) == (PAIRS[1].clean, PAIRS[1].changed)
    assert (keys["why_answer"], keys["why_against"]) == PAIRS[1].tokens(loaded("tiny-lm"))
    assert (keys["why_over"], keys["why_site"], keys["why_cell"]) == ("one pair", "decoder.self_attn.heads", (2, 2))
    of_account = chart(made(ACCOUNT), "why each pair").pick
    assert of_account is not None
    assert of_account({"x": 0.2, "y": 0})["why_opened"] == "decoder.2.ffn"


def test_a_pair_that_does_not_fit_is_left_out_and_named() -> None:
    view = made(pairs=(ODD, *PAIRS))
    ((kind, said),) = shown.messages(view)
    assert kind == "warning"
    assert "Pair 1: “\\[runs\\]\\(x\\)” is several tokens" in said
    assert list(shown.tables(view)[0].columns) == ["part", "mean", "spread", "pair 2", "pair 3"]
    none = made(pairs=(ODD,))
    assert len(shown.messages(none)) == 1
    assert not shown.tables(none)
    assert shown.messages(made(pairs=()))[0][0] == "info"


def test_estimates_and_a_part_of_the_pairs_are_said() -> None:
    estimated = made(is_estimated=True)
    assert "These are estimates" in shown.said(estimated)
    half = made(places=(1,))
    assert "**Partial**: 1 of 2 pairs are measured" in shown.said(half)
    assert half.made_by().named == {"places": (1,)}
    assert made().made_by().named == {}


def test_an_empty_cell_of_the_account_is_none_that_can_be_chosen() -> None:
    view = replace(made(ACCOUNT), cell=(0, 0))
    assert view.chosen == view.largest
