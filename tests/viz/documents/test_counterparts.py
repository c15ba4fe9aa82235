"""A figure whose colours a saved page exchanges for the other theme is the figure that is drawn for it."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from typing import Any

import numpy as np
import plotly.graph_objects as go
import pytest

from viz.attention import combine, heads, masks, scores
from viz.block import layer
from viz.documents.counterparts import counterparts, other_theme
from viz.inputs import ladder, positions
from viz.learning import before_attention
from viz.models import classify, predict
from viz.shared.style import COLOURS, SERIES, Theme, apply_style, colour, with_alpha

ROOT = Path(__file__).resolve().parents[3]
EXCHANGE = """
import { readFileSync } from "node:fs";
import { recolour } from "./assets/saved_page/recolour.js";
const given = JSON.parse(readFileSync(0, "utf8"));
console.log(JSON.stringify(given.map(({ figure, shown, swaps }) => recolour(figure, shown, swaps))));
"""
THEMES: tuple[Theme, ...] = ("light", "dark")

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


def exchanged(figures: list[Any], drawn: Theme) -> list[Any]:
    """The figures as the script of a saved page has them in the other theme."""
    given = [{"figure": each, "shown": other_theme(drawn), "swaps": counterparts(drawn)} for each in figures]
    command = ["node", "--input-type=module", "--eval", EXCHANGE]
    made = subprocess.run(command, input=json.dumps(given), capture_output=True, text=True, cwd=ROOT, check=True)
    found: list[Any] = json.loads(made.stdout)
    return found


@cache
def all_exchanged(drawn: Theme) -> dict[str, Any]:
    figures = [read(make(theme=drawn)) for make in FIGURES.values()]
    return dict(zip(FIGURES, exchanged(figures, drawn), strict=True))


@pytest.mark.parametrize("drawn", THEMES)
@pytest.mark.parametrize("name", FIGURES)
def test_exchanged_is_as_drawn(name: str, drawn: Theme) -> None:
    mine, theirs = all_exchanged(drawn)[name], read(FIGURES[name](theme=other_theme(drawn)))
    assert by_place(mine["data"]) == by_place(theirs["data"])
    assert mine["layout"] == theirs["layout"]


def by_place(traces: list[dict[str, Any]]) -> list[str]:
    """Texts in cells are a trace for each ink, in the order of the inks of both themes."""
    floats = json.loads(json.dumps(traces), parse_int=float)  # JavaScript writes 1.0 as 1
    return sorted(json.dumps(trace, sort_keys=True) for trace in floats)


def test_words_and_foreign_colours_stay() -> None:
    query = colour("query", "light")
    trace = go.Bar(x=[query], y=[1], text=[query], name=query, marker={"color": [query, "#123456", "red"]})
    figure = apply_style(go.Figure(trace), "light")
    figure.add_hline(y=0, line={"color": with_alpha(query, 0.5)})
    figure.update_xaxes(ticktext=[f'<span style="color:{query}">{query}</span>'])
    (made,) = exchanged([read(figure)], "light")
    (bar,), other = made["data"], COLOURS["dark"]["query"]
    assert (bar["x"], bar["text"], bar["name"]) == ([query], [query], query)
    assert bar["marker"]["color"] == [other, "#123456", "red"]
    assert made["layout"]["shapes"][0]["line"]["color"] == with_alpha(other, 0.5)
    assert made["layout"]["xaxis"]["ticktext"] == [f'<span style="color:{other}">{query}</span>']


@pytest.mark.parametrize("theme", THEMES)
def test_each_colour_has_its_counterpart(theme: Theme) -> None:
    other = other_theme(theme)
    pairs = counterparts(theme)["colours"]
    assert [pairs[colour] for colour in SERIES[theme]] == list(SERIES[other])
    assert {pairs[colour] for colour in COLOURS[theme].values()} <= {*COLOURS[other].values(), *SERIES[other]}
    assert pairs[COLOURS[theme]["text"]] == COLOURS[other]["text"]
