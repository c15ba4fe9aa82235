"""A figure exchanged for the other theme is the figure that is drawn for it."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import plotly.graph_objects as go
import pytest
from matplotlib.collections import PolyQuadMesh, QuadMesh

from viz.attention import combine, heads, masks, scores
from viz.block import layer
from viz.documents.restyle import counterparts, restyle_figure, theme_of
from viz.inputs import ladder, positions
from viz.learning import before_attention
from viz.models import classify, predict
from viz.print.from_plotly import to_matplotlib
from viz.shared.style import COLOURS, SERIES, Theme, apply_style, colour, with_alpha

RANDOM = np.random.default_rng(0)
WEIGHTS = RANDOM.dirichlet(np.ones(4), 4)
SIGNED = WEIGHTS - 0.25
WORDS = ["a", "#0072b2", "ہوں", "<b>"]

FIGURES: dict[str, Callable[..., go.Figure]] = {
    "weights": partial(heads.weights_figure, WEIGHTS, WORDS, WORDS, hidden=WEIGHTS < 0.1),
    "difference": partial(heads.weights_figure, SIGNED, WORDS, WORDS, kind="difference"),
    "products": partial(heads.products_figure, WEIGHTS[0], SIGNED[1]),
    "tensor": partial(layer.tensor_figure, SIGNED, WORDS),
    "histogram": partial(layer.histogram_figure, SIGNED, WEIGHTS),
    "bottleneck": partial(before_attention.bottleneck_figure, SIGNED[0]),
    "alignment": partial(before_attention.alignment_figure, WEIGHTS, 2, WORDS, WORDS),
    "lengths": partial(before_attention.length_figure, {"a": [(1, 0.5, 0.4, 0.6)], "b": [(1, 0.5, 0.4, 0.6)]}),
    "sizes": partial(combine.sizes_figure, WEIGHTS, WORDS),
    "similarity": partial(classify.similarity_figure, SIGNED),
    "ratings": partial(ladder.ratings_figure, WEIGHTS, WEIGHTS, WORDS, WORDS),
    "lens": partial(predict.lens_figure, [WORDS] * 4, WEIGHTS, WORDS),
    "classes": partial(classify.classes_figure, WEIGHTS[0], WORDS),
    "mask": partial(classify.mask_figure, WEIGHTS > 0.2, WORDS),
    "change": partial(masks.change_figure, WORDS, WEIGHTS[0], "change"),
    "distances": partial(positions.order_figure, WORDS, WEIGHTS[0], WEIGHTS[1]),
    "scale": partial(scores.scale_figure, np.array([1, 2, 4, 8]), {"theory": WEIGHTS[0], "sample": WEIGHTS[1]}, 4),
    "scales": partial(scores.scales_figure, np.array([1, 2, 4, 8]), {"one": {"sample": WEIGHTS[1]}}, 4),
    "temperature": partial(scores.temperature_figure, WORDS, WEIGHTS[0], WEIGHTS[1], "temperature 2"),
}


def read(figure: go.Figure) -> Any:
    return json.loads(figure.to_json() or "")


@pytest.mark.parametrize("name", FIGURES)
def test_exchanged_is_as_drawn(name: str) -> None:
    light, dark = FIGURES[name](theme="light"), FIGURES[name](theme="dark")
    before = read(light)
    assert read(restyle_figure(light, "dark")) == read(dark)
    assert read(restyle_figure(dark, "light")) == read(light) == before, "and the one on screen is left as it is"


def test_the_theme_of_a_figure_is_known_and_its_own_is_itself() -> None:
    themes: tuple[Theme, ...] = ("light", "dark")
    for theme in themes:
        figure = apply_style(go.Figure(), theme)
        assert theme_of(figure) == theme
        assert restyle_figure(figure, theme) is figure


def test_words_and_foreign_colours_stay() -> None:
    query = colour("query", "light")
    trace = go.Bar(x=[query], y=[1], text=[query], name=query, marker={"color": [query, "#123456", "red"]})
    figure = apply_style(go.Figure(trace), "light")
    figure.add_hline(y=0, line={"color": with_alpha(query, 0.5)})
    bar = restyle_figure(figure, "dark").data[0]
    assert (bar.x[0], bar.text[0], bar.name) == (query, query, query)
    assert tuple(bar.marker.color) == (COLOURS["dark"]["query"], "#123456", "red")
    line = restyle_figure(figure, "dark").layout.shapes[0].line
    assert line.color == with_alpha(COLOURS["dark"]["query"], 0.5)


@pytest.mark.parametrize("name", FIGURES)
def test_what_was_exchanged_can_be_printed(name: str) -> None:
    ours, theirs = (
        to_matplotlib(restyle_figure(FIGURES[name](theme="light"), "dark")),
        to_matplotlib(FIGURES[name](theme="dark")),
    )
    assert ours.get_facecolor() == theirs.get_facecolor()
    for cells in (QuadMesh, PolyQuadMesh):
        for mine, other in zip(ours.findobj(cells), theirs.findobj(cells), strict=True):
            np.testing.assert_array_equal(mine.get_array(), other.get_array())


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_each_colour_has_its_counterpart(theme: Theme) -> None:
    other: Theme = "light" if theme == "dark" else "dark"
    pairs = counterparts(theme)
    assert [pairs[colour] for colour in SERIES[theme]] == list(SERIES[other])
    assert {pairs[colour] for colour in COLOURS[theme].values()} <= {*COLOURS[other].values(), *SERIES[other]}
    assert pairs[COLOURS[theme]["text"]] == COLOURS[other]["text"]
