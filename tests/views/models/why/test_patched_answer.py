"""Patching as a view: its cells are those of the library, and a pick chooses one."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import torch

from model import load
from model.experiments.patching import Patching
from model.experiments.sentence_pair import Prompt, Site, record_pair
from model.network.transformer import Transformer
from model.run import ids_of
from tests.views import asked, shown
from tests.views.asked import TEXT, question
from views.models.why.patched_answer import BROUGHT_BACK, PatchedAnswer
from views.parts import Chart
from viz.documents.page_parts import Text

OTHER = "the bird sees the cat"
STREAM = Site("decoder", "resid_in")


def the_map(view: PatchedAnswer) -> Chart:
    return next(each for each in shown.parts(view) if isinstance(each, Chart) and each.key == "why patched")


@pytest.mark.parametrize("part", ["resid_in", "self_attn.heads", "self_attn.k", "self_attn.weights", "self_attn.v.all"])
def test_the_table_has_the_shares_of_the_library(part: str) -> None:
    site, model = Site("decoder", part), load("tiny-lm")
    table = shown.tables(asked.patched(question(), OTHER, site))[0]
    pair = record_pair(model.network, *(Prompt(ids_of(model.tokens_of(text))) for text in (TEXT, OTHER)))
    patching = Patching(model.network, pair, *pair.telling_tokens())
    shares = [share for layer in patching.run(site) for share in layer.tolist()]
    assert table["measured"].tolist() == pytest.approx(shares, abs=1e-4)
    assert table["estimated"].tolist() == pytest.approx(patching.estimates[site].flatten().tolist(), abs=1e-4)


def test_what_brings_most_back_is_named_and_told() -> None:
    view = asked.patched(question(), OTHER, STREAM)
    assert view.patched is not None
    assert f"Most comes back by {view.patched.name(view.patched.best or (0, 0))}" in shown.said(view)
    assert view.told()[BROUGHT_BACK] == pytest.approx(np.nanmax(view.patched.measured))


def test_a_key_head_is_named_with_the_heads_that_share_it() -> None:
    model = load("tiny-lm")
    torch.manual_seed(0)
    grouped = Transformer(replace(model.config, n_kv_heads=2)).eval()
    view = asked.patched(question(replace(model, network=grouped)), OTHER, Site("decoder", "self_attn.v"))
    assert view.patched is not None
    assert view.patched.name((1, 1)) == "layer 1, key head 1 (heads 2 to 3)"
    assert view.patched.columns == ["0", "1"]
    assert "2 heads share the keys and the values of a key head" in shown.said(view)
    assert "key head" in shown.tables(view)[0]


def test_a_pick_names_a_token_of_a_long_text_by_its_number() -> None:
    view = asked.patched(question(), OTHER, STREAM)
    assert view.patched is not None
    layers = tuple(each[2:5] for each in view.patched.layers)
    part = replace(view.patched, rows=slice(2, 5), estimate=None, layers=layers)
    pick = the_map(replace(view, patched=part, cell=(3, 4))).pick
    assert pick is not None
    assert pick({"x": 1, "y": 3}) == {"why_cell": (3, 3)}


def test_the_chosen_cell_is_framed_on_the_screen_alone() -> None:
    view = asked.patched(question(), OTHER, STREAM, cell=(1, 2))
    frames = the_map(view).draw().layout.shapes
    assert {(each.x0, each.y0) for each in frames} == {(1.5, 0.5)}
    (files,) = [each for name, each in shown.files(view).items() if name.endswith("-patching")]
    assert files.print is not None
    assert not files.print().layout.shapes


def test_layers_that_are_not_measured_are_said() -> None:
    view = asked.patched(question(), OTHER, STREAM)
    assert view.patched is not None
    half = replace(view, patched=replace(view.patched, layers=view.patched.layers[:2]))
    assert "**Partial**: 2 of 4 layers are measured" in shown.said(half)
    none = replace(view, patched=replace(view.patched, layers=()))
    assert "estimates from one gradient" in shown.said(none)
    assert shown.tables(none)[0]["measured"].isna().all()


def test_a_sentence_that_does_not_fit_is_a_message() -> None:
    view = PatchedAnswer(question(), STREAM, None, why_not=Text("No.", "warning"))
    for depth in ("Picture", "Numbers", "Formula"):
        assert shown.messages(view, depth) == [("warning", "No.")]
    assert not view.told()
