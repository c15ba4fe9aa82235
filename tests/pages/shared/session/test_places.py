"""One choice of attention, layer, head and tokens for all pages, and what the open page has of them."""

from __future__ import annotations

from urllib.parse import urlencode

import pytest
from streamlit.testing.v1 import AppTest

from model import load
from pages.catalogue import BY_URL
from pages.shared.session.keys import SHARED_PLACES
from pages.shared.session.view_session import ViewSession
from tests.pages.conftest import go, messages, open_link, run_page, run_sentence, session_of, tell, turn_to

TEXT = "the dog sees the cat"
ENGLISH = {"model": "tiny-lm", "text": TEXT}
FILES = {url: entry.file.removeprefix("pages/") for url, entry in BY_URL.items()}
WITH_LAYER = ("home", "scores", "masks", "heads", "combine", "block", "predict")
WITH_HEAD = ("scores", "masks", "heads", "predict")


def places(app: AppTest) -> dict[str, object]:
    return {name: app.session_state[name] for name in SHARED_PLACES}


@pytest.mark.slow
def test_a_choice_goes_along_to_every_page() -> None:
    app = open_link(FILES["heads"], **ENGLISH, layer="2", head="3", query="4", key="1")
    for page in (*WITH_LAYER, "tokens"):
        go(app, page)
        assert not messages(app), page
        if page in WITH_LAYER:
            assert app.session_state["layer"] == 2, page
        if page in WITH_HEAD:
            assert app.session_state["head"] == 3, page
        assert app.session_state["query"] == 4, page


def test_a_choice_of_the_reader_replaces_the_one_of_another_page() -> None:
    app = open_link(FILES["heads"], **ENGLISH, layer="2")
    go(app, "block")
    tell(app, "run_bar", "place", ["layer", 1])
    assert app.query_params["layer"] == "1"
    assert go(app, "scores").session_state["layer"] == 1


def test_a_page_without_a_choice_has_none_in_its_url_and_keeps_it() -> None:
    app = open_link(FILES["heads"], **ENGLISH, layer="2", head="3")
    go(app, "cost")
    assert not set(SHARED_PLACES) & set(app.query_params)
    go(app, "heads")
    assert (app.session_state["layer"], app.session_state["head"]) == (2, 3)


def test_the_tokens_of_a_model_are_forgotten_with_it() -> None:
    app = open_link(FILES["heads"], **ENGLISH, layer="3", head="1", query="4")
    tell(app, "run_bar", "model", "minilm-l6")
    assert places(app) == places(open_link(FILES["heads"], model="minilm-l6", text=TEXT, layer="3", head="1"))


def test_a_link_to_another_model_forgets_them_too() -> None:
    app = open_link(FILES["heads"], **ENGLISH, layer="3", head="1", query="4")
    turn_to(app, "scores")
    app.query_params.clear()
    for name, value in {"model": "minilm-l6", "text": TEXT}.items():
        app.query_params[name] = value
    app.run()
    assert places(app) == places(open_link(FILES["scores"], model="minilm-l6", text=TEXT))


@pytest.mark.slow
def test_a_token_beyond_a_shorter_sentence_is_replaced_without_a_word() -> None:
    app = open_link(FILES["block"], **ENGLISH, block_part="ffn", query="4")
    assert app.session_state["query"] == 4
    run_sentence(app, "the dog")
    assert not messages(app)
    assert app.session_state["query"] == len(load("tiny-lm").tokens_of("the dog")) - 1
    for page in ("scores", "masks", "heads", "combine", "tokens"):
        assert not messages(go(app, page)), page


def test_a_token_beyond_the_sentence_of_a_link_is_named() -> None:
    for page in ("scores", "masks", "heads"):
        app = open_link(FILES[page], **ENGLISH, query="99")
        assert [note.startswith("Query 99 does not exist here") for note in messages(app)] == [True], page


def page_of_two_stacks() -> None:
    """Two layers on Block, eight on the other pages."""
    from types import SimpleNamespace
    from typing import Any

    import streamlit as st

    from pages.shared.session import places, state

    page = st.session_state["asked for"]
    all_pages: list[Any] = [SimpleNamespace(url_path=name) for name in ("heads", "block")]
    state.begin(page, all_pages)
    layers = 2 if page == "block" else 8
    st.text(places.read_layer(layers, usual=layers - 1))
    st.number_input("Layer", 0, layers - 1, key="layer")
    state.finish()


def open_stack(app: AppTest, page: str, **url: str) -> AppTest:
    app.session_state["asked for"] = page
    app.query_params.clear()
    for name, value in url.items():
        app.query_params[name] = value
    app.run()
    assert not app.exception
    return app


@pytest.fixture
def stacks() -> AppTest:
    return AppTest.from_function(page_of_two_stacks, default_timeout=30)


def test_a_layer_of_another_page_that_is_lacking_is_replaced_here_only(stacks: AppTest) -> None:
    open_stack(stacks, "heads", layer="5")
    open_stack(stacks, "block")
    assert stacks.text[0].value == "1"
    assert not stacks.warning
    stacks.run()
    assert not stacks.warning
    assert open_stack(stacks, "heads").text[0].value == "5"


def test_a_lacking_layer_that_a_link_asks_for_is_named(stacks: AppTest) -> None:
    open_stack(stacks, "heads")
    open_stack(stacks, "block", layer="5")
    assert [each.value for each in stacks.warning] == ["Layer 5 does not exist here: it can be 0 to 1. Shown: 1."]
    assert open_stack(stacks, "heads").text[0].value == "1"


def test_a_layer_chosen_twice_is_a_choice(stacks: AppTest) -> None:
    """The reader tries another layer than the page's own, and comes back to it."""
    open_stack(stacks, "heads")
    stacks.number_input(key="layer").set_value(3).run()
    stacks.number_input(key="layer").set_value(7).run()
    open_stack(stacks, "block")
    assert open_stack(stacks, "heads").text[0].value == "7"


@pytest.mark.slow
def test_the_head_of_another_model_stays_on_positions() -> None:
    app = open_link(FILES["heads"], **ENGLISH, layer="2", head="3", query="4")
    app.session_state["positions_part"] = "rotary"
    go(app, "positions")
    usual = places(open_link(FILES["positions"], **ENGLISH, positions_part="rotary"))
    assert {name: app.session_state[name] for name in ("layer", "head", "query")} == {
        name: usual[name] for name in ("layer", "head", "query")
    }
    go(app, "heads")
    assert {name: app.session_state[name] for name in ("layer", "head", "query")} == {"layer": 2, "head": 3, "query": 4}
    go(app, "positions")
    app.slider(key="layer").set_value(1).run()
    assert app.session_state["layer"] == 1
    assert go(app, "heads").session_state["layer"] == places(open_link(FILES["heads"], **ENGLISH))["layer"]


@pytest.mark.parametrize(
    ("page", "more", "layers", "heads", "has_queries"),
    [
        ("home", {}, 4, 4, True),
        ("heads", {}, 4, 4, True),
        ("scores", {}, 4, 4, True),
        ("masks", {}, 4, 4, True),
        ("combine", {}, 4, 0, False),
        ("combine", {"combine_view": "Each head's part"}, 4, 0, True),
        ("block", {"block_part": "ffn"}, 4, 0, True),
        ("predict", {}, 4, 4, False),
        ("tokens", {"tokens_part": "embedding"}, 0, 0, True),
        ("cost", {}, 0, 0, False),
    ],
)
def test_a_page_says_what_can_be_chosen(
    page: str, more: dict[str, str], layers: int, heads: int, has_queries: bool
) -> None:
    app = run_page(FILES[page], **ENGLISH, **more)
    queries = len(load("tiny-lm").tokens_of(TEXT)) if has_queries else 0
    offered = session_of(app, ViewSession).places
    assert (offered.layers, offered.heads, offered.queries) == (layers, heads, queries), urlencode(more)
    assert (offered.query >= 0) == has_queries
