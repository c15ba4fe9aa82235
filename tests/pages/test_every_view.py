"""One walk over every view at every depth: it raises nothing and complains of nothing, its pictures are said in words,
no name of code stands in its words, its sums are worked out, its files can be made, and a saved page holds all of it,
whichever depth a link opens. Its notebook: tests/pages/shared/sharing/test_view_notebooks.py."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from pages.shared.elements import layout
from pages.shared.session.keys import DEPTHS
from tests.pages.conftest import messages, run_page, shown_page
from tests.pages.executed_notebooks import written
from tests.pages.views import PART_VIEWS, VIEWS, View
from tests.pages.words_on_page import misnamed_controls, names_of_code
from views.shown_page import HEAD_PARTS
from viz.documents.page_parts import Component, Plot, flatten
from viz.shared.payload import unpack
from viz.shared.style import COLOURS

# A sum with numbers ends in one: "= 0.351", "= (-4.500)", "\to 1.000", "= 2{,}048", "= 2.4 \cdot 10^{-5}".
WORKED = re.compile(r"(=|\\to|\\approx) *\(?-?[\d.{},]+( \\cdot 10\^\{-?\d+\})?\)?")

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

APPS_OWN = ("_help", "_run_bar")  # ends of names of components that belong to the app, and not to a page

# A part that is a list of words, and one that says that it needs a model of the hub
# (tests/pages/learning/test_published.py has one).
WORDS_ONLY = {"see: kinds", "training: published"}
# Parts whose equations are not worked out below: their numbers are rows of a table, or the map works them out.
NO_SUMS = {
    "tokens: tokeniser", "positions: table", "positions: circles", "positions: join", "positions: order",
    "positions: requirements", "heads: What they do, measures", "heads: What they do, rollout", "block: flow",
    "see: kinds", "see: map", "training: published",
}  # fmt: skip


@pytest.fixture
def offered(monkeypatch: pytest.MonkeyPatch) -> dict[str, tuple[Mapping[str, Any], Mapping[str, Any]]]:
    """The files that the page offers: by name, its pictures and its other files, each by label."""
    found: dict[str, tuple[Mapping[str, Any], Mapping[str, Any]]] = {}

    def collect(name: str, pictures: Mapping[str, Any] | None = None, **makers: Any) -> None:
        found[name] = (pictures or {}, makers)

    monkeypatch.setattr(layout, "export", collect)
    return found


@pytest.mark.slow
@pytest.mark.parametrize("view", VIEWS, ids=str)
def test_a_view_at_every_depth(view: View, offered: dict[str, Any]) -> None:
    app = opened_at(view, "Picture")
    text = written(app, view.page)
    made: set[str] = set()
    for depth in DEPTHS:
        if depth == "Numbers":
            offered.clear()
            app.session_state["depth"] = depth
            app.run()
        elif depth != "Picture":
            offered.clear()
            app = opened_at(view, depth)
            assert written(app, view.page) == text, "each depth settles the same values"
        opens(view, app)
        if depth != "Code":
            assert not names_of_code(app), "readers know a tensor and a key by other names"
        assert not misnamed_controls(app)
        holds_all(app)
        if depth == "Picture":
            assert bool(offered) == (view.part not in WORDS_ONLY), "what shows a picture offers its files"
        elif depth == "Numbers":
            assert bool(app.dataframe) == (view.part not in WORDS_ONLY)
        elif depth == "Formula":
            assert app.latex
            sums = [each.value for each in app.latex if WORKED.search(each.value)]
            assert bool(sums) == (view.part not in NO_SUMS), sums
        else:
            assert app.code
        if view in PART_VIEWS:
            files_are_made({name: menu for name, menu in offered.items() if name not in made})
            made |= set(offered)


def opened_at(view: View, depth: str) -> AppTest:
    """The page, opened at a depth by a link."""
    return run_page(view.file, **view.values, depth=depth)


def opens(view: View, app: AppTest) -> None:
    """The page shows the view that was asked for, and says in words what each picture shows."""
    assert not app.exception
    assert not messages(app)
    for name, value in view.state.items():
        assert app.session_state[name] == value
    for chart in app.main.get("plotly_chart"):
        assert len(chart.proto.alt.split()) > 3


def sent(app: AppTest) -> Iterator[tuple[str, Any]]:
    """What the browser got for the main column: kind and message of each element, without those left out."""

    def below(node: Any, is_seen: bool = False) -> Iterator[tuple[str, Any]]:
        proto = getattr(node, "proto", None)
        name = str(getattr(proto, "id", ""))
        if node.type == "popover" or name.endswith(("-teaching", "-try this", " unseen")) or "-controls " in name:
            return
        is_seen = is_seen or name.endswith("-view")
        if hasattr(node, "children"):
            for child in node.children.values():
                yield from below(child, is_seen)
        elif is_seen and not getattr(proto, "component_name", "").endswith(APPS_OWN):
            yield node.type, proto

    yield from below(app.main)


def holds_all(app: AppTest) -> None:
    """The saved page of the view has a part for each element that the browser got, with the same data."""
    parts = list(flatten(shown_page(app).parts()))[HEAD_PARTS:]
    shown = [(kind, proto) for kind, proto in sent(app) if kind not in ACTS]
    unread = {kind for kind, proto in shown} - READ
    assert not unread, f"A saved page would lack {unread}: name them in views/plain.py."
    assert len(parts) == len(shown) > 0
    assert [unfrozen(part.data) for part in parts if isinstance(part, Component)] == [
        unfrozen(proto.bytes if proto.WhichOneof("data") == "bytes" else proto.json)
        for kind, proto in shown
        if kind == "bidi_component"
    ]
    assert [part.figure for part in parts if isinstance(part, Plot)] == [
        proto.spec for kind, proto in shown if kind == "plotly_chart"
    ]


def unfrozen(data: bytes | str) -> Any:
    """The data of a component, without the tiles that a saved map has in the place of a server."""
    if isinstance(data, str):
        return data
    header, arrays = unpack(data)
    kept = {name: each.tobytes() for name, each in arrays.items() if name != "frozen_tiles"}
    return {name: each for name, each in header.items() if name != "frozen"}, kept


def files_are_made(offered: Mapping[str, tuple[Mapping[str, Any], Mapping[str, Any]]]) -> None:
    """Each picture in the dark, with words or shapes in it; rows and arrays that are not empty."""
    for pictures, makers in offered.values():
        if pictures:
            assert {"SVG", "PDF", "PNG", "PNG (slide)"} <= set(pictures)
            svg = pictures["SVG"]("dark").decode()
            assert COLOURS["dark"]["background"] in svg
            assert "<path" in svg or "<image" in svg
        if "CSV" in makers:
            made = makers["CSV"]()
            text = made.decode("utf-8-sig") if isinstance(made, bytes) else made
            assert list(csv.DictReader(io.StringIO(text)))
        if "NPZ" in makers:
            with np.load(io.BytesIO(makers["NPZ"]()), allow_pickle=False) as arrays:
                assert arrays.files
