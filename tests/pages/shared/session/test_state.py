"""The table of keys: what a URL may say, what is written back, and what a page may ask for."""

from __future__ import annotations

from typing import Any

import pytest
import streamlit as st
from hypothesis import given
from hypothesis import strategies as anything
from streamlit.testing.v1 import AppTest

from pages.shared.session import key_texts, state
from pages.shared.session.keys import Key, belongs
from pages.shared.session.view_session import ViewSession
from tests.pages.conftest import session_of

DEFAULTS = [Key(0), Key(0, low=0, high=9), Key(0.5), Key(True), Key("a", choices=("a", "b")), Key(""), Key((0,), low=0)]


@pytest.mark.parametrize(
    ("key", "value"),
    [
        (Key(0), -3),
        (Key(0.5), 2.25),
        (Key(True), False),
        (Key("a", choices=("a", "b c")), "b c"),
        (Key((0,)), (3, 1, 2)),
        (Key((0,)), ()),
        (Key(""), "<b> & میں $x$"),
    ],
)
def test_a_written_value_is_read_back(key: Key, value: Any) -> None:
    assert key_texts.parse(key, key_texts.to_text(value)) == value


@pytest.mark.parametrize(
    ("key", "text"),
    [
        (Key(0), "three"),
        (Key(0), "1.5"),
        (Key(0, low=0, high=9), "10"),
        (Key(0.5), "nan"),
        (Key(True), "maybe"),
        (Key("a", choices=("a", "b")), "c"),
        (Key("", max_characters=5), "123456"),
        (Key((0,), low=0), "1,-1"),
    ],
)
def test_a_value_that_cannot_be_is_refused(key: Key, text: str) -> None:
    with pytest.raises(ValueError, match="it "):
        key_texts.parse(key, text)


@given(anything.text(max_size=40), anything.sampled_from(DEFAULTS))
def test_any_text_from_a_url_gives_a_value_of_the_keys_type_or_is_refused(text: str, key: Key) -> None:
    try:
        value = key_texts.parse(key, text)
    except ValueError:
        return
    assert type(value) is type(key.default)


def test_every_key_belongs_to_all_pages_or_to_one() -> None:
    assert belongs("model", "heads")
    assert belongs("heads_view", "heads")
    assert not belongs("heads_view", "home")


def test_a_shared_key_belongs_to_the_pages_that_it_names() -> None:
    assert belongs("layer", "home")
    assert belongs("layer", "heads")
    assert not belongs("layer", "cost")


def test_put_refuses_a_key_that_is_not_in_the_table() -> None:
    with pytest.raises(KeyError, match="not in the table"):
        state.put(nonsense=1)


def page_of_numbers() -> None:
    import streamlit as st

    from pages.shared.session import state

    state.begin("home", [])
    layer = state.checked_number("layer", 0, 3, "Layer")
    st.number_input("Layer", 0, 3, key="layer")
    st.button("Deepest", on_click=state.put, kwargs={"layer": 3})
    st.text(f"layer {layer}")
    state.finish()


def visit(**url: str) -> AppTest:
    app = AppTest.from_function(page_of_numbers, default_timeout=30)
    for name, value in url.items():
        app.query_params[name] = value
    return app.run()


def test_a_link_sets_the_session_and_the_session_sets_the_link() -> None:
    app = visit(layer="2")
    assert app.text[0].value == "layer 2"
    app.number_input[0].set_value(1).run()
    assert app.text[0].value == "layer 1"
    assert app.query_params["layer"] == "1"
    app.button[0].click().run()
    assert app.text[0].value == "layer 3"
    assert app.query_params["layer"] == "3"
    assert not app.warning


def test_a_bad_layer_falls_back_and_the_note_goes_when_another_is_chosen() -> None:
    app = visit(layer="99")
    assert app.text[0].value == "layer 3"
    assert [note.value for note in app.warning] == ["Layer 99 does not exist here: it can be 0 to 3. Shown: 3."]
    assert app.query_params["layer"] == "3"
    app.run()
    assert len(app.warning) == 1  # a rerun by itself does not hide it
    app.number_input[0].set_value(0).run()
    assert not app.warning


def test_a_link_that_comes_later_counts_too() -> None:
    app = visit(layer="2")
    app.query_params["layer"] = "1"
    app.run()
    assert app.text[0].value == "layer 1"


def test_an_older_url_of_ours_counts_only_by_the_back_button(monkeypatch: pytest.MonkeyPatch) -> None:
    app = visit(layer="2")
    app.number_input[0].set_value(1).run()
    app.query_params["layer"] = "2"  # sent before the browser had heard of 1
    app.run()
    assert app.text[0].value == "layer 1"
    assert app.query_params["layer"] == "1"
    monkeypatch.setattr(state, "_is_history_navigation", lambda: True)
    app.query_params["layer"] = "2"
    app.run()
    assert app.text[0].value == "layer 2"


@pytest.mark.parametrize(("way", "layer"), [("link", 0), ("back", 2), ("scene", 3)])
def test_a_run_that_is_stopped_half_way_hands_its_view_on_to_the_next(
    way: str, layer: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = visit(layer="2")
    app.number_input[0].set_value(1).run()
    if way == "scene":
        session_of(app, ViewSession).wanted = ("home", {"layer": str(layer)})
    else:
        app.query_params["layer"] = str(layer)
    with monkeypatch.context() as stopped:
        stopped.setattr(state, "_is_history_navigation", lambda: way == "back")
        stopped.setattr(state, "belongs", lambda name, page: st.stop())
        app.run()
    assert not app.text
    app.run()
    assert app.text[0].value == f"layer {layer}"


def page_of_two() -> None:
    from types import SimpleNamespace

    import streamlit as st

    from pages.shared.session import state

    state.begin(st.session_state["asked for"], [SimpleNamespace(url_path=name) for name in ("home", "heads")])
    st.text(state.page())
    state.finish()


def test_a_browser_that_has_not_heard_of_the_new_page_does_not_lead_back(monkeypatch: pytest.MonkeyPatch) -> None:
    left: list[tuple[str, dict[str, str]]] = []

    def leave(page: Any, query_params: dict[str, str]) -> None:
        left.append((page.url_path, query_params))
        st.stop()

    monkeypatch.setattr(st, "switch_page", leave)
    app = AppTest.from_function(page_of_two, default_timeout=30)
    app.session_state["asked for"] = "heads"
    app.run()
    before = dict(app.query_params)
    app.session_state["asked for"] = "home"
    app.query_params.clear()  # as the sidebar's links are
    app.run()
    assert app.text[0].value == "home"

    app.session_state["asked for"] = "heads"
    app.query_params.update(before)
    app.run()
    assert left == [("home", {"model": "", "text": state.KEYS["text"].default})]
    monkeypatch.setattr(state, "_is_history_navigation", lambda: True)
    session_of(app, ViewSession).wanted = None
    app.run()
    assert app.text[0].value == "heads", "the back button does"
    assert len(left) == 1


@pytest.mark.parametrize(
    ("value", "said"),
    [("-5", "it must be at least -1. The default is shown."), ("soon", "it is not a whole number. The default")],
)
def test_a_bound_and_a_default_are_said_as_a_reader_knows_them(value: str, said: str) -> None:
    (note,) = visit(layer=value).warning
    assert said in note.value


def test_hostile_values_are_quoted_not_rendered() -> None:
    app = visit(depth="<script>$x$**b**")
    (note,) = app.warning
    assert r"\<script\>\$x\$\*\*b\*\*" in note.value


def test_tokens_are_forgotten_with_the_model_and_the_chosen_layer_stays() -> None:
    st.session_state["layer"], st.session_state["query"], st.session_state["heads_layer2"] = 2, 3, 1
    state.forget_places()
    assert [st.session_state[name] for name in ("layer", "query", "heads_layer2")] == [2, -1, -1]
