"""Each kind of part on the screen: what the browser gets for it, and which keys a press sets."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from pages.shared.elements import renderer
from pages.shared.elements.claims import ToldValues
from tests.pages.conftest import session_of
from views.parts import Action, Canvas, Chart, Controls, DataTable, Files, Source
from views.view import View
from viz.attention.heads import products_figure
from viz.documents.page_parts import Code, Equation, Group, Heading, Metric, Picture, Text
from viz.shared.payload import pack, unpack

DOT = "data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw=="
Q, K = np.array([1.0, 2.0]), np.array([3.0, -4.0])
TABLE = pd.DataFrame({"token": ["fox"], "weight": [0.51234]})


@dataclass(frozen=True)
class Inner(View):
    """A view in another one, which may be drawn alone."""

    alone = "inner"

    def picture_parts(self) -> list[Any]:
        return [Text("Inner words")]

    def told(self) -> dict[str, float | str]:
        return {"the inner number": 2.0}


@dataclass(frozen=True)
class EveryKind(View):
    """One part of each kind."""

    def picture_parts(self) -> list[Any]:
        return [
            Controls("above"),
            Heading("A heading", 2, has_line=True),
            Group([Group([Text("Left")], "column", 2.0), Group([Text("Right")], "column")], "row"),
            Group([Text("Folded")], "fold", title="A fold"),
            *(Text(f"A note: {kind}", kind) for kind in ("info", "warning", "error", "success")),
            Text("A source", "caption"),
            Equation("x = 1"),
            Code("x = 1", "python", is_numbered=True),
            Metric("A measure", "0.5"),
            Source(pack),
            Picture(DOT, "A dot"),
            Chart(partial(products_figure, Q, K), "Two products", "chart"),
            Canvas("attention/heads_atlas", partial(pack, {"first": {"query": 3}}), "atlas"),
            DataTable(lambda: TABLE, decimals=2),
            Action("Layer 1", {"layer": 1}, "to layer 1"),
            Files("kinds", rows=lambda: [{"a": 1}]),
            Inner(),
        ]

    def told(self) -> dict[str, float | str]:
        return {"a number": 1.0, "nothing": float("nan")}


def _draw() -> None:
    import streamlit as st

    from pages.shared.elements import renderer
    from tests.pages.shared.elements.test_renderer import EveryKind

    def choose() -> None:
        st.toggle("A control")

    def draw_alone() -> None:
        st.markdown("Alone")

    alone = {"inner": draw_alone} if st.session_state.get("alone") else {}
    renderer.show(EveryKind(), "Picture", {"above": choose, **alone})


@pytest.fixture(scope="module")
def app() -> AppTest:
    return AppTest.from_function(_draw, default_timeout=60).run()


def test_words_stand_in_their_order_and_in_their_places(app: AppTest) -> None:
    assert not app.exception
    assert [each.value for each in app.header] == ["A heading"]
    said = [each.value for each in app.markdown]
    assert said == ["Left", "Right", "Folded", ":gray[`viz.shared.payload`]", "Inner words"]
    assert [each.markdown[0].value for each in app.columns] == ["Left", "Right"]
    assert [column.weight for column in app.columns] == [pytest.approx(2 / 3), pytest.approx(1 / 3)]
    assert [(each.label, each.markdown[0].value) for each in app.expander] == [("A fold", "Folded")]
    notes = [each.value for kind in (app.info, app.warning, app.error, app.success) for each in kind]
    assert notes == ["A note: info", "A note: warning", "A note: error", "A note: success"]
    assert [each.value for each in app.caption] == ["A source"]


def test_equations_code_measures_and_pictures(app: AppTest) -> None:
    assert [each.value for each in app.latex] == ["$$\nx = 1\n$$"]
    written, source = app.code
    assert (written.value, written.language, written.proto.show_line_numbers) == ("x = 1", "python", True)
    assert source.value.startswith("def pack(")
    assert [(each.label, each.value) for each in app.metric] == [("A measure", "0.5")]
    (picture,) = app.get("image")
    assert [each.alt for each in picture.proto.imgs] == ["A dot"]


def test_a_chart_a_component_and_a_table_get_their_numbers(app: AppTest) -> None:
    (chart,) = app.get("plotly_chart")
    assert json.loads(chart.proto.spec)["data"] == json.loads(products_figure(Q, K).to_json())["data"]
    assert chart.proto.alt.startswith("Two products. ")
    (component,) = app.get("bidi_component")
    assert component.proto.component_name == "glassformer_heads_atlas"
    assert unpack(component.proto.bytes)[0] == {"first": {"query": 3}}
    (table,) = app.dataframe
    pd.testing.assert_frame_equal(table.value, TABLE)
    assert json.loads(table.proto.columns)["weight"]["type_config"]["format"] == "%.2f"


def test_controls_stand_where_the_view_keeps_their_place(app: AppTest) -> None:
    kinds = [each.type for each in app.main]
    assert kinds.index("toggle") < kinds.index("header")
    assert [each.proto.popover.label for each in app.get("popover")] == ["Export"]


def test_a_view_tells_its_numbers_and_those_of_the_views_in_it(app: AppTest) -> None:
    assert session_of(app, ToldValues).by_name == {"a number": 1.0, "the inner number": 2.0}


def test_a_button_sets_keys() -> None:
    app = AppTest.from_function(_draw, default_timeout=60).run()
    app.button(key="to layer 1").click().run()
    assert app.session_state["layer"] == 1


def test_controls_may_draw_a_view_alone() -> None:
    app = AppTest.from_function(_draw, default_timeout=60)
    app.session_state["alone"] = True
    app.run()
    said = [each.value for each in app.markdown]
    assert "Alone" in said
    assert "Inner words" not in said


def test_what_no_function_draws_is_an_error() -> None:
    with pytest.raises(TypeError, match="Nothing draws 3"):
        renderer.draw([3], "Picture", {})
