"""A page as a value: the files that show an element, and what is made before anybody sees it."""

from __future__ import annotations

from dataclasses import dataclass, field

import pandas as pd
import plotly.graph_objects as go
import pytest
from matplotlib.colors import to_hex
from matplotlib.figure import Figure

from views.parts import Canvas, Chart, DataTable, Files
from views.shown_page import ShownPage, in_focus
from views.view import View
from viz.documents.page_parts import Group
from viz.shared.style import apply_style, colour

BAR = apply_style(go.Figure(go.Bar(x=["a"], y=[1], marker={"color": [colour("query", "light")]})))


def files(*focus: str) -> Files:
    return Files("name", lambda theme: BAR, focus=focus)


def test_the_files_of_the_focus_are_chosen() -> None:
    found = [files(), files("b"), files("a", "b")]
    assert in_focus("b", found) == found[1:]
    assert in_focus("", found) == found
    assert in_focus("", [*found[1:], found[0]]) == found, "those that name no element come first"
    assert in_focus("c", found) == found[:1]
    assert in_focus("c", []) == []


def test_a_picture_for_print_is_a_figure_of_matplotlibs() -> None:
    assert to_hex(files().figure().axes[0].patches[0].get_facecolor()) == colour("query", "light")
    printed = Files("name", lambda theme: Figure(facecolor=colour("background", theme)))
    assert to_hex(printed.figure("dark").get_facecolor()) == colour("background", "dark")
    with pytest.raises(ValueError, match="numbers has no picture"):
        Files("numbers").figure()


@dataclass(frozen=True)
class Noted(View):
    """A view that notes what is made of it."""

    made: list[str] = field(default_factory=list)

    def picture(self) -> Group:
        return Group([Chart(self._draw, "A bar"), Canvas("home/path", self._pack, "path"), DataTable(self._list)])

    def _draw(self, theme: str) -> go.Figure:
        self.made.append(theme)
        return BAR

    def _pack(self) -> bytes:
        self.made.append("packed")
        return b""

    def _list(self) -> pd.DataFrame:
        self.made.append("listed")
        return pd.DataFrame()


def test_all_that_the_screen_shows_is_made_ahead() -> None:
    view = Noted()
    ShownPage("Title", "Idea", "", view, "Picture").make_ahead("dark")
    assert view.made == ["dark", "packed", "listed"]
