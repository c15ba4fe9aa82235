"""Every view of every page on the screen: its controls draw and have the names of their keys, nothing is complained of,
and a saved page holds all that the screen shows.

What the views show, at each depth: tests/views/test_every_view.py. Their notebooks: tests/pages/shared/sharing.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from tests.pages.conftest import messages, run_page, shown_page
from tests.pages.views import VIEWS, View
from tests.pages.words_on_page import misnamed_controls, words_of
from tests.views.reader_words import names_of_code
from views.parts import Controls
from views.shown_page import HEAD_PARTS, ShownPage, walk
from views.view import DEPTHS, Depth
from viz.documents.page_parts import Component, Plot, flatten
from viz.shared.payload import unpack

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


@pytest.mark.slow
@pytest.mark.parametrize("view", VIEWS, ids=str)
def test_a_view_on_the_screen(view: View) -> None:
    """At the depth Picture, and at each other one that has a control which the depths before it lack."""
    page = opened(view, "Picture")
    drawn = controls_of(page, "Picture")
    for depth in DEPTHS[1:]:
        if controls_of(page, depth) - drawn:
            drawn |= controls_of(opened(view, depth), depth)


def opened(view: View, depth: Depth) -> ShownPage:
    """The page that a link opens at a depth."""
    app = run_page(view.file, **view.values, depth=depth)
    assert not messages(app)
    assert {name: app.session_state[name] for name in view.state} == view.state
    assert not misnamed_controls(app)
    assert depth == "Code" or not names_of_code(words_of(app)), "readers know a tensor and a key by other names"
    holds_all(app)
    return shown_page(app)


def controls_of(page: ShownPage, depth: Depth) -> set[str]:
    """The names of the places for controls in a view at a depth."""
    return {part.name for part in walk(page.view.at(depth), depth) if isinstance(part, Controls)}


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
