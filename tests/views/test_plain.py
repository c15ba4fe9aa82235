"""A view as plain parts: what files are written of."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import partial
from typing import Any

import pandas as pd
import plotly.graph_objects as go
import pytest

from views.parts import Action, Canvas, Chart, Controls, DataTable, Files, PageLink, Source
from views.plain import plain_table, plain_view
from views.view import View
from viz.attention.heads import products_figure
from viz.documents.page_parts import Code, Component, Group, Plot, Table, Text
from viz.shared.payload import pack


@dataclass(frozen=True)
class Inner(View):
    word: str

    def picture_parts(self) -> list[Any]:
        return [Text(self.word), Controls("window"), Action("Go", {"layer": 1}, "go")]


@dataclass(frozen=True)
class Outer(View):
    def picture_parts(self) -> list[Any]:
        return [Group([Inner("seen"), Files("name")], "column", 2.0), Inner("last")]

    def code_parts(self) -> list[Any]:
        return [Source(plain_table), Code("x = 1\n", "python")]


def test_a_view_in_a_view_is_its_parts_and_nothing_acts() -> None:
    assert plain_view(Outer(), "Picture") == [Group([Text("seen")], "column", 2.0), Text("last")]


@dataclass(frozen=True)
class Wide(View):
    """Bars with so many names below them."""

    count: int

    def picture_parts(self) -> list[Any]:
        names = [f"word {place}" for place in range(self.count)]
        axis = {"tickvals": list(range(self.count)), "ticktext": names}
        return [Chart(lambda theme: go.Figure(go.Bar(y=[1] * self.count), {"xaxis": axis}), "Bars")]


def test_a_chart_says_how_wide_its_labels_are() -> None:
    (few,), (many,) = plain_view(Wide(4), "Picture"), plain_view(Wide(40), "Picture")
    assert isinstance(few, Plot)
    assert isinstance(many, Plot)
    assert 100 < few.least < 390 < many.least


@dataclass(frozen=True)
class Leading(View):
    def picture_parts(self) -> list[Any]:
        return [PageLink("Classify: many to one", "classify")]


def test_of_a_link_to_another_page_its_name_stays() -> None:
    assert plain_view(Leading(), "Picture") == [Text("Classify: many to one")]


def test_a_source_is_its_module_and_its_text() -> None:
    name, source, code = plain_view(Outer(), "Code")
    assert name == Text(":gray[`views.plain`]")
    assert isinstance(source, Code)
    assert source.text.startswith("def plain_table(")
    assert code == Code("x = 1")


@dataclass(frozen=True)
class Drawn(View):
    def picture_parts(self) -> list[Any]:
        figure = partial(products_figure, [1.0, 2.0], [3.0, -4.0])
        hidden = Canvas("attention/stack_weights", lambda: pack({}), key="stack", is_unseen=True)
        return [Chart(figure, "Two products", key="here"), Canvas("attention/heads_atlas", _data, key="atlas"), hidden]


def _data() -> bytes:
    return pack({"title": "All heads"})


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_pictures_are_drawn_in_the_theme_and_described(theme: Any) -> None:
    chart, component = plain_view(Drawn(), "Picture", theme)
    assert isinstance(chart, Plot)
    assert json.loads(chart.figure) == json.loads(products_figure([1.0, 2.0], [3.0, -4.0], theme=theme).to_json())
    assert chart.alt.startswith("Two products. ")
    assert isinstance(component, Component)
    assert (component.name, component.data) == ("glassformer_heads_atlas", _data())
    assert "export default" in component.script


def test_a_table_has_its_decimals_its_names_and_its_gaps() -> None:
    table = pd.DataFrame({"a": [1.25, float("nan")], "n": [1000, 2], "flag": [True, False]}, index=["x", "y"])
    shown = DataTable(lambda: table, 1, has_index=True, missing="–", titles={"n": "count"})
    assert plain_table(shown) == Table(
        ["", "a", "count", "flag"], [["x", "1.3", "1,000", "yes"], ["y", "–", "2", "no"]], 2
    )
