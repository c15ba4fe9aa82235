"""Predict, the lens: how the residual stream drifts from layer to layer at the chosen position."""

from __future__ import annotations

import streamlit as st

from model import Trace
from model.analysis.logit_lens import lens_names
from model.analysis.stream_drift import StreamDrift, stream_drift, stream_rows
from pages.models.predict_parts.writing import Continuation
from pages.shared.elements import figures, layout
from pages.shared.model_runs import traces
from pages.shared.session import state
from views.shared import quotes, sums
from viz.models.drift import drift_figure, way_figure
from viz.models.predict import layer_name
from viz.shared.style import number, percent


def show(written: Continuation, row: int, position: int, read: str, numbers: bool) -> None:
    """The lengths and the turns, and the way, at one position; a row of the lens is marked."""
    drift = _drift(written, position)
    count = len(drift.lengths)
    rows = [
        {"after": layer_name(each, count), "length": float(drift.lengths[each])}
        | {"cosine": float(drift.cosines[each - 1]) if each else 1.0}
        | {"component 1": float(drift.places[each, 0]), "component 2": float(drift.places[each, 1])}
        for each in range(count)
    ]
    lengths, cosines, places = (each.numpy() for each in (drift.lengths, drift.cosines, drift.places))
    shares = drift.shares.tolist()
    turns = drift_figure(lengths, cosines, row=row, theme=state.theme())
    way = way_figure(places, shares, row=row, theme=state.theme())
    if numbers:
        st.dataframe(rows, hide_index=True)
    else:
        with st.container(key="predict drift"):
            left, right = st.columns([3, 2], gap="medium")
            with left:
                figures.show(turns, "The length of the stream and its cosine with the layer before, by layer")
            with right:
                figures.show(way, "The way of the stream along its first two components")
    layout.caption(_describe(drift, read, position))
    figures.export("stream-drift", turns, lambda: rows, ("predict drift",), lengths=lengths, cosines=cosines)
    figures.export("stream-way", way, lambda: rows, ("predict drift",), places=places, shares=drift.shares)


def work_out(written: Continuation, position: int, name: str) -> None:
    """The equations, with the cosine over the layer that turns the stream most."""
    layout.equation(
        r"\cos(x_l, x_{l+1}) = \frac{x_l \cdot x_{l+1}}{|x_l|\,|x_{l+1}|}, \qquad z_l = (x_l - \bar x)\, V",
        "The length: Xiong et al. (2020), arXiv:2002.04745. Principal components: Pearson (1901); Hotelling (1933)",
        {
            "x_l": "the residual stream at the token after l layers",
            r"\bar x": "the mean of the stream over all layers at that token",
            "V": "the two directions in which the stream differs most from layer to layer",
            "z_l": "the place on the way",
        },
    )
    rows = stream_rows(written.run.model.config, _trace(written), position)
    steepest = int(_drift(written, position).cosines.argmin())
    layout.work_out(
        f"Layer {steepest} turns the stream at {name} most:",
        rf"\cos(x_{{{steepest}}}, x_{{{steepest + 1}}}) = {sums.cosine(rows[steepest], rows[steepest + 1])}",
    )


def _trace(written: Continuation) -> Trace:
    return traces.trace_ids(written.run.model, written.ids, lens_names(written.run.model.config))


def _drift(written: Continuation, position: int) -> StreamDrift:
    return stream_drift(written.run.model.config, _trace(written), position)


def _describe(drift: StreamDrift, read: str, position: int) -> str:
    steepest = int(drift.cosines.argmin())
    lengths, shares = drift.lengths.tolist(), drift.shares.tolist()
    return (
        f"At {quotes.quote(read, position)} the stream is {number(lengths[0], 2)} long in the embedding and "
        f"{number(lengths[-1], 2)} at the end. Layer {steepest} turns it most: its cosine is "
        f"{number(float(drift.cosines[steepest]), 2)}. The way is seen along the two directions in which it differs "
        f"most, with {percent(sum(shares))} of the variance."
    )
