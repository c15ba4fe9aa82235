"""The text alternative of a figure says what the figure draws."""

import numpy as np
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from viz.shared.alternative import describe_figure


def test_a_short_series_is_read_out() -> None:
    figure = go.Figure(go.Bar(x=[0.25, 0.75], y=["am", "a"], orientation="h", name="head 2"))
    assert describe_figure("Weights.", figure) == "Weights. head 2: am 0.250, a 0.750."


def test_a_long_series_has_its_range_and_the_place_of_its_largest_value() -> None:
    figure = go.Figure(go.Scatter(x=list(range(20)), y=[-1.0, *range(19)], mode="lines"))
    assert describe_figure("Loss", figure) == "Loss. 20 values from −1.000 to 18.00, the largest at 19."


def test_a_heatmap_leaves_out_hidden_cells() -> None:
    z = np.array([[0.5, np.nan], [0.2, 0.8]])
    figure = go.Figure(go.Heatmap(z=z, x=["I", "<b>&lt;am&gt;</b>"], y=["I", "am"]))
    assert describe_figure("Weights", figure) == "Weights. 2 by 2, from 0.200 to 0.800, the largest at am, <am>."


def test_ticks_name_the_places() -> None:
    figure = make_subplots(2, 1)
    figure.add_trace(go.Bar(x=np.arange(2), y=[1, 2]), 2, 1)
    figure.update_xaxes(tickvals=[0, 1], ticktext=["fox", "dog"], row=2, col=1)
    assert describe_figure("Change", figure) == "Change. fox 1.000, dog 2.000."


def test_traces_without_numbers_are_left_out() -> None:
    figure = go.Figure([
        go.Scatter(x=[1], y=[2], mode="text", text=["a"]),
        go.Bar(x=["a"], y=[1], visible="legendonly"),
        go.Scatter3d(x=[1], y=[2], z=[3]),
        go.Bar(x=["a"], y=[None]),
        go.Scatter(x=["a"], y=["b"]),
    ])  # fmt: skip
    assert describe_figure("Nothing", figure) == "Nothing."


def test_a_map_has_places_and_no_numbers() -> None:
    figure = go.Figure(go.Scatter(x=[1.0, 2.0], y=[3.0, 4.0], mode="markers")).update_yaxes(visible=False)
    assert describe_figure("Words", figure) == "Words."


def test_many_series_are_counted() -> None:
    figure = go.Figure([go.Bar(x=["a"], y=[n]) for n in range(7)])
    assert describe_figure("Heads", figure) == "Heads. a 0. a 1.000. a 2.000. a 3.000. 3 more series."
