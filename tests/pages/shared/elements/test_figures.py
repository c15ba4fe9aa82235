"""The export menu that pages share: every file opens and holds the data."""

from __future__ import annotations

import base64
import io
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import plotly.graph_objects as go
import pytest
import streamlit as st

from pages.shared.elements import layout, renderer
from views.parts import Files, Rows
from viz.shared.fonts import FOLDER
from viz.shared.style import COLOURS, Theme, apply_style, colour


def bar(theme: Theme = "light") -> go.Figure:
    return apply_style(go.Figure(go.Bar(x=["a"], y=[1], marker={"color": [colour("query", theme)]})), theme)


def export(name: str, draw: Callable[..., go.Figure], rows: Rows = list, **arrays: Any) -> None:
    """The Export menu of a figure."""
    renderer.draw([Files(name, draw, draw, rows, (lambda: arrays) if arrays else None)], "Picture", {})


@pytest.fixture
def menu(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """What the menu would offer: the pictures, by label, and the other files."""
    offered: dict[str, Any] = {}

    def collect(name: str, pictures: Mapping[str, Any], **makers: Any) -> None:
        offered.update(name=name, pictures=pictures, makers=makers)

    monkeypatch.setattr(layout, "export", collect)
    return offered


@pytest.mark.slow
def test_every_file_of_the_menu_is_made(menu: dict[str, Any]) -> None:
    export("view", bar, lambda: [{"a": 1}], tensor=np.arange(3))
    pictures, makers = menu["pictures"], menu["makers"]
    assert (set(pictures), set(makers)) == ({"SVG", "PDF", "PNG", "PNG (slide)", "HTML"}, {"CSV", "NPZ"})
    assert pictures["PDF"]("light").startswith(b"%PDF")
    assert np.load(io.BytesIO(makers["NPZ"]()))["tensor"].tolist() == [0, 1, 2]


def test_a_picture_is_made_for_the_theme_that_is_asked_for(menu: dict[str, Any]) -> None:
    export("view", bar)
    themes: tuple[Theme, ...] = ("light", "dark")
    for theme in themes:
        svg = menu["pictures"]["SVG"](theme).decode()
        assert COLOURS[theme]["query"] in svg
        assert COLOURS[theme]["background"] in svg
        page = menu["pictures"]["HTML"](theme)
        assert "Plotly.newPlot" in page
        assert f'"paper_bgcolor":"{COLOURS[theme]["background"]}"' in page
        assert 'src="http' not in page  # the script is inside: it opens without a network


def test_the_files_of_a_figure_write_urdu_in_the_hand_of_the_reader(
    menu: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    urdu = go.Figure(go.Bar(x=["ہوں"], y=[1]))
    for hand, name in (("naskh", "NotoNaskhArabic"), ("nastaliq", "NotoNastaliqUrdu")):
        monkeypatch.setitem(st.session_state, "urdu", hand)
        export("view", lambda theme="light": urdu)
        assert f"#{name}" in menu["pictures"]["SVG"]("light").decode()
        page = menu["pictures"]["HTML"]("light")
        held = base64.b64encode((FOLDER / f"{name}-Regular.woff2").read_bytes()).decode()
        assert f"@font-face{{font-family:Urdu;src:url(data:font/woff2;base64,{held})" in page
    export("view", bar)
    assert "@font-face" not in menu["pictures"]["HTML"]("light").split("<script")[0]
