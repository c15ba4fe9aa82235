""" "Share this view": the link, and the saved page. That it holds all of every view: test_every_view.py."""

from __future__ import annotations

import pytest

from model import load
from pages.models.see_parts.sent_heads import SentHeads
from pages.shared.sharing import share
from tests.pages.conftest import run_page, session_of, shown_page
from tests.pages.executed_notebooks import executed, written
from viz.documents.page_parts import Code, Equation, Table, flatten
from viz.shared.payload import unpack

OPEN = {"share view": True}


def test_formulas_tables_and_code_are_read() -> None:
    app = run_page("learning/cost.py", depth="Formula", model="tiny-lm")
    formulas = [part.latex for part in flatten(shown_page(app).parts()) if isinstance(part, Equation)]
    assert len(formulas) > 2  # the two of the page, and those worked out on the reader's numbers
    assert formulas[1].startswith("2\\,T^2 D = 4\\,T D^2")
    app = run_page("learning/cost.py", depth="Code", model="tiny-lm")
    sources = [part.text for part in flatten(shown_page(app).parts()) if isinstance(part, Code)]
    assert any(source.startswith("def attention_costs") for source in sources)
    app = run_page("learning/cost.py", depth="Numbers", model="tiny-lm")
    (table,) = (part for part in flatten(shown_page(app).parts()) if isinstance(part, Table))
    assert table.columns == ["part", "grows with", "multiplications", "share", "bytes made"]
    assert len(table.rows) == table.total > 5
    assert all("." in row[3] and "," in row[2] for row in table.rows[:2])


def test_the_files_are_offered_once_the_menu_is_open() -> None:
    app = run_page("learning/cost.py", model="tiny-lm")
    assert app.sidebar.get("download_button") == []
    app.session_state["share view"] = True
    app.run()
    labels = [each.proto.label for each in app.sidebar.get("download_button")]
    assert labels == ["Page that works alone (HTML)", "Notebook that computes it (Jupyter)"]


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


@pytest.mark.slow
def test_the_notebook_gets_a_text_that_was_cut_as_the_page_has_read_it() -> None:
    whole, model = "the dog sees the cat " * 40, load("tiny-lm")
    app = run_page("attention/heads.py", model="tiny-lm", text=whole, heads_view="Matrix")
    text = executed(written(app))["live"].run.text
    assert whole.startswith(text)
    assert len(model.tokens_of(text)) == model.config.max_length
    app = run_page("attention/heads.py", model="tiny-lm", text="the dog sees the cat", heads_view="Matrix")
    assert executed(written(app))["live"].run.text == "the dog sees the cat"


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


@pytest.mark.slow
def test_a_saved_page_of_see_holds_the_head_that_was_picked_in_the_picture() -> None:
    app = run_page("models/see.py", see_model="digits-vit", see_part="attention")
    view = {"layer": 1, "head": 2, "patch": 5}
    session_of(app, SentHeads).view = view  # as the component reports it: the browser has drawn it already
    for name, value in view.items():
        app.session_state[f"see_{name}"] = value
    app.run()
    (data,) = (
        part.data for part in flatten(shown_page(app).parts()) if getattr(part, "name", "").endswith("patch_attention")
    )
    assert {name: unpack(data)[0][name] for name in view} == view


def test_a_hostile_sentence_stays_text() -> None:
    hostile = "</script><script>alert(1)</script> <img src=x onerror=alert(1)>"
    app = run_page("attention/heads.py", model="tiny-lm", text=hostile)
    html = share.make_html(shown_page(app).parts, hostile, {"Sentence": hostile}, "", "light", "naskh")
    assert "alert(1)" in html
    assert "<img" not in html
    assert "<script>alert" not in html
