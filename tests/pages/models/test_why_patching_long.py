"""Patching of a text of 1,024 tokens: only runs of the tokens behind the first difference are made."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from torch import Tensor

from model.experiments.activation_edits import patch
from model.experiments.patching import Patching
from model.experiments.sentence_pair import Prompt, Site, record_pair
from model.network.transformer import Stack
from model.run import ids_of
from pages.shared.session.last_made import LastMade
from tests.pages.conftest import components, messages, open_link, run_page, session_of
from tests.pages.long_model import NAME, installed, model, text
from views.shared import windows


@pytest.fixture(scope="module", autouse=True)
def checkpoint(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with installed(tmp_path_factory.mktemp("models")):
        yield


@pytest.mark.slow
def test_a_long_text_is_patched_from_the_first_difference_on() -> None:
    """The table has the tokens from there on, with the shares of whole runs."""
    mine, site = text(1002), "ffn.out"
    state = {"model": NAME, "text": mine, "why_part": "patching", "why_site": f"decoder.{site}", "depth": "Numbers"}
    app = run_page("models/why.py", **state, why_answer=5, why_against=7)
    assert messages(app) == []
    other = app.text_area(key="why_text2").placeholder
    clean, corrupted = (model().trace(each, keep="logits") for each in (mine, other))
    (first,) = (i for i in range(1002) if clean.tokens[i].id != corrupted.tokens[i].id)
    table = app.dataframe[0].value
    columns = table[table["layer"] == 1]["token"].str.split(":").str[0].tolist()
    assert columns == [str(place) for place in range(first, 1002)]
    top, bottom = (float(trace.logits[-1, 5] - trace.logits[-1, 7]) for trace in (clean, corrupted))
    for layer, measured in table[table["token"].str.startswith(f"{first}:")][["layer", "measured"]].values.tolist():
        edit = patch(model(), f"decoder.{int(layer)}.{site}", mine, first)
        logits = model().trace(other, keep="logits", edits=[edit]).logits[-1]
        assert measured == pytest.approx((float(logits[5] - logits[7]) - bottom) / (top - bottom), abs=1e-3)


@pytest.mark.slow
def test_the_first_sentence_of_a_patching_is_the_run_of_the_page(monkeypatch: pytest.MonkeyPatch) -> None:
    """Beside it, the tokens from the first difference on are read once."""
    mine, read, forward = text(1003), list[int](), Stack.forward

    def count(stack: Stack, ids: Tensor, *rest: Any) -> Tensor:
        read.append(len(ids))
        return forward(stack, ids, *rest)

    monkeypatch.setattr(Stack, "forward", count)
    app = run_page("models/why.py", model=NAME, text=mine, why_part="patching", why_answer=5, why_against=7)
    assert messages(app) == []
    other = app.text_area(key="why_text2").placeholder
    tokens = (model().tokens_of(each) for each in (mine, other))
    (first,) = (place for place, (a, b) in enumerate(zip(*tokens, strict=True)) if a.id != b.id)
    assert read == [1003, 1003 - first]


@pytest.mark.slow
def test_of_a_far_difference_the_tokens_of_a_window_are_patched() -> None:
    """The numbers are those of whole runs."""
    mine, site, (layer, place) = text(), "ffn.out", (1, 700)
    other = "a" + mine[1:]
    state = {"model": NAME, "text": mine, "why_part": "patching", "why_site": f"decoder.{site}", "why_text2": other}
    cell = {"why_answer": 5, "why_against": 7, "why_cell": (layer, place)}
    app = run_page("models/why.py", **state, **cell, depth="Numbers")
    next(button for button in app.button if button.key == "why estimate").click().run()
    assert messages(app) == []
    table = app.dataframe[0].value
    columns = table[table["layer"] == layer]["token"].str.split(":").str[0].astype(int).tolist()
    assert columns == list(range(columns[0], columns[0] + windows.OPENING_TOKENS))
    assert place in columns
    row = table[(table["layer"] == layer) & table["token"].str.startswith(f"{place}:")]
    top, bottom = (model().trace(each, keep="logits").logits[-1] for each in (mine, other))
    patched = model().trace(other, keep="logits", edits=[patch(model(), f"decoder.{layer}.{site}", mine, place)])
    leads = [float(logits[5] - logits[7]) for logits in (patched.logits[-1], bottom, top)]
    share = (leads[0] - leads[1]) / (leads[2] - leads[1])
    assert row["measured"].item() == pytest.approx(share, abs=1e-3)
    pair = record_pair(model().network, *(Prompt(ids_of(model().tokens_of(each))) for each in (mine, other)))
    estimate = Patching(model().network, pair, 5, 7).estimates[Site("decoder", site)][layer, place]
    assert row["estimated"].item() == pytest.approx(float(estimate), abs=1e-5)


@pytest.mark.slow
def test_the_patched_run_of_a_long_text_opens_on_every_page() -> None:
    """The link holds the whole first sentence."""
    mine = text(1002)
    state = {"model": NAME, "text": mine, "why_part": "patching", "why_site": "decoder.ffn.out", "why_cell": (1, 1001)}
    app = run_page("models/why.py", **state, why_answer=5, why_against=7)
    other = app.text_area(key="why_text2").placeholder
    app.button(key="why see run").click().run()
    assert messages(app) == []
    (sign,) = components(app)["run_bar"][0]["edits"]
    assert sign["title"] == "Layer 1, feed-forward, token 1001"
    edit = patch(model(), "decoder.1.ffn.out", mine, 1001)
    logits = model().trace(other, keep="logits", edits=[edit]).logits[-1]
    _, account = session_of(app, LastMade).by_name["account of a word"]
    assert account.value == pytest.approx(float(logits[5] - logits[7]), abs=1e-4)
    opened = open_link("attention/heads.py", model=NAME, text=other, edits=app.session_state["edits"])
    assert messages(opened) == []
    assert components(opened)["run_bar"][0]["edits"][0]["title"] == sign["title"]
