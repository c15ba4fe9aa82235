"""The account of a score as Heads shows it: numbers that sum to the score, and ways to the heads behind it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from model import Model
from model.analysis.score_account import account_of_score
from tests.conftest import loaded
from tests.views.heads import head_of, programs
from tests.views.shown import charts, equations, files, messages, said, tables
from views.attention.query_key import NO_PAIR
from views.attention.why_there import ALONE, BEST_AT_KEY, OTHERS, OVER_MEAN, WhyThere, keep
from views.head_of_run import HeadOfRun
from views.run import Run, make_run

TEXT = "the dog sees the cat. the dog"
PATH, QUERY, KEY = "decoder.2.self_attn", 8, 3


def head(query: int = QUERY, key: int = KEY) -> HeadOfRun:
    return head_of(loaded("tiny-lm"), TEXT, PATH, 1, query, key, keep=keep)


def test_the_numbers_are_those_of_the_library() -> None:
    view = WhyThere(head())
    account = account_of_score(loaded("tiny-lm").trace(TEXT), "decoder.self_attn", 2, 1, QUERY, KEY, against="mean")
    (table,) = tables(view)
    assert {len(table[table.side == side]) for side in ("query", "key")} == set(map(len, account.parts))
    for side in ("query", "key"):
        rows = table[table.side == side].set_index("name")
        assert rows.gives.to_dict() == pytest.approx(account.margin(side), abs=1e-4)  # type: ignore[arg-type]
    assert np.isclose(table.gives.sum(), 2 * account.value, atol=1e-4), "each side sums to the score"
    pairs = charts(view)[-1].data[0].z
    assert pairs.shape == (9, 9)
    assert pairs.sum() == pytest.approx(account.value, abs=1e-4), "the last row and column have all others"
    assert files(view).popitem()[1].arrays()["pairs"].sum() == pytest.approx(account.value, abs=1e-4)  # type: ignore[misc]


def test_the_bars_of_a_side_sum_to_the_score() -> None:
    for query, key in ((QUERY, KEY), (5, 5)):
        view = WhyThere(head(query, key), ALONE)
        score = float(view.head.scores[query, key])
        for figure in charts(view)[:2]:
            assert sum(figure.data[0].x) == pytest.approx(score, abs=1e-4)


def test_a_click_on_a_head_asks_the_same_of_it() -> None:
    view = WhyThere(head())
    assert view.open_head("key", "decoder.1.self_attn.heads.2") == {
        "attention": "decoder.self_attn", "layer": 1, "head": 2, "query": KEY, "key": -1,
    }  # fmt: skip
    assert view.open_head("query", "decoder.0.self_attn.heads.3")["query"] == QUERY
    assert view.open_head("key", "decoder.0.ffn") == {}
    names = list(view.largest("key"))
    assert view._pick_part("key", names, {"y": len(names)}) == {}, f"{OTHERS} are no head"
    assert view._pick_pair({"x": 0}) == view.open_head("key", names[0])


def test_what_is_said_agrees_with_the_numbers() -> None:
    view = WhyThere(head())
    (table,) = tables(view)
    best = table[table.side == "key"].sort_values("gives").iloc[-1]
    assert view.told() == {BEST_AT_KEY: best.part}
    assert f"{best.part} speaks most for it" in said(view)
    assert "over the mean of the 9 keys" in said(view)
    assert "over that of" in said(WhyThere(head(), 1))
    assert equations(view)
    assert "account_of_score(trace" in programs(view.code())[0]


def test_where_there_is_no_score_it_says_why() -> None:
    model = loaded("tiny-lm")
    assert ("info", NO_PAIR) in messages(WhyThere(head_of(model, TEXT, PATH, 1)))
    hidden = WhyThere(head(2, 5))
    assert "comes after" in messages(hidden)[0][1]
    assert hidden.told() == {}
    assert "comes after" in messages(hidden, "Formula")[0][1]
    assert WhyThere(head(2, 1), 5).over is None, "a key that the query may not see is nothing to compare with"
    assert WhyThere(head(0, 0)).over is None, "one key alone is its own mean"


def test_of_a_run_on_demand_the_score_stands_alone() -> None:
    """Its layers would be made again for every few keys."""
    model = loaded("tiny-lm")
    trace = model.trace_on_demand(TEXT)
    made = make_run(model, TEXT, keep)
    run = Run(made.spec, model, trace, TEXT)
    view = WhyThere(HeadOfRun(run, head().at, 1, QUERY, KEY), OVER_MEAN)
    assert view.account.against is None
    assert view.account.difference < 1e-4


@pytest.mark.slow
def test_an_induction_head_reads_a_head_that_looks_one_token_back(smollm2: Model) -> None:
    text = "The zorblat fell. Then the zor"
    view = WhyThere(head_of(smollm2, text, "decoder.18.self_attn", 6, 10, 3, keep=keep))
    assert view.told() == {BEST_AT_KEY: "layer 16, head 0"}
    assert view.without["key"]["decoder.16.self_attn.heads.0"] < 0.1
    earlier = head_of(smollm2, text, "decoder.16.self_attn", 0, 3, 2)
    assert int(earlier.weights[3].argmax()) == 2


def test_a_long_text_has_no_mean_and_the_page_says_why() -> None:
    """The tensors of a long text are made when they are looked at."""
    usual = head()
    view = WhyThere(replace(usual, run=replace(usual.run, trace=loaded("tiny-lm").trace_on_demand(TEXT))))
    assert view.over is None
    assert "takes long. Choose one key to compare with" in view.sentence()
    assert "takes long" not in replace(view, against=2).sentence()
    assert replace(view, against=2).over == 2
