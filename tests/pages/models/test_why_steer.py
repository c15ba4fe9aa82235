"""The part Steer of Why this word: its factors are edits of the library, in every run of the reader's model."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from model import load
from model.edits.parts import scale
from model.edits.text import parse
from pages.shared.model_runs.edited_parts import MAX_EDITS
from pages.shared.model_runs.traces import RunsOfSession
from tests.pages.conftest import components, go, messages, run_page, session_of

TEXT = "the dog sees the cat"


def visit(**state: object) -> AppTest:
    return run_page("models/why.py", **{"model": "tiny-lm", "text": TEXT, "why_part": "steer"} | state)


def edits(app: AppTest) -> list[str]:
    return [f"{each['title']} {each['how']}" for each in components(app)["run_bar"][0]["edits"]]


@pytest.mark.slow
def test_the_slider_scales_the_part_and_one_takes_it_back() -> None:
    app = visit(why_steered="decoder.1.self_attn.2", depth="Numbers")
    assert app.slider(key="why factor").value == 1.0
    assert list(app.dataframe[0].value.columns) == ["token", "the whole model"]
    app.slider(key="why factor").set_value(-1.0).run()
    assert not app.exception
    assert app.session_state["edits"] == "decoder.1.self_attn.2*-1"
    assert edits(app) == ["Layer 1, head 2 × −1"]
    table = app.dataframe[0].value.set_index("token")
    model = load("tiny-lm")
    scaled = model.trace(TEXT, edits=[scale("decoder.1.self_attn.heads.2", -1.0)]).logits[-1].softmax(-1)
    whole = model.trace(TEXT).logits[-1].softmax(-1)
    ids = {token.text: token.id for token in model.tokenizer.tokens(range(len(whole)))}
    for name, row in table.iterrows():
        id = ids.get(f" {name}", ids.get(str(name)))
        assert row["edited"] == pytest.approx(float(scaled[id]), abs=1e-5)
        assert row["the whole model"] == pytest.approx(float(whole[id]), abs=1e-5)
    app.slider(key="why factor").set_value(1.0).run()
    assert edits(app) == []


def test_both_models_write() -> None:
    app = visit(edits="decoder.3.ffn*-2", why_steered="decoder.3.ffn")
    said = [each.value for each in app.markdown]
    whole, edited = (said[said.index(f"**The {name} writes**") + 1] for name in ("whole model", "edited one"))
    assert whole != edited
    assert TEXT in whole
    assert TEXT in edited


def test_another_kind_of_part_takes_the_layer_along() -> None:
    app = visit(why_steered="decoder.2.self_attn.3")
    app.selectbox(key="why kind").set_value("decoder.neuron").run()
    assert app.session_state["why_steered"] == "decoder.2.ffn.3"
    app.number_input(key="why index").set_value(40).run()
    app.selectbox(key="why kind").set_value("decoder.self_attn").run()
    assert app.session_state["why_steered"] == "decoder.2.self_attn.3"
    app.selectbox(key="why kind").set_value("decoder.ffn").run()
    assert app.session_state["why_steered"] == "decoder.2.ffn"
    assert not app.exception


def test_the_other_pages_show_the_edited_run() -> None:
    app = visit(edits="decoder.1.ffn*2")
    go(app, "block")
    assert not messages(app)
    assert edits(app) == ["Layer 1, feed-forward × 2"]
    assert session_of(app, RunsOfSession).last_good.edits == parse("decoder.1.ffn*2")


def test_no_more_parts_than_the_bar_can_list() -> None:
    many = ",".join(f"decoder.{layer}.self_attn.{head}*2" for layer in range(4) for head in range(2))
    assert many.count(",") + 1 == MAX_EDITS
    app = visit(edits=many, why_steered="decoder.3.ffn")
    assert app.slider(key="why factor").disabled
    assert not visit(edits=many, why_steered="decoder.0.self_attn.0").slider(key="why factor").disabled


@pytest.mark.parametrize("part", ["decoder.99.ffn", "<b>", "encoder.0.ffn", "decoder.0.ffn,decoder.1.ffn"])
def test_a_part_that_is_not_there_gives_way_to_the_last_feed_forward(part: str) -> None:
    app = visit(why_steered=part)
    assert not app.exception
    assert app.selectbox(key="why kind").value == "decoder.ffn"
    assert app.number_input(key="why layer").value == 3
