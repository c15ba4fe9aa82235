"""The part Paths of Why this word: its edges are those of the library, and dropping one runs the model without it."""

from __future__ import annotations

import pytest
import torch
from streamlit.testing.v1 import AppTest

from model import load
from model.edits.edges import DropEdge
from pages.shared.session.last_made import LastMade
from tests.pages.conftest import messages, run_page, session_of

TEXT = "the dog sees the cat"
EDGE = "decoder.1.self_attn.2@0>2"
TOO_MANY = ",".join(f"decoder.0.self_attn.{head}@0>{query}" for head in range(4) for query in range(3))


def visit(**state: object) -> AppTest:
    return run_page("models/why.py", **{"model": "tiny-lm", "text": TEXT, "why_part": "paths"} | state)


def said(app: AppTest) -> str:
    return " ".join(each.value for each in app.markdown)


def test_the_slider_leaves_fewer_edges() -> None:
    app = visit()
    many = said(app)
    app.slider(key="why_least").set_value(0.3).run()
    assert not app.exception
    assert app.session_state["why_least"] == 0.3
    few = said(app)
    assert "edges lead to the last vector" in few
    assert few != many


def test_the_menu_opens_an_edge() -> None:
    app = visit()
    menu = app.selectbox(key="why route menu")
    other = next(option for option in menu.options if "feed-forward" in option)
    menu.set_value(menu.options[menu.options.index(other)])
    menu.select_index(menu.options.index(other)).run()
    assert not app.exception
    assert ".ffn@" in app.session_state["why_route_opened"]
    assert "feed" in said(app)


def test_a_dropped_edge_changes_the_answer_and_comes_back() -> None:
    app = visit(why_route_opened=EDGE, depth="Numbers")
    app.button(key="why drop").click().run()
    assert not app.exception
    assert app.session_state["why_dropped"] == EDGE
    table = app.dataframe[-1].value.set_index("token")
    model = load("tiny-lm")
    logits = model.trace(TEXT, keep="logits", edits=[DropEdge.parse(EDGE)]).logits[-1].softmax(-1)
    whole = model.trace(TEXT, keep="logits").logits[-1].softmax(-1)
    ids = {token.text: token.id for token in model.tokenizer.tokens(range(len(whole)))}
    for name, row in table.iterrows():
        id = ids.get(f" {name}", ids.get(str(name)))
        assert row["without the dropped"] == pytest.approx(float(logits[id]), abs=1e-5)
        assert row["all edges"] == pytest.approx(float(whole[id]), abs=1e-5)
    assert not torch.equal(logits, whole)
    assert app.button(key="why drop").disabled, "it is dropped already"
    app.multiselect(key="why dropped edges").set_value([]).run()
    assert app.session_state["why_dropped"] == ""


def test_all_come_back_by_one_press() -> None:
    app = visit(why_dropped=f"{EDGE},decoder.0.ffn@1")
    assert app.multiselect(key="why dropped edges").value == ["decoder.0.ffn@1", EDGE]
    app.button(key="why put back").click().run()
    assert app.session_state["why_dropped"] == ""
    assert not app.exception


def test_the_stream_cannot_be_dropped() -> None:
    assert visit(why_route_opened="decoder.1.self_attn.stream@2").button(key="why drop").disabled
    assert visit(why_route_opened="decoder.1.self_attn@2").button(key="why drop").disabled


@pytest.mark.parametrize("opened", ["decoder.9.ffn@1", "decoder.1.self_attn.99@0>2", "decoder.1.ffn@99", "nonsense"])
def test_a_link_to_what_this_run_lacks_says_so(opened: str) -> None:
    app = visit(why_route_opened=opened)
    assert not app.exception
    assert any("opens an edge that this run lacks" in each for each in messages(app))
    assert app.session_state["why_route_opened"] == ""


@pytest.mark.parametrize("names", ["decoder.1.ffn@99", "nonsense", TOO_MANY])
def test_edges_that_cannot_be_dropped_are_told(names: str) -> None:
    app = visit(why_dropped=names)
    assert not app.exception
    assert any("are not dropped" in each for each in messages(app))
    assert len(app.session_state["why_dropped"].split(",")) <= 8


@pytest.mark.slow
def test_a_long_text_finds_weak_edges_when_they_are_asked_for() -> None:
    app = visit(text=" ".join(["the dog sees the cat"] * 10), why_least=0.1)
    before = said(app)
    app.slider(key="why_least").set_value(0.02).run()
    assert not app.exception
    assert said(app) != before
    assert session_of(app, LastMade).by_name["search for routes"][1].least == 0.02
