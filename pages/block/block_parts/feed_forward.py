"""The feed-forward network: hidden features before and after the nonlinearity, and the tokens each reacts to."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any

import streamlit as st

from model import Model
from model.analysis import neurons
from model.analysis.block_steps import steps
from model.analysis.neurons import excited_by, explain_output, share_of_small, share_of_zero, strongest
from model.config import ACTIVATIONS
from model.errors import TextTooLong
from model.network.feed_forward import FeedForward
from model.tape import Trace
from pages.block.block_parts.layer_choice import LayerOfRun, choose_layer, read_token
from pages.shared.elements import figures, layout
from pages.shared.model_runs import traces
from pages.shared.model_runs.model_choice import EXAMPLES
from pages.shared.session import state
from views.shared import quotes
from viz.block.layer import excited_figure, histogram_figure, neurons_figure
from viz.shared.style import number, percent
from viz.shared.tokens import words

MAX_ROWS = 12


def show(depth: str) -> None:
    if depth == "Formula":
        _show_formula()
    place = choose_layer(("ffn.*",))
    token = read_token(place)
    if depth == "Code":
        layout.code(FeedForward, neurons.strongest, neurons.excited_by)
        return
    if depth == "Formula":
        _work_out(place, token)
        return
    rows = _neuron_rows(place, token)
    if depth == "Numbers":
        st.dataframe(rows, hide_index=True)
        _export_strongest(place, rows)
    else:
        _show_pictures(place, token, rows)
    _show_shares(place)
    _show_excited(place, token)


def _export_strongest(place: LayerOfRun, rows: list[dict[str, Any]]) -> None:
    draw = partial(neurons_figure, [row["activated"] for row in rows], [row["neuron"] for row in rows])
    activated = place.tensor("ffn.activated").numpy()
    figures.export(f"{place.run.name}-neurons", draw, lambda: rows, activated=activated)


def _histogram_rows(draw: Callable[..., Any]) -> list[dict[str, Any]]:
    """One row for each bar of the histogram."""
    before, after = draw().data
    return [
        {"value": float(value), "share before": float(a), "share after": float(b)}
        for value, a, b in zip(before.x, before.y, after.y, strict=True)
    ]


def _show_pictures(place: LayerOfRun, token: int, rows: list[dict[str, Any]]) -> None:
    left, right = st.columns(2, gap="large")
    theme = state.theme()
    with left:
        st.markdown(f"**Strongest neurons at** {quotes.quote(place.tokens[token], token)}")
        figure = neurons_figure([row["activated"] for row in rows], [row["neuron"] for row in rows], theme)
        figures.show(figure, "The strongest hidden features of this token")
        _export_strongest(place, rows)
    with right:
        st.markdown("**All hidden features of the sentence**")
        hidden, activated = (place.tensor(f"ffn.{name}").numpy() for name in ("hidden", "activated"))
        draw = partial(histogram_figure, hidden, activated)
        gate = "The gate before the nonlinearity, and after it, times up"
        figures.show(
            draw(theme=theme), gate if place.config.gated else "Hidden features before and after the nonlinearity"
        )
        figures.export(
            f"{place.run.name}-hidden", draw, partial(_histogram_rows, draw), hidden=hidden, activated=activated
        )


def _neuron_rows(place: LayerOfRun, token: int) -> list[dict[str, Any]]:
    """One row for each of the strongest neurons, with every factor of its activation."""
    values, neurons = strongest(place.tensor("ffn.activated")[token], MAX_ROWS)
    names = ("hidden", "up") if place.config.gated else ("hidden",)
    parts = {name: place.tensor(f"ffn.{name}")[token] for name in names}
    return [
        {"neuron": neuron, **{name: float(part[neuron]) for name, part in parts.items()}, "activated": value}
        for neuron, value in zip(neurons.tolist(), values.tolist(), strict=True)
    ]


def _show_shares(place: LayerOfRun) -> None:
    activated = place.tensor("ffn.activated")
    zero = share_of_zero(activated)
    gate = "Gated: `activated` is act(`hidden`) × `up`. " if place.config.gated else ""
    layout.caption(
        f"{gate}{activated.shape[1]:,} neurons, {ACTIVATIONS[place.config.activation]}: {percent(zero)} of the "
        f"activations are exactly 0, {percent(share_of_small(activated))} are below a hundredth of the largest."
    )


def _show_excited(place: LayerOfRun, token: int) -> None:
    """Show the tokens of the example sentences that a neuron reacts to most, by the sign that it has at the token."""
    last = place.config.d_ff - 1
    if state.get("block_neuron") < 0:
        state.put(block_neuron=int(strongest(place.tensor("ffn.activated")[token], 1)[1][0]))
    neuron = state.checked_number("block_neuron", 0, last, "Neuron")
    st.number_input("Neuron", 0, last, key="block_neuron", width=160)
    name = f"{place.stack}.{place.layer}.ffn.activated"
    runs = _example_runs(place.run.model, name)
    if not runs:
        st.info("This model's longest text is shorter than every example sentence of the bar.")
        return
    rows: list[dict[str, Any]] = []
    value = float(place.tensor("ffn.activated")[token, neuron])
    for each in excited_by(runs, name, neuron, MAX_ROWS, negative=value < 0):
        trace = runs[each.sentence]
        tokens = words((place.stack == "encoder" and trace.source_tokens) or trace.tokens)
        before, after = " ".join(tokens[: each.place]), " ".join(tokens[each.place + 1 :])
        rows.append({"activation": each.activation, "before": before, "token": tokens[each.place], "after": after})
    st.dataframe(rows, hide_index=True)
    layout.caption(
        f"At {quotes.quote(place.tokens[token], token)} neuron {neuron} is {number(value)}. Over the {len(runs)} "
        f"example sentences of the bar, it is most {'negative' if value < 0 else 'positive'} at "
        f"{quotes.quote(rows[0]['token'])} ({number(rows[0]['activation'])})."
    )
    figures.export(f"{place.run.name}-neuron-{neuron}", partial(excited_figure, rows), lambda: rows)


def _example_runs(model: Model, keep: str) -> list[Trace]:
    """The runs of the example sentences, without those that are too long for the model."""
    runs = []
    for text in EXAMPLES:
        with suppress(TextTooLong):
            runs.append(traces.trace(model, text, keep))
    return runs


def _show_formula() -> None:
    layout.equation(
        r"\mathrm{FFN}(x) = W_2\, \sigma(W_1 x + b_1) + b_2",
        "Slides, “MLP/Feed Forward Layer”; Vaswani et al. (2017), eq. 2. Every token alone.",
    )
    layout.equation(
        r"\mathrm{FFN}(x) = W_2\, \bigl(\sigma(W_{gate}\, x) \odot W_{up}\, x\bigr)",
        "Gated: Shazeer (2020), arXiv:2002.05202. Without σ, all after the softmax would be linear in the values.",
    )


def _name_recorded(place: LayerOfRun) -> str:
    """The names under which the factors of the equation are recorded, in Markdown."""
    parts = [step for step in steps(place.config, place.stack) if step.name.startswith("ffn.")]
    names = ", ".join(f"`{step.name}`: {step.does}" for step in parts)
    return f"{'Gated' if place.config.gated else 'Not gated'} in this model. Recorded: {names}."


def _work_out(place: LayerOfRun, token: int) -> None:
    """Work out the token's strongest neuron, and its largest feature of the output as a sum over all neurons."""
    row, tex = _neuron_rows(place, token)[0], quotes.tex
    name, sigma = quotes.quote(place.tokens[token], token), ACTIVATIONS[place.config.activation]
    gate = rf" \cdot {tex(row['up'])}" if place.config.gated else ""
    layout.caption(_name_recorded(place))
    layout.work_out(
        f"The strongest neuron at {name} is {row['neuron']}, and σ is {sigma}:",
        rf"\sigma({tex(row['hidden'])}){gate} = {tex(row['activated'])}",
    )
    trace = place.run.trace.with_network(place.run.model.network)  # cached traces hold no model
    output = explain_output(trace, f"{place.stack}.{place.layer}.ffn.out", token, count=3)
    terms = " + ".join(rf"\underbrace{{{tex(term)}}}_{{{neuron}}}" for neuron, term in output.terms.items())
    layout.work_out(
        f"The output's largest feature, {output.feature}: its three strongest neurons, all others, and the bias:",
        f"{terms} + {tex(output.others)} + {tex(output.bias)} = {tex(output.total)}",
    )
