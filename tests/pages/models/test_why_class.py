"""Why this word, for an encoder: the logit of the class of a text, by parts and by tokens."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest
from torch import Tensor

from model import Change, load
from model.analysis.attribution import account_of
from model.analysis.circuits.looked_for import looked_for
from model.analysis.flow_routes import flow_routes, keep_for_routes
from model.analysis.head_steps import Attention
from model.analysis.source_tokens import token_parts
from model.edits.edges import DropEdge
from model.edits.parts import scale
from model.experiments.activation_edits import patch
from model.experiments.surgery import edit_model
from tests.pages.conftest import components, messages, run_page
from views.shared import long_text

TEXT = "The food is not good"


def visit(**state: object) -> AppTest:
    return run_page("models/why.py", **{"model": "tiny-encoder", "text": TEXT, "depth": "Numbers"} | state)


def said(app: AppTest) -> str:
    return "\n".join(each.value for each in (*app.markdown, *app.info))


def test_the_parts_sum_to_the_logit_of_the_class() -> None:
    app = visit()
    assert not messages(app)
    assert components(app)["run_bar"][0]["model"] == "tiny-encoder"
    model = load("tiny-encoder")
    logits = model.trace(TEXT)["text_logits"]
    assert sum(app.dataframe[0].value["adds"]) == pytest.approx(float(logits.max()), abs=1e-4)
    best = model.config.text_labels[int(logits.argmax())]
    assert app.selectbox(key="why token").options[0].startswith(best)
    assert "Read off the first token" in said(app)
    assert not app.selectbox(key="why token").proto.accept_new_options, "all classes are in the menu"


def test_one_class_against_another_sums_to_the_difference() -> None:
    app = visit(why_answer=2, why_against=0)
    logits = load("tiny-encoder").trace(TEXT)["text_logits"]
    assert sum(app.dataframe[0].value["adds"]) == pytest.approx(float(logits[2] - logits[0]), abs=1e-4)


def test_a_feed_forward_opens_with_the_classes_that_its_neurons_write() -> None:
    app = visit(why_opened="encoder.1.ffn")
    written = app.dataframe[1].value["writes towards"]
    assert set(" ".join(written).split()) == set(load("tiny-encoder").config.text_labels)


def test_the_tokens_of_a_class_sum_to_its_logit() -> None:
    app = visit(why_part="tokens")
    assert not messages(app)
    model = load("tiny-encoder")
    trace = model.trace(TEXT)
    parts = token_parts(model, trace, account_of(model, trace))
    assert parts.total == pytest.approx(float(trace["text_logits"].max()), abs=1e-4)
    assert app.dataframe[0].value["value paths"].tolist() == pytest.approx(parts.tokens.tolist(), abs=1e-5)
    assert "All sum to" in said(app)


def test_a_part_is_taken_away_from_a_class() -> None:
    app = visit(why_part="cause")
    assert not messages(app)
    shown = app.dataframe[0].value.set_index("name")
    model = load("tiny-encoder")
    logits = model.trace(TEXT)["text_logits"]
    muted = edit_model(model, edits=[Change("encoder.1.ffn.out", without_first_row)]).trace(TEXT)["text_logits"]
    best = int(logits.argmax())
    assert shown["the logit loses"]["encoder.1.ffn"] == pytest.approx(float(logits[best] - muted[best]), abs=1e-4)
    assert shown["probability after"]["encoder.1.ffn"] == pytest.approx(float(muted.softmax(-1)[best]), abs=1e-4)


def without_first_row(out: Tensor) -> Tensor:
    changed = out.clone()
    changed[..., 0, :] = 0
    return changed


def test_a_class_is_brought_back_by_a_patch() -> None:
    other = "The food is very good"
    app = visit(why_part="patching", why_text2=other, why_site="encoder.resid_in")
    assert not messages(app)
    shown = app.dataframe[0].value
    model = load("tiny-encoder")
    clean, corrupted = (model.trace(text)["text_logits"] for text in (TEXT, other))
    answer, against = int(clean.argmax()), int(corrupted.argmax())
    assert answer != against
    patched = edit_model(model, edits=[patch(model, "encoder.1.resid_in", TEXT, 0)]).trace(other)["text_logits"]
    gap, left = (float(each[answer] - each[against] - corrupted[answer] + corrupted[against])
                 for each in (clean, patched))  # fmt: skip
    found = shown[shown["layer"] == 1]["measured"].iloc[0]
    assert found == pytest.approx(left / gap, abs=1e-4)


@pytest.mark.parametrize("part", ["resid_in", "self_attn.heads"])
def test_of_a_long_text_an_encoder_has_its_tokens_and_heads_patched(part: str, monkeypatch: pytest.MonkeyPatch) -> None:
    state = {"why_part": "patching", "why_text2": "The food is very good", "why_site": f"encoder.{part}"}
    whole = visit(**state).dataframe[0].value["measured"].tolist()
    monkeypatch.setattr(long_text, "MOST_TOKENS", 3)
    app = visit(**state)
    assert not messages(app)
    assert app.dataframe[0].value["measured"].tolist() == pytest.approx(whole, abs=1e-5)
    app.session_state["depth"] = "Picture"
    app.run()
    assert not messages(app)


def test_an_edit_changes_the_class_and_nothing_is_written() -> None:
    app = visit(why_part="steer", edits="encoder.1.ffn*-1", why_steered="encoder.1.ffn")
    assert not app.exception
    model = load("tiny-encoder")
    edited = edit_model(model, edits=[scale("encoder.1.ffn", -1)]).trace(TEXT)["text_logits"].softmax(-1)
    shown = app.dataframe[0].value.set_index("token")["edited"]
    assert shown.to_dict() == pytest.approx(dict(zip(model.config.text_labels, edited.tolist(), strict=True)), abs=1e-5)
    assert "writes" not in said(app)


def test_what_a_head_looks_for_is_told_of_an_encoder_and_what_it_writes_is_not() -> None:
    app = visit(why_part="head", layer=1, head=2)
    assert not messages(app)
    model = load("tiny-encoder")
    ids = [token.id for token in model.tokens_of(TEXT)]
    expected = looked_for(model, Attention("encoder", 1, "self_attn"), 2, ids[:1], ids, 6).scores[0]
    shown = app.dataframe[0].value
    assert shown[shown["of"] == "the sentence"]["score"].tolist() == pytest.approx(expected.tolist(), abs=1e-4)
    assert "steps that depend on the sentence" in said(app)


def test_the_routes_of_a_class_lead_to_the_first_token() -> None:
    app = visit(why_part="paths")
    assert not messages(app)
    model = load("tiny-encoder")
    routes = flow_routes(model, model.trace(TEXT, keep=keep_for_routes(model.config)), 0, 0.04)
    assert set(app.dataframe[0].value["name"]) == set(routes.names)


def test_a_dropped_edge_changes_the_class() -> None:
    edge = "encoder.1.ffn@0"
    app = visit(why_part="paths", why_dropped=edge)
    assert not messages(app)
    model = load("tiny-encoder")
    made = model.trace(TEXT, edits=[DropEdge.parse(edge)])["text_logits"].softmax(-1)
    shown = next(each.value for each in app.dataframe if "without the dropped" in each.value)
    found = shown.set_index("token")["without the dropped"].to_dict()
    assert found == pytest.approx(dict(zip(model.config.text_labels, made.tolist(), strict=True)), abs=1e-5)


def test_a_class_that_does_not_exist_gives_way() -> None:
    app = visit(why_answer=7)
    assert not app.exception
    assert any("no class 7" in message for message in messages(app))
