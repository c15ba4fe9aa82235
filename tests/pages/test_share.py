""" "Share this view": the link, and that the saved page holds all that the page shows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from pages.shared import page_recording, share
from pages.shared.page_recording import Record
from tests.pages.conftest import run_page
from viz.documents.page_parts import Code, Component, Equation, Group, Heading, Plot, Table, Text, flat
from viz.shared.payload import unpack

OPEN = {"share view": True}
PAGES = (
    "home/home.py",
    "inputs/tokens.py",
    "inputs/positions.py",
    "attention/scores.py",
    "attention/masks.py",
    "attention/heads.py",
    "attention/combine.py",
    "block/block.py",
    "models/predict.py",
    "models/translate.py",
    "models/classify.py",
    "models/see.py",
    "learning/before_attention.py",
    "learning/bench.py",
    "learning/cost.py",
)
OWN_MODEL = {"models/translate.py": "en-ur"}
# What a saved page does not hold: what acts, and what has no words or picture.
ACTS = {
    "button", "button_group", "checkbox", "data_editor", "download_button", "empty", "file_uploader", "link_button",
    "menu_button", "number_input", "progress", "radio", "selectbox", "multiselect", "skeleton", "slider",
    "select_slider", "space", "text_area", "text_input", "toggle", "camera_input", "html", "color_picker", "pagination",
}  # fmt: skip

READ = {
    "bidi_component", "caption", "code", "dataframe", "error", "header", "info", "latex", "markdown", "metric",
    "page_link", "plotly_chart", "subheader", "success", "table", "text", "title", "warning",
}  # fmt: skip


@pytest.fixture
def records(monkeypatch: pytest.MonkeyPatch) -> list[Record]:
    """Those that are made while a test runs."""
    made: list[Record] = []

    class Kept(Record):
        def __init__(self) -> None:
            super().__init__()
            made.append(self)

    monkeypatch.setattr(page_recording, "Record", Kept)
    return made


def sent(app: AppTest) -> Iterator[tuple[str, Any]]:
    """What the browser got for the main column: kind and message of each element, without those left out."""

    def below(node: Any) -> Iterator[tuple[str, Any]]:
        proto = getattr(node, "proto", None)
        if node.type == "popover" or str(getattr(proto, "id", "")).endswith(("-teaching", "-try this")):
            return
        if hasattr(node, "children"):
            for child in node.children.values():
                yield from below(child)
        elif not getattr(proto, "component_name", "").endswith("_help"):  # it belongs to the app, not to the page
            yield node.type, proto

    yield from below(app.main)


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize("depth", ["Picture", "Numbers"])
def test_a_saved_page_holds_all_that_the_page_shows(page: str, depth: str, records: list[Record]) -> None:
    app = run_page(page, depth=depth, model=OWN_MODEL.get(page, "tiny-lm"), **OPEN)
    parts = list(flat(records[-1].parts()))
    shown = [(kind, proto) for kind, proto in sent(app) if kind not in ACTS]
    unread = {kind for kind, proto in shown} - READ
    assert not unread, f"A saved page would lack {unread}: read them in pages/shared/page_recording.py."
    assert len(parts) == len(shown) > 2
    assert [part.data for part in parts if isinstance(part, Component)] == [
        proto.bytes if proto.WhichOneof("data") == "bytes" else proto.json
        for kind, proto in shown
        if kind == "bidi_component"
    ]
    assert [part.figure for part in parts if isinstance(part, Plot)] == [
        proto.spec for kind, proto in shown if kind == "plotly_chart"
    ]


def test_formulas_tables_and_code_are_read(records: list[Record]) -> None:
    run_page("learning/cost.py", depth="Formula", model="tiny-lm", **OPEN)
    formulas = [part.latex for part in flat(records[-1].parts()) if isinstance(part, Equation)]
    assert len(formulas) > 2  # the two of the page, and those worked out on the reader's numbers
    assert formulas[1].startswith("2\\,T^2 D = 4\\,T D^2")
    run_page("learning/cost.py", depth="Code", model="tiny-lm", **OPEN)
    sources = [part.text for part in flat(records[-1].parts()) if isinstance(part, Code)]
    assert any(source.startswith("def attention_costs") for source in sources)
    run_page("learning/cost.py", depth="Numbers", model="tiny-lm", **OPEN)
    (table,) = (part for part in flat(records[-1].parts()) if isinstance(part, Table))
    assert table.columns == ["part", "grows with", "multiplications", "share", "bytes made"]
    assert len(table.rows) == table.total > 5
    assert all("." in row[3] and "," in row[2] for row in table.rows[:2])


def test_headings_notes_and_what_is_replaced(records: list[Record]) -> None:
    def page() -> None:
        import streamlit as st

        from pages.shared import page_recording

        with page_recording.record_page():
            st.title("A title")
            slot = st.empty()
            slot.info("first")
            slot.warning("second")
            gone = st.empty()
            gone.markdown("gone")
            gone.empty()
            with st.expander("More"):
                st.write("inside")
            left, _ = st.columns([3, 1])
            left.caption("small")
            st.popover("Menu").write("hidden")
        st.write("behind")

    app = AppTest.from_function(page).run()
    assert not app.exception
    found = list(flat(records[-1].parts()))
    assert found == [
        Heading("A title", 1),
        Text("second", "warning"),
        Text("inside"),
        Text("small", "caption"),
    ]
    groups = [part for part in records[-1].parts().parts if isinstance(part, Group)]
    assert [(group.kind, group.title) for group in groups] == [("fold", "More"), ("row", "")]
    columns = [part for part in groups[1].parts if isinstance(part, Group)]
    assert [(column.kind, column.weight) for column in columns] == [("column", 0.75), ("column", 0.25)]


def test_nothing_is_recorded_while_the_menu_is_closed(records: list[Record]) -> None:
    app = run_page("learning/cost.py", model="tiny-lm")
    assert records == []
    assert app.sidebar.get("download_button") == []


def test_a_page_that_has_nothing_to_show_has_a_link_only() -> None:
    app = run_page("models/predict.py", model="tiny-encoder", **OPEN)
    assert "does not predict" in app.info[0].value
    assert app.sidebar.get("download_button") == []
    assert "/predict?model=tiny-encoder" in app.sidebar.code[0].value


def test_the_menu_of_a_tool_has_a_link_only() -> None:
    app = run_page("teach/lecture.py", **OPEN)
    assert app.sidebar.get("download_button") == []
    assert "lecture" in app.sidebar.code[0].value


def test_the_link_shows_the_view() -> None:
    app = run_page("learning/cost.py", model="tiny-lm", cost_view="Growth", text="a & b", **OPEN)
    link = app.sidebar.code[0].value
    assert link.endswith("/cost?model=tiny-lm&text=a+%26+b&cost_view=Growth&cost_width=128&cost_heads=4&cost_layers=4")


@pytest.mark.parametrize(
    ("here", "link"),
    [
        ("https://example.org/app/scores", "https://example.org/heads?model=tiny-lm&text=a+b"),
        ("http://127.0.0.1:8501", "http://127.0.0.1:8501/heads?model=tiny-lm&text=a+b"),
        ("", "/heads?model=tiny-lm&text=a+b"),
    ],
)
def test_a_link_from_any_address(here: str, link: str) -> None:
    assert share.link_of(here, "heads", {"model": "tiny-lm", "text": "a b"}) == link


def test_a_saved_page_of_see_holds_the_head_that_was_picked_in_the_picture(records: list[Record]) -> None:
    app = run_page("models/see.py", see_model="digits-vit", see_part="attention")
    view = {"layer": 1, "head": 2, "patch": 5}
    app.session_state["_see_sent"]["view"] = view  # as the component reports it: the browser has drawn it already
    for name, value in view.items():
        app.session_state[f"see_{name}"] = value
    app.session_state["share view"] = True
    app.run()
    (data,) = (part.data for part in flat(records[-1].parts()) if getattr(part, "name", "").endswith("patch_attention"))
    assert {name: unpack(data)[0][name] for name in view} == view


def test_a_hostile_sentence_stays_text(records: list[Record]) -> None:
    hostile = "</script><script>alert(1)</script> <img src=x onerror=alert(1)>"
    run_page("attention/heads.py", model="tiny-lm", text=hostile, **OPEN)
    html = share.as_html(records[-1], hostile, {"Sentence": hostile}, "", "light", "naskh")
    assert "alert(1)" in html
    assert "<img" not in html
    assert "<script>alert" not in html
