"""Steering as a view: the answers of the edited run stand beside those of the whole model."""

from __future__ import annotations

from dataclasses import replace

import pytest

from model import load
from model.edits.activations import ALL, Add
from model.edits.parts import Scale, scale
from model.experiments.surgery import edit_model, with_edits
from tests.views import asked, shown
from tests.views.asked import CLASS_TEXT, TEXT, question
from views.models.why.steered import HOW_TO_ADD, LIKELIEST_NOW, WRITTEN
from views.parts import Source

EDIT = Scale("decoder.1.self_attn", 2, factor=-1.0)


def test_the_answers_are_those_of_both_runs() -> None:
    model = load("tiny-lm")
    view = asked.steered(question(with_edits(model, [EDIT])))
    scaled = model.trace(TEXT, edits=[scale("decoder.1.self_attn.heads.2", -1.0)]).logits[-1].softmax(-1)
    whole = model.trace(TEXT).logits[-1].softmax(-1)
    (rows,) = shown.tables(view)
    assert rows["edited"].tolist() == pytest.approx(scaled[view.ids].tolist(), abs=1e-5)
    assert rows["the whole model"].tolist() == pytest.approx(whole[view.ids].tolist(), abs=1e-5)
    assert view.told()[LIKELIEST_NOW] == view.asked.word(int(scaled.argmax()))
    equations = shown.equations(view)
    assert shown.ends(equations[-1], view.asked.read_off(view.edited) - view.asked.read_off(view.whole))


def test_an_edit_changes_the_class_and_nothing_is_written() -> None:
    model = load("tiny-encoder")
    view = asked.steered(question(with_edits(model, [Scale("encoder.1.ffn", factor=-1.0)]), CLASS_TEXT))
    edited = edit_model(model, edits=[scale("encoder.1.ffn", -1)]).trace(CLASS_TEXT)["text_logits"].softmax(-1)
    found = shown.tables(view)[0].set_index("token")["edited"].to_dict()
    assert found == pytest.approx(dict(zip(model.config.text_labels, edited.tolist(), strict=True)), abs=1e-5)
    assert "writes**" not in shown.said(view)


def test_where_nothing_is_edited_it_says_how() -> None:
    view = asked.steered(question())
    assert list(shown.tables(view)[0].columns) == ["token", "the whole model"]
    assert "Nothing is edited yet" in shown.said(view)
    added = replace(view, edit=Add("decoder.1.resid_in", ALL, "the dog", "the cat", factor=0.0, target=""))
    assert HOW_TO_ADD in shown.said(added)
    assert [part.of for part in shown.parts(added, "Code") if isinstance(part, Source)] == [Add]


def test_what_both_models_write_stands_below_their_titles() -> None:
    view = replace(asked.steered(question()), writes="the dog *sees*", edited_writes="the dog runs")
    said = shown.said(view).split("\n")
    assert r"\*sees\*" in said[said.index("**The whole model writes**") + 1]
    assert "the dog runs" in said[said.index("**The edited one writes**") + 1]
    assert view.told()[WRITTEN] == "the dog runs"
