""" "Share this view": the link, and the saved page. That it holds all of every view: test_every_view.py."""

from __future__ import annotations

from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from model import load
from pages.models.see_parts.sent_heads import SentHeads
from pages.shared.recording.page_recording import Record
from pages.shared.sharing import share
from tests.pages.conftest import run_page, saved_parts, session_of
from viz.documents.page_parts import Code, Equation, Group, Heading, Table, Text, flatten
from viz.shared.payload import unpack

OPEN = {"share view": True}


def test_formulas_tables_and_code_are_read(records: list[Record]) -> None:
    app = run_page("learning/cost.py", depth="Formula", model="tiny-lm", **OPEN)
    formulas = [part.latex for part in flatten(saved_parts(app, records)) if isinstance(part, Equation)]
    assert len(formulas) > 2  # the two of the page, and those worked out on the reader's numbers
    assert formulas[1].startswith("2\\,T^2 D = 4\\,T D^2")
    app = run_page("learning/cost.py", depth="Code", model="tiny-lm", **OPEN)
    sources = [part.text for part in flatten(saved_parts(app, records)) if isinstance(part, Code)]
    assert any(source.startswith("def attention_costs") for source in sources)
    app = run_page("learning/cost.py", depth="Numbers", model="tiny-lm", **OPEN)
    (table,) = (part for part in flatten(saved_parts(app, records)) if isinstance(part, Table))
    assert table.columns == ["part", "grows with", "multiplications", "share", "bytes made"]
    assert len(table.rows) == table.total > 5
    assert all("." in row[3] and "," in row[2] for row in table.rows[:2])


def test_headings_notes_and_what_is_replaced(records: list[Record]) -> None:
    def page() -> None:
        import streamlit as st

        from pages.shared.recording import page_recording

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
    found = list(flatten(records[-1].parts()))
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
    app = run_page("models/predict.py", model="tiny-lm", text="", **OPEN)
    assert "Type a sentence" in app.error[0].value
    assert app.sidebar.get("download_button") == []
    assert "/predict?model=tiny-lm&text=" in app.sidebar.code[0].value


def test_the_menu_of_a_tool_has_a_link_only() -> None:
    app = run_page("teach/lecture.py", **OPEN)
    assert app.sidebar.get("download_button") == []
    assert "lecture" in app.sidebar.code[0].value


def test_the_link_shows_the_view() -> None:
    app = run_page("learning/cost.py", model="tiny-lm", cost_view="Growth", text="a & b", **OPEN)
    link = app.sidebar.code[0].value
    assert link.endswith("/cost?model=tiny-lm&text=a+%26+b&cost_view=Growth&cost_width=128&cost_heads=4&cost_layers=4")


def test_the_notebook_gets_a_text_that_was_cut_as_the_page_has_read_it(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[dict[str, Any]] = []
    values_here = share.values_here
    monkeypatch.setattr(share, "values_here", lambda: seen.append(values_here()) or seen[-1])
    whole, model = "the dog sees the cat " * 40, load("tiny-lm")
    run_page("attention/heads.py", model="tiny-lm", text=whole, **OPEN)
    assert whole.startswith(seen[-1]["text"])
    assert len(model.tokens_of(seen[-1]["text"])) == model.config.max_length
    run_page("attention/heads.py", model="tiny-lm", text="the dog sees the cat", **OPEN)
    assert seen[-1]["text"] == "the dog sees the cat"


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
    session_of(app, SentHeads).view = view  # as the component reports it: the browser has drawn it already
    for name, value in view.items():
        app.session_state[f"see_{name}"] = value
    app.session_state["share view"] = True
    app.run()
    (data,) = (
        part.data
        for part in flatten(saved_parts(app, records))
        if getattr(part, "name", "").endswith("patch_attention")
    )
    assert {name: unpack(data)[0][name] for name in view} == view


def test_a_hostile_sentence_stays_text(records: list[Record]) -> None:
    hostile = "</script><script>alert(1)</script> <img src=x onerror=alert(1)>"
    app = run_page("attention/heads.py", model="tiny-lm", text=hostile, **OPEN)
    html = share.make_html(lambda: saved_parts(app, records), hostile, {"Sentence": hostile}, "", "light", "naskh")
    assert "alert(1)" in html
    assert "<img" not in html
    assert "<script>alert" not in html


def test_a_view_is_collected_for_the_files_of_a_lecture_though_no_menu_is_open() -> None:
    def page() -> None:
        import streamlit as st
        from streamlit.runtime.scriptrunner import get_script_run_ctx

        from pages.shared.elements import figures
        from pages.shared.sharing import share

        context = get_script_run_ctx()
        with share.collect_views(context.session_id) as views, figures.collect_drawers(context.session_id) as drawers:
            drawers.append("of an earlier run")
            st.session_state.update(_page="heads", model="tiny-lm", text="a b", layer=3)
            menu = share.ShareMenu("heads")
            with menu.recording():
                st.write("The view")
            menu.offer()
        st.session_state["found"] = (views, list(drawers))
        assert share._collected.of(context.session_id) is None

    app = AppTest.from_function(page).run()
    assert not app.exception
    ((view,), drawers) = app.session_state["found"]
    assert list(flatten(view.record.parts())) == [Text("The view")]
    assert (view.page, view.values["layer"], view.facts["Sentence"], drawers) == ("heads", 3, "a b", [])
