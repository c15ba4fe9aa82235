"""The routes of information as a view: its edges are those of the library, and a dropped one is not run."""

from __future__ import annotations

from dataclasses import replace

import pytest
import torch

from model import load
from model.analysis.flow_routes import flow_routes, keep_for_routes
from model.edits.edges import DropEdge
from tests.views import asked, shown
from tests.views.asked import CLASS_TEXT, TEXT, question
from views.models.why.dropped_edges import LOST
from views.models.why.routes import Routes, Searched
from views.parts import Chart

EDGE = "decoder.1.self_attn.2@0>2"


@pytest.mark.parametrize(("name", "text", "position"), [("tiny-lm", TEXT, -1), ("tiny-encoder", CLASS_TEXT, 0)])
def test_the_table_has_the_edges_of_the_library(name: str, text: str, position: int) -> None:
    model = load(name)
    routes = flow_routes(model, model.trace(text, keep=keep_for_routes(model.config)), position, least=0.04)
    edges, opened = shown.tables(asked.flow(question(name, text)))
    assert set(edges["name"]) == set(routes.names)
    shares = dict(zip(routes.names, routes.importance.tolist(), strict=True))
    assert edges["importance"].tolist() == pytest.approx([shares[name] for name in edges["name"]], abs=1e-5)
    assert edges["importance"].is_monotonic_decreasing
    assert float(opened["importance"].sum()) == pytest.approx(1, abs=1e-5)


def test_a_dropped_edge_changes_the_answer() -> None:
    view, model = asked.flow(question(), opened=EDGE, dropped=(EDGE,)), load("tiny-lm")
    logits = model.trace(TEXT, keep="logits", edits=[DropEdge.parse(EDGE)]).logits[-1]
    whole = model.trace(TEXT, keep="logits").logits[-1]
    assert not torch.equal(logits, whole)
    assert view.dropped is not None
    rows, ids = shown.tables(view)[-1], view.dropped.ids
    assert rows["without the dropped"].tolist() == pytest.approx(logits.softmax(-1)[ids].tolist(), abs=1e-5)
    assert rows["all edges"].tolist() == pytest.approx(whole.softmax(-1)[ids].tolist(), abs=1e-5)
    assert view.told()[LOST] == pytest.approx(rows["all edges"].iloc[0] - rows["without the dropped"].iloc[0], abs=1e-5)
    assert "Dropped edges are dotted" in shown.said(view)


def test_a_dropped_edge_changes_the_class() -> None:
    edge, model = "encoder.1.ffn@0", load("tiny-encoder")
    view = asked.flow(question("tiny-encoder", CLASS_TEXT), dropped=(edge,))
    made = model.trace(CLASS_TEXT, edits=[DropEdge.parse(edge)])["text_logits"].softmax(-1)
    found = shown.tables(view)[-1].set_index("token")["without the dropped"].to_dict()
    assert found == pytest.approx(dict(zip(model.config.text_labels, made.tolist(), strict=True)), abs=1e-5)


def test_a_translator_has_edges_from_its_source() -> None:
    asks = question("en-ur", "The weather is cool")
    names = list(shown.tables(asked.flow(asks))[0]["name"])
    crossing = next(name for name in names if ".cross_attn." in name and ">" in name)
    assert "goes from" in shown.said(asked.flow(asks, dropped=(crossing,)))


def test_a_higher_threshold_leaves_fewer_edges() -> None:
    asks = question()
    many, few = (len(shown.tables(asked.flow(asks, least))[0]) for least in (0.04, 0.3))
    assert few < many


def test_a_pick_opens_an_edge_or_a_node() -> None:
    chart = next(each for each in shown.parts(asked.flow(question())) if isinstance(each, Chart))
    assert chart.pick is not None
    assert chart.pick({"customdata": EDGE}) == {"why_route_opened": EDGE}
    assert chart.pick({"customdata": [EDGE]}) == {"why_route_opened": EDGE}
    assert chart.pick({"x": 1}) == {}


def test_the_importance_of_the_opened_edge_is_worked_out() -> None:
    view = asked.flow(question())
    assert view.opened is not None
    assert view.map is not None
    share = view.opened.shares[view.map.opened]
    assert shown.ends(shown.equations(view)[-1], share)


def test_before_a_long_text_is_searched_it_says_what_that_takes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("views.shared.long_text.MOST_TOKENS", 3)
    asks = question()
    nothing = Routes(asks, Searched(0, 8, 1.0), 0.04, None, None)
    for depth in ("Picture", "Numbers", "Formula"):
        assert "are looked for when you ask for it" in shown.said(nothing, depth)
    half = replace(asked.flow(asks), searched=Searched(2, 8, 0.04))
    assert "the search came down to 2 of 8 sublayers" in shown.said(half)
    weak = replace(asked.flow(asks), searched=Searched(8, 8, 0.04), wanted=0.02)
    assert "Edges of at least 4% were looked for" in shown.said(weak).replace("4.0%", "4%")
