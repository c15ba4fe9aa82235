"""A figure for print holds what the figure on screen holds: values, places, scales, words."""

from typing import Any

import numpy as np
import plotly.graph_objects as go
import pytest
from matplotlib.colors import to_hex
from plotly.subplots import make_subplots

from viz.attention.solids import solids_trace
from viz.print.from_plotly import to_matplotlib
from viz.shared.style import COLOURS, Theme, apply_style, plotly_text


def axes_of(figure: go.Figure) -> Any:
    """The first axes; Any, since what stands on them depends on the figure."""
    return to_matplotlib(figure).axes[0]


def styled(*traces: object, theme: Theme = "light") -> go.Figure:
    return apply_style(go.Figure(traces), theme, height=300)


def test_lines_keep_values_names_and_gaps() -> None:
    figure = styled(go.Scatter(x=[0, 1, 2], y=[3.0, None, 5.0], name="a", mode="lines"), go.Scatter(y=[1, 2], name="b"))
    picture = to_matplotlib(figure)
    first, second = picture.axes[0].get_lines()
    np.testing.assert_array_equal(first.get_ydata(), [3, np.nan, 5])
    np.testing.assert_array_equal(second.get_xdata(), [0, 1])
    assert first.get_color() != second.get_color()
    assert [text.get_text() for text in picture.legends[0].get_texts()] == ["a", "b"]


def test_a_heatmap_keeps_its_cells_its_scale_and_its_words() -> None:
    trace = go.Heatmap(
        z=[[0.0, 0.5], [1.0, np.nan]], zmin=0, zmax=1, colorscale=[[0, "#ffffff"], [1, "#0072b2"]],
        showscale=False,
    )  # fmt: skip
    words = go.Scatter(x=[0, 1], y=[0, 1], text=["p", "q"], mode="text", textfont={"color": ["#000000", "#ffffff"]})
    figure = styled(trace, words)
    figure.update_yaxes(autorange="reversed", tickvals=[0, 1], ticktext=[plotly_text("<b>"), "اردو"])
    axes = axes_of(figure)
    mesh = axes.collections[0]
    np.testing.assert_array_equal(np.ma.filled(mesh.get_array(), np.nan), [[0, 0.5], [1, np.nan]])
    assert (mesh.norm.vmin, mesh.norm.vmax) == (0, 1)
    assert [(text.get_text(), text.get_color()) for text in axes.texts] == [("p", (0, 0, 0, 1)), ("q", (1, 1, 1, 1))]
    assert [text.get_text() for text in axes.get_yticklabels()] == ["<b>", "اردو"]
    assert axes.yaxis_inverted()


def test_bars_of_a_group_stand_beside_each_other_and_of_a_stack_on_each_other() -> None:
    bars = [go.Bar(x=["p", "q"], y=[1, 2]), go.Bar(x=["p", "q"], y=[3, 4])]
    beside = axes_of(styled(*bars)).patches
    assert [bar.get_height() for bar in beside] == [1, 2, 3, 4]
    assert beside[0].get_x() + beside[0].get_width() == pytest.approx(beside[2].get_x())
    stacked = styled(*bars)
    stacked.update_layout(barmode="stack")
    assert [bar.get_y() for bar in axes_of(stacked).patches] == [0, 0, 1, 2]


def test_a_note_on_a_logarithmic_axis_stands_at_its_value() -> None:
    figure = styled(go.Scatter(x=[1, 1000], y=[1, 2]))
    figure.update_xaxes(type="log")
    figure.add_annotation(x=2, y=1, yref="paper", text="here", showarrow=False)
    axes = axes_of(figure)
    assert axes.get_xscale() == "log"
    assert axes.texts[0].xy == (100, 1)


def test_every_panel_has_its_axes_and_its_title() -> None:
    figure = make_subplots(1, 2, subplot_titles=["one", "two"])
    figure.add_scatter(y=[1, 2], row=1, col=1)
    figure.add_scatter(y=[3, 4], row=1, col=2)
    picture = to_matplotlib(apply_style(figure, "light", height=300))
    left, right = picture.axes
    assert left.get_position().x1 < right.get_position().x0
    assert {text.get_text() for axes in picture.axes for text in axes.texts} == {"one", "two"}


def test_the_ground_is_that_of_the_theme() -> None:
    light, dark = (to_matplotlib(styled(go.Bar(x=[1]), theme=theme)).get_facecolor() for theme in ("light", "dark"))
    assert to_hex(light) == COLOURS["light"]["background"]
    assert to_hex(dark) == COLOURS["dark"]["background"]


def test_points_in_space_keep_their_places() -> None:
    points = {"x": [1, 2], "y": [3, 4], "z": [5, 6]}
    axes = axes_of(styled(go.Scatter3d(**points, mode="lines"), go.Scatter3d(**points, mode="text", text=["a", "b"])))
    xs, ys, zs = axes.get_lines()[0].get_data_3d()
    assert (list(xs), list(ys), list(zs)) == ([1, 2], [3, 4], [5, 6])
    assert [text.get_position_3d() for text in axes.texts if text.get_text() in "ab"] == [(1, 3, 5), (2, 4, 6)]


def test_a_kind_that_is_not_known_is_named() -> None:
    with pytest.raises(ValueError, match="pie"):
        to_matplotlib(styled(go.Pie(values=[1])))


def test_an_arrow_between_two_places_of_the_data_keeps_both_ends() -> None:
    figure = styled(go.Scatter(x=[0, 2], y=[0, 2]))
    figure.add_annotation(
        x=1.5, y=1, ax=0.5, ay=0.25, xref="x", yref="y", axref="x", ayref="y", text="", arrowcolor="#0072b2"
    )
    (arrow,) = axes_of(figure).texts
    assert (arrow.xy, arrow.xyann) == ((1.5, 1), (0.5, 0.25))
    assert to_hex(arrow.arrow_patch.get_edgecolor()) == "#0072b2"


def test_shapes_and_arrows_without_a_trace_stand_on_axes_of_their_own() -> None:
    figure = make_subplots(1, 2)
    apply_style(figure, height=300)
    for name in ("", "2"):
        figure.add_shape(type="rect", x0=0, x1=1, y0=0, y1=1, xref=f"x{name}", yref=f"y{name}")
        figure.add_annotation(
            x=1, y=1, ax=0, ay=0, xref=f"x{name}", yref=f"y{name}", axref=f"x{name}", ayref=f"y{name}", text=""
        )
    figure.update_xaxes(visible=False, range=[-1, 3])
    for axes in to_matplotlib(figure).axes:
        assert axes.get_xlim() == (-1, 3)
        assert not len(axes.get_xticks())
        (arrow,) = axes.texts
        assert (arrow.xy, arrow.xyann) == ((1, 1), (0, 0))  # type: ignore[attr-defined]


def test_words_have_their_own_colours() -> None:
    trace = go.Scatter(x=[0, 1], y=[0, 0], mode="text", text=["a", "b"], textfont={"color": ["#ff0000", "#00ff00"]})
    assert [to_hex(text.get_color()) for text in axes_of(styled(trace)).texts] == ["#ff0000", "#00ff00"]


def test_words_have_the_size_that_they_have_on_the_screen() -> None:
    words = [
        go.Scatter(x=[0], y=[n], mode="text", text=["a"], textfont=font) for n, font in enumerate(({}, {"size": 8}))
    ]
    assert [text.get_fontsize() for text in axes_of(styled(*words)).texts] == [9, 6]


def test_a_closed_line_is_filled_and_one_without_width_is_not_drawn() -> None:
    area = go.Scatter(x=[0, 1, 1, 0], y=[0, 0, 2, 1], fill="toself", fillcolor="rgba(255,0,0,0.2)", line={"width": 0})
    axes = axes_of(styled(area, go.Scatter(y=[1, 2])))
    assert [line.get_ydata().tolist() for line in axes.get_lines()] == [[1, 2]]
    (filled,) = axes.patches
    np.testing.assert_array_equal(filled.get_xy()[:4], [[0, 0], [1, 0], [1, 2], [0, 1]])
    assert filled.get_facecolor() == pytest.approx((1, 0, 0, 0.2))


def test_the_title_stands_above_the_legend() -> None:
    figure = styled(go.Bar(y=[1], name="a"), go.Bar(y=[2], name="b")).update_layout(title={"text": "t"})
    picture = to_matplotlib(figure)
    legend, title = picture.legends[0], picture._suptitle  # type: ignore[attr-defined]
    picture.draw_without_rendering()
    assert title.get_window_extent().y0 >= legend.get_window_extent().y1
    assert to_matplotlib(styled(go.Bar(y=[1])).update_layout(title={"text": "t"}))._suptitle.get_text() == "t"  # type: ignore[attr-defined]


def test_solids_in_space_keep_their_colours_and_names_theirs() -> None:
    solids = solids_trace(
        "diamond", np.array([[0.0, 0, 0], [1, 1, 1]]), np.full((2, 3), 0.1), ["#ff0000", "#00ff00"], ["p", "q"],
        "keys", "#0000ff",
    )  # fmt: skip
    names = go.Scatter3d(x=[0], y=[0], z=[0], mode="text", text=["p"], textfont={"color": "#0000ff"})
    line = go.Scatter3d(x=[0, 1], y=[0, 1], z=[0, 1], mode="lines", line={"color": "#111111"})
    figure = styled(solids, names, line)
    figure.update_layout(scene={"xaxis": {"showticklabels": False, "title": {"text": "first"}}})
    picture = to_matplotlib(figure)
    picture.draw_without_rendering()  # what is in space is placed and coloured as it is drawn
    axes: Any = picture.axes[0]
    (faces,) = axes.collections
    assert len(faces.get_facecolors()) == 16
    assert {to_hex(tone) for tone in faces.get_facecolors()} == {"#ff0000", "#00ff00"}
    assert [to_hex(text.get_color()) for text in axes.texts if text.get_text() == "p"] == ["#0000ff"]
    assert [to_hex(each.get_color()) for each in axes.get_lines()] == ["#0000ff", "#111111"]
    assert axes.get_lines()[0].get_label() == "keys", "the legend names them"
    assert axes.get_xlabel() == "first"


def test_whole_numbers_have_whole_ticks() -> None:
    layers = axes_of(styled(go.Heatmap(z=np.eye(3))))
    assert all(tick % 1 == 0 for tick in [*layers.get_yticks(), *layers.get_xticks()])
    mixed = axes_of(styled(go.Scatter(x=[0, 1], y=[0, 1]), go.Scatter(x=[0, 1], y=[0.25, 0.5])))
    assert all(tick % 1 == 0 for tick in mixed.get_xticks())
    assert any(tick % 1 for tick in mixed.get_yticks())


def test_a_scale_below_its_cells_follows_them_and_clicks_leave_no_mark() -> None:
    cells = go.Heatmap(z=[[0.0, 1.0]], colorbar={"orientation": "h", "len": 0.5, "thickness": 10})
    clicks = go.Scatter(x=[0, 1], y=[0, 0], mode="markers", marker={"opacity": 0})
    figure = styled(cells, clicks).update_yaxes(scaleanchor="x", constraintoward="top")
    picture = to_matplotlib(figure)
    axes: Any = picture.axes[0]
    picture.draw_without_rendering()
    (scale,) = axes.child_axes
    box, bar = axes.get_window_extent(), scale.get_window_extent()
    assert (bar.x0, bar.width) == pytest.approx((box.x0, box.width / 2))
    assert bar.y1 < box.y0
    assert len(axes.collections) == 1, "the cells alone"


def test_a_figure_keeps_its_own_width_and_an_axis_the_colour_of_its_title() -> None:
    figure = styled(go.Bar(y=[1])).update_layout(width=450, margin={"l": 0, "r": 50})
    figure.update_layout(xaxis={"title": {"text": "key", "font": {"color": "#d55e00"}}})
    picture = to_matplotlib(figure)
    assert picture.get_figwidth() == 4
    assert to_hex(picture.axes[0].xaxis.label.get_color()) == "#d55e00"
