"""The map on Home: what its component receives, the place in the URL, and the ways to other pages."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient
from streamlit.testing.v1 import AppTest

from model import load
from pages.home.tiles import routes
from pages.home.tiles.store import RUNS
from pages.shared.elements.shown import ShownSession
from pages.shared.session.view_session import ViewSession
from tests.pages.conftest import components, messages, open_link, run_sentence, sent, session_of, tell, text
from views.parts import Canvas
from views.shown_page import walk
from viz.shared.payload import unpack

SENTENCE = "The dog is here"


def visit(**url: str) -> AppTest:
    return open_link("home/home.py", **({"model": "tiny-lm", "text": SENTENCE} | url))


def read(app: AppTest) -> dict[str, Any]:
    """What the map receives."""
    shown = components(app)
    return shown["model_map"][0] | shown["map_place"][0]


def url_of(app: AppTest) -> dict[str, str]:
    """The values of the URL."""
    return {name: value[0] if isinstance(value, list) else value for name, value in app.query_params.items()}


@pytest.mark.slow
def test_the_map_receives_the_layout_of_the_run_and_the_handle_of_its_tiles() -> None:
    data = read(visit())
    trace = load("tiny-lm").trace(SENTENCE, keep="decoder.2.self_attn.weights")
    assert data["layout"]["tokens"]["source"] == ["The", "·dog", "·is", "·here"]
    assert (
        data["summary"]
        == f"4 layers, 16 heads, {sum(p.numel() for p in load('tiny-lm').network.parameters()):,} weights"
    )
    assert data["links"]["head"] == "Heads"
    assert data["outcome"]["title"] == "Next token"
    with TestClient(Starlette(routes=routes.routes())) as client:
        answer = client.get(f"{data['root']}/{data['handle']}/decoder.2.self_attn.weights/3/0/0/0")
    found = np.frombuffer(answer.content, "<f4").reshape(4, 4)
    np.testing.assert_allclose(found, trace["decoder.2.self_attn.weights"][3], atol=1e-6)


@pytest.mark.parametrize(
    ("model", "place"),
    [
        ("tiny-lm", "decoder.3/head 2"),
        ("tiny-lm", "decoder.3.self_attn.weights:2,3,1"),
        ("tiny-lm", "decoder.blocks.0.ffn.expand.weight:255,127"),
        ("en-ur", "decoder.1/cross head 3"),
        ("minilm-l6", "encoder.embed"),
    ],
)
def test_a_link_opens_the_place_that_it_names(model: str, place: str) -> None:
    app = visit(model=model, home_at=place)
    assert messages(app) == []
    assert read(app)["at"] == place
    assert url_of(app)["home_at"] == place


@pytest.mark.parametrize(
    "place", ["decoder.9/head 2", "decoder.3.self_attn.weights:2,9,1", "nowhere", "<b>x</b>", "decoder.0:", "*a*" * 50]
)
def test_a_place_that_the_map_lacks_is_the_whole_model_and_one_line_says_so(place: str) -> None:
    app = visit(home_at=place)
    assert not app.exception
    assert len(messages(app)) == 1
    assert "Shown: the whole model" in messages(app)[0]
    assert "<b>" not in messages(app)[0]
    assert read(app)["at"] == ""
    assert "home_at" not in url_of(app)


def test_a_place_that_is_too_long_for_a_link_is_the_whole_model_too() -> None:
    app = visit(home_at="x" * 500)
    assert not app.exception
    assert len(messages(app)) == 1
    assert read(app)["at"] == ""


def test_where_the_reader_goes_stands_in_the_url_and_chooses_the_head_of_all_pages() -> None:
    app = tell(visit(), "model_map", "at", "decoder.3/head 0")
    assert url_of(app)["home_at"] == "decoder.3/head 0"
    assert (url_of(app)["layer"], url_of(app)["head"]) == ("3", "0")
    assert read(app)["framed"] == "decoder.3/head 0"
    assert "Layer 3's head 0 (framed)" in text(app)
    tell(app, "model_map", "at", "decoder.1.self_attn.scores:2,3,1")
    assert read(app)["framed"] == "decoder.1/head 2"
    tell(app, "model_map", "at", "")
    assert "home_at" not in url_of(app)


@pytest.mark.parametrize("told", [None, 7, ["x"], {"a": 1}, "x" * 100_000, "decoder.99/head 0", ":"])
def test_whatever_a_browser_tells_the_map_stays(told: object) -> None:
    app = tell(visit(), "model_map", "at", told)
    assert not app.exception
    assert read(app)["at"] == ""
    tell(app, "model_map", "go", told)
    assert not app.exception


def test_a_shorter_sentence_without_the_cell_shows_the_whole_model() -> None:
    app = visit(home_at="decoder.3.self_attn.weights:2,3,1")
    run_sentence(app, "dog")
    assert not app.exception
    assert read(app)["at"] == ""
    assert "Shown: the whole model" in messages(app)[0]


def test_another_model_forgets_the_place_without_a_word() -> None:
    app = visit(home_at="decoder.3/head 2")
    tell(app, "run_bar", "model", "en-ur")
    assert messages(app) == []
    assert read(app)["at"] == ""


def test_a_run_that_is_gone_is_made_again_under_a_new_handle() -> None:
    app = visit()
    handle = read(app)["handle"]
    assert read(tell(app, "model_map", "at", "decoder.1"))["handle"] == handle, "it lives on"
    with RUNS._lock:
        del RUNS._handles[RUNS._kept.pop(handle).key]
    again = read(tell(app, "model_map", "gone", handle))["handle"]
    assert again != handle
    assert RUNS.find(again) is not None
    assert read(app)["at"] == "decoder.1"


def test_another_sentence_and_a_muted_head_have_handles_of_their_own() -> None:
    app = visit()
    handles = {read(app)["handle"], read(visit(edits="decoder.1.self_attn.2"))["handle"]}
    run_sentence(app, "The cat is here")
    assert len(handles | {read(app)["handle"]}) == 3


@pytest.mark.parametrize(
    ("part", "url", "values"),
    [
        ({"part": "head", "stack": "decoder", "layer": 2, "head": 3, "attention": "self_attn"}, "heads", ("2", "3")),
        ({"part": "stream", "stack": "decoder", "layer": 2}, "block", ("2", None)),
        ({"part": "outcome"}, "predict", (None, None)),
    ],
)
def test_a_part_opens_the_page_that_explains_it(part: dict[str, Any], url: str, values: tuple[str | None, ...]) -> None:
    app = tell(visit(), "model_map", "go", part)
    assert not app.exception
    assert session_of(app, ViewSession).page == url
    for name, value in zip(("layer", "head"), values, strict=True):
        assert value is None or url_of(app)[name] == value


def test_the_longest_sentence_stays_below_60_kb() -> None:
    app = visit(text="the cat sat on the mat " * 30)
    assert not app.exception
    assert len(sent(app, "model_map").bytes) < 60_000


@pytest.mark.parametrize("place", ["", "decoder.3/head 2", "decoder.3.self_attn.weights:2,3,1"])
def test_a_page_that_is_saved_has_its_tiles_frozen_in(place: str) -> None:
    app = visit(home_at=place)
    assert read(app)["frozen"] is None
    page = session_of(app, ShownSession).page
    assert page is not None
    saved = next(each.saved for each in walk(page.view.at("Picture"), "Picture") if isinstance(each, Canvas))
    assert saved is not None
    made = saved()
    data, arrays = unpack(made)
    body = arrays["frozen_tiles"].tobytes()
    entries = json.loads(body[4 : 4 + int.from_bytes(body[:4], "little")])
    assert len(entries) == len(data["frozen"]["addresses"]) > 10
    assert all(entry and "at" in entry for entry in entries)
    assert (data["frozen"]["why"] is not None) == (":" in place)
    assert len(made) < 500_000


@pytest.mark.parametrize(
    ("model", "place", "shown"),
    [
        ("tiny-lm", "decoder.3/head 0", {"layer": 3, "head": 0, "attention": "decoder.self_attn"}),
        ("tiny-lm", "decoder.1.self_attn.weights:2,3,1", {"layer": 1, "head": 2, "query": 3, "key": 1}),
        ("en-ur", "decoder.1/cross head 3", {"layer": 1, "head": 3, "attention": "decoder.cross_attn"}),
    ],
)
def test_a_link_to_a_place_chooses_its_head_and_tokens_for_all_pages(
    model: str, place: str, shown: dict[str, Any]
) -> None:
    app = visit(model=model, home_at=place)
    assert {name: app.session_state[name] for name in shown} == shown
    if "head" in place:
        assert read(app)["framed"] == place


def test_a_link_that_names_a_layer_keeps_it() -> None:
    app = visit(home_at="decoder.3/head 0", layer="1", head="2")
    assert read(app)["framed"] == "decoder.1/head 2"
    assert read(app)["at"] == "decoder.3/head 0"


def test_a_place_that_the_model_lacks_chooses_no_layer() -> None:
    app = visit(home_at="decoder.99/head 2")
    assert len(messages(app)) == 1
    assert read(app)["framed"] == read(visit())["framed"]


def test_what_each_token_predicts_comes_with_the_map() -> None:
    found = read(visit())["predictions"]
    likeliest = load("tiny-lm").trace(SENTENCE).logits.softmax(-1).max(-1)
    assert (found["title"], found["first"]) == ("Each token predicts", 0)
    assert [token["share"] for token in found["tokens"]] == pytest.approx(likeliest.values.tolist(), rel=1e-5)
    expected = [token.text.strip() for token in load("tiny-lm").tokenizer.tokens(likeliest.indices.tolist())]
    assert [token["label"].lstrip("·") for token in found["tokens"]] == expected


def test_an_encoder_without_words_or_classes_of_tokens_predicts_nothing_at_them() -> None:
    assert read(visit(model="tiny-encoder"))["predictions"]["title"] == "Class of each token"
    assert read(visit(model="minilm-l6"))["predictions"] is None


def test_the_map_of_a_run_stays_the_same_where_the_page_chooses_another_head() -> None:
    app = visit()
    before = read(app)
    app.session_state["layer"], app.session_state["head"] = 2, 1
    after = read(app.run())
    changed = [name for name in before if before[name] != after[name]]
    assert changed == ["framed"]  # of the small component; the map's own data, and so its script, do not travel


def test_shares_travel_as_they_are_so_that_words_and_map_round_the_same_number() -> None:
    shares = [bar["share"] for bar in read(visit())["outcome"]["bars"]]
    expected = load("tiny-lm").trace(SENTENCE).logits[-1].softmax(-1).topk(len(shares)).values.tolist()
    assert shares == pytest.approx(expected, rel=1e-5)
