"""What they do, Measures: a map of layers by heads for each measure of attention."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pandas as pd
import streamlit as st
import torch
from torch import Tensor

from model.analysis import head_measures, induction
from model.analysis.induction import repeated_input, repeated_length
from model.analysis.scores import entropy
from model.arrays import Array
from pages.shared.elements import figures, layout
from pages.shared.model_runs import traces
from pages.shared.session import state
from views.head_of_run import HeadOfRun
from viz.attention.head_work import maps_figure
from viz.shared.alternative import describe_figure
from viz.shared.payload import pack, unpack
from viz.shared.style import number


@dataclass(frozen=True)
class HeadMeasure:
    """A number for every head (layers, heads), with its definition. `top` ends its scale; None: its largest value."""

    name: str
    meaning: str
    values: Array
    top: float | None = 1.0
    unit: str = ""

    @property
    def strongest(self) -> tuple[int, int]:
        """The (layer, head) of the largest value."""
        layer, head = np.unravel_index(int(self.values.argmax()), self.values.shape)
        return int(layer), int(head)


def show_formula() -> None:
    layout.equation(
        r"\mathrm{previous} = \frac{1}{T-1} \sum_{i \geq 1} A_{i,\,i-1}, \qquad "
        r"\mathrm{first} = \frac{1}{T-1} \sum_{i \geq 1} A_{i,0}, \qquad H = -\sum_j A_{ij} \log_2 A_{ij}",
        "Means over the queries after the first, which can only look at itself.",
    )
    layout.equation(
        r"\mathrm{induction} = \frac{1}{n} \sum_{i=n}^{2n-1} A_{i,\,i-n+1}",
        "On n random tokens written twice: the weight on what followed the same token before. "
        "Olsson et al. (2022), arXiv:2209.11895.",
    )


def show_code() -> None:
    layout.code(head_measures, induction)


def show(screen: HeadOfRun, numbers: bool) -> None:
    measures = _measure(screen)
    maps = {each.name: each.values for each in measures}
    tops = {each.name: each.top or float(each.values.max()) or 1.0 for each in measures}
    figure = maps_figure(maps, tops, state.theme())
    if numbers:
        st.dataframe(_table(measures), hide_index=True)
    else:
        alt = describe_figure("Every measure of every head, as layers by heads", figure)
        figures.chart(figure, key="heads measures", alt=alt)
    st.markdown("\n".join(map(_describe, measures)))
    if screen.at.is_cross:
        layout.caption("In cross-attention queries and keys are different sentences: the other measures mean nothing.")
    else:
        layout.caption("All but induction are of your sentence, averaged over its tokens after the first.")
    figures.export(f"{screen.run.name}-heads", figure, lambda: _table(measures).to_dict("records"), **maps)


def _describe(measure: HeadMeasure) -> str:
    layer, head = measure.strongest
    largest = float(measure.values[layer, head])
    highest = f"Highest: layer {layer}, head {head}, {number(largest, 2)}{measure.unit}."
    return f"- **{measure.name}**: {measure.meaning}. {highest if largest else '0 in every head here.'}"


def _measure(screen: HeadOfRun) -> list[HeadMeasure]:
    at = screen.at
    packed = traces.pack(screen.run, f"measures {at.stack} {at.part}", lambda: pack({}, **_measure_weights(screen)))
    values = unpack(packed)[1]
    spread = HeadMeasure(
        "Entropy",
        "how spread a token's attention is, in bits: 0 on one key, $\\log_2 n$ evenly on n",
        values["entropy"],
        None,
        " bits",
    )
    first = HeadMeasure("First token", "share of attention on the first token", values["first"])
    if at.is_cross:
        return [spread, first]
    distance = HeadMeasure(
        "Distance",
        "how many places away a token looks, on average, $\\sum_j A_{ij} |i - j|$",
        values["distance"],
        None,
        " tokens",
    )
    previous = HeadMeasure("Previous token", "share on the token before", values["previous"])
    same = HeadMeasure("Same token", "share on other places of the same token; 0 where none repeats", values["same"])
    return [spread, distance, previous, same, first, _measure_induction(screen)]


def _measure_weights(screen: HeadOfRun) -> dict[str, Array]:
    """The measures of the sentence by name, (layers, heads) each. One layer after another: all at once may be large."""
    ids = [token.id for token in screen.query_tokens]
    measures: dict[str, Callable[[Tensor], Tensor]] = {
        "entropy": lambda weights: entropy(weights[..., min(1, weights.shape[-2] - 1) :, :]).mean(-1),
        "first": head_measures.first_token,
    }
    if not screen.at.is_cross:
        measures |= {"distance": head_measures.distance, "previous": head_measures.previous_token}
        measures["same"] = lambda weights: head_measures.same_token(weights, ids)
    values: dict[str, list[Tensor]] = {name: [] for name in measures}
    for layer in range(screen.n_layers):
        weights = screen.layer_weights(layer)
        for name, measure in measures.items():
            values[name].append(measure(weights))
    return {name: torch.stack(layers).numpy() for name, layers in values.items()}


def _measure_induction(screen: HeadOfRun) -> HeadMeasure:
    """Measured on random tokens that repeat, where only repetition can help."""
    run, at = screen.run, screen.at
    ids, source = repeated_input(run.model, at.stack, tuple(token.id for token in run.trace.source_tokens))
    trace = traces.trace_ids(run.model, ids, f"{at.every_layer}.weights", source)
    layers = [trace[f"{at.in_layer(layer).path}.weights"] for layer in range(screen.n_layers)]
    values = torch.stack([induction.induction(weights) for weights in layers])  # (layers, heads)
    meaning = (
        f"on {repeated_length(screen.config)} random tokens written twice (the same ones for every sentence), the mean "
        "share of a token of the second half on the token after its first place; Olsson et al. (2022), arXiv:2209.11895"
    )
    return HeadMeasure("Induction", meaning, values.numpy())


def _table(measures: list[HeadMeasure]) -> pd.DataFrame:
    """One row for each head."""
    layers, heads = measures[0].values.shape
    places = {"layer": np.repeat(np.arange(layers), heads), "head": np.tile(np.arange(heads), layers)}
    return pd.DataFrame(places | {each.name + each.unit: each.values.ravel() for each in measures})
