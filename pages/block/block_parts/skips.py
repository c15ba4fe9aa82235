"""Skip connections: what is left of the tokens, and of the gradient, at each depth with and without them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial

import streamlit as st
from streamlit.delta_generator import DeltaGenerator
from torch import Tensor

from model.analysis import token_differences
from model.analysis.token_differences import differences_by_depth, token_difference
from model.experiments import gradients
from model.experiments.gradients import derivative_of_sum, fresh, gradient_by_depth, narrow
from model.experiments.layerwise_gradient import Watch, layer_gradients, record_streams
from model.graph.on_demand import stream_names
from model.network.transformer import Transformer
from model.run import ids_of
from pages.block.block_parts.layer_choice import choose_layer, read_token
from pages.shared.elements import claims, figures, layout
from pages.shared.model_runs import measurements, model_turns, traces
from pages.shared.session import state
from pages.shared.session.last_made import keep_last
from views.run_spec import RunSpec
from views.shared import long_text, quotes
from viz.shared.lines import by_place, lines_figure
from viz.shared.style import markdown_text, number

WIDTH = 64  # features of the untrained networks; a narrow stream keeps many layers quick
UNTRAINED = {  # name: with skips, with norms
    "untrained": (True, True),
    "untrained, no skips": (False, True),
    "untrained, no norms": (True, False),
    "untrained, neither": (False, False),
}

DIFFERENCE = "how much the tokens differ at the end without skips"


@dataclass(frozen=True)
class DepthLines:
    """Two numbers of each layer of one network, the first layer first."""

    differences: list[float]  # `token_difference` of the stream before the layer
    gradients: list[float]  # the norm of the gradient there


def show(depth: str) -> None:
    if depth == "Code":
        layout.code(token_differences.token_difference, gradients.gradient_by_depth, layer_gradients, gradients.fresh)
        return
    if depth == "Formula":
        layout.equation(
            r"\frac{d\,(F(x) + x)}{dx} = F'(x) + 1",
            "Palaskos (2022), eq. 3.51. The 1 lets the gradient pass, however small $F'$ is.",
        )
        _work_out()
        layout.equation(
            r"\frac{\lVert X - \mathbf{1}\,\bar x^\top \rVert}{\lVert X \rVert}",
            "How much the tokens differ from their mean. Dong et al. (2021) show with another norm that attention "
            "without skips brings it to 0, faster with each layer.",
            {"X": "the stream before a layer, a row for each token", r"\bar x": "the mean of the rows"},
        )
        _work_out_difference()
        return
    run = traces.current(keep=stream_names)
    st.slider("Layers of the untrained networks", 1, 48, key="block_depth", width=320)
    try:
        lines = _read_lines(run, state.get("block_depth"))
    except traces.errors() as error:
        st.warning(str(error), icon=":material/info:")
        return
    if not lines:
        return
    _show_differences(run, {name: line.differences for name, line in lines.items()}, depth)
    _show_gradients(run, {name: line.gradients for name, line in lines.items()}, depth)
    layout.caption(
        f"The untrained networks have this model's kind, width {WIDTH} and one fixed seed. The loss is that of the "
        "next tokens of your sentence (for an encoder: one fixed direction of its output)."
    )


def _show_differences(run: traces.Run, lines: dict[str, list[float]], depth: str) -> None:
    rows = partial(_rows, lines)
    figure = lines_figure(by_place(lines), "layer", "difference of the tokens", log="y", theme=state.theme())
    figures.show_or_list(depth == "Numbers", figure, "How much the tokens differ, by layer", rows)
    if "untrained, no skips" in lines:
        claims.tell(DIFFERENCE, lines["untrained, no skips"][-1])
    finite = {name: values[-1] for name, values in lines.items() if math.isfinite(values[-1])}
    last = "; ".join(f"{markdown_text(name)} {number(value)}" for name, value in finite.items())
    ended = [markdown_text(name) for name in lines if name not in finite]
    layout.caption(
        f"How much the tokens differ from their mean, as a share of their size. Before the last layer: {last}. "
        "Attention gives each token a mean of all. A skip connection adds that to the token. Without it the mean takes "
        "the token's place, so tokens become alike sooner. Where they are the same, no later layer can tell them "
        "apart." + (f" Its stream became 0 or too large for a number before that: {'; '.join(ended)}." if ended else "")
    )
    figures.export(f"{run.name}-differences", figure, rows)


def _show_gradients(run: traces.Run, lines: dict[str, list[float]], depth: str) -> None:
    rows = partial(_rows, lines)
    figure = lines_figure(by_place(lines), "layer", "gradient norm", log="y", theme=state.theme())
    figures.show_or_list(depth == "Numbers", figure, "Gradient norm by layer, with and without skips", rows)
    ratio = {name: values[0] / values[-1] for name, values in lines.items() if values[-1] > 0}
    vanished = [markdown_text(name) for name, values in lines.items() if 0 in values]
    layout.caption(
        "The size of the gradient at the first layer, as a multiple of that at the last: "
        + "; ".join(f"{markdown_text(name)} {number(share)}" for name, share in ratio.items())
        + ". A norm divides by the size of the stream, and so it divides the gradient: where streams are small, "
        "gradients are large. So a large one need not mean that much is learnt. Without skips it belongs to tokens "
        "that are nearly the same."
        + (f" Exactly 0 in some layer, and so without a point here: {'; '.join(vanished)}." if vanished else "")
    )
    figures.export(f"{run.name}-gradients", figure, rows)


def _rows(lines: dict[str, list[float]]) -> list[dict[str, float]]:
    """A row for each layer. A network with fewer layers has no value in the others."""
    deepest = max(map(len, lines.values()))
    return [
        {"layer": layer, **{name: values[layer] for name, values in lines.items() if layer < len(values)}}
        for layer in range(deepest)
    ]


def _work_out() -> None:
    """Work out the derivative of a token's largest feature by itself, through a layer's attention and past it."""
    place = choose_layer(("resid_in",))
    token, resid_in = read_token(place), place.tensor("resid_in")
    feature = int(resid_in[token].abs().argmax())
    with model_turns.forward_pass():
        inner, outer = derivative_of_sum(
            place.run.model.network, f"{place.stack}.{place.layer}", resid_in, token, feature
        )
    layout.work_out(
        f"Feature {feature} of {quotes.quote(place.tokens[token], token)}, its largest, with the self-attention of "
        f"layer {place.layer} as F:",
        rf"F'(x) + 1 = {quotes.tex(inner, 5)} + 1 = {quotes.tex(outer, 5)}",
    )


def _work_out_difference() -> None:
    """Work out the difference of the tokens before the layer on screen."""
    place = choose_layer(("resid_in",))
    x = place.tensor("resid_in")
    apart, size = (x - x.mean(0)).norm(), x.norm()
    layout.work_out(
        f"Before layer {place.layer}:",
        rf"\frac{{{quotes.tex(float(apart))}}}{{{quotes.tex(float(size))}}} = {quotes.tex(float(token_difference(x)))}",
    )


def _read_lines(run: traces.Run, layers: int) -> dict[str, DepthLines]:
    """The lines of the trained model and of the untrained ones. Of a long text, those that the reader has measured."""
    if max(len(run.trace.tokens), len(run.trace.source_tokens)) <= long_text.MOST_TOKENS:
        return _measure_lines(run.spec, layers, run)
    lines: dict[str, DepthLines] = keep_last("gradients by depth", (run.spec, layers), dict)
    with st.container():
        _offer_lines(run, layers, lines)
    return lines


@st.cache_data(show_spinner="Following the gradient", max_entries=64)
def _measure_lines(spec: RunSpec, layers: int, _run: traces.Run) -> dict[str, DepthLines]:
    """The lines of a short text. `spec` is read by Streamlit's cache."""
    with model_turns.forward_pass():
        return {label: _measure(*_prepare(_run, label, layers)) for label in _labels(_run)}


def _offer_lines(run: traces.Run, layers: int, lines: dict[str, DepthLines]) -> None:
    """Measures the lines of a long text at the reader's wish, one network after the other, and puts them into `lines`.

    The session keeps the last line of each network. So the trained one is not measured again with the next depth.
    """
    labels = _labels(run)
    with st.container(horizontal=True, vertical_alignment="bottom", width="content"):
        title = "Measure again" if len(lines) == len(labels) else "Follow the gradients"
        start = measurements.measure_button(title, lines, ":material/undo:")
        stop = st.empty()
    if start:
        with measurements.watch(stop, "Following the gradients") as bar:
            for label in labels:
                key = (run.spec, layers if label in UNTRAINED else None)
                lines[label] = keep_last(f"_block {label}", key, partial(_follow, run, label, layers, bar))
    if len(lines) < len(labels):
        layout.caption(
            f"**Partial**: {len(lines)} of {len(labels)} networks are measured. In a long text that takes some seconds "
            "for each. “Follow the gradients” measures all."
        )


def _follow(run: traces.Run, label: str, layers: int, bar: DeltaGenerator) -> DepthLines:
    """The lines of one network, with a turn at the processor for each layer."""
    with model_turns.forward_pass():
        network, ids, streams = _prepare(run, label, layers)
    count = network.config.n_layers(network.config.stacks[-1])
    watch = partial(measurements.in_turns, count=count, bar=bar, what=markdown_text(label))
    return _measure(network, ids, streams, watch)


def _measure(network: Transformer, ids: Tensor, streams: Mapping[str, Tensor], watch: Watch = iter) -> DepthLines:
    norms = gradient_by_depth(network, ids, streams, watch)
    return DepthLines(differences_by_depth(network.config, streams).tolist(), norms.tolist())


def _labels(run: traces.Run) -> tuple[str, ...]:
    return f"{run.model.card.title}, trained", *UNTRAINED


def _prepare(run: traces.Run, label: str, layers: int) -> tuple[Transformer, Tensor, Mapping[str, Tensor]]:
    """A network, the ids that its last stack reads, and the residual streams of its run over them."""
    trace, network = run.trace, run.model.network
    ids, source = ids_of(trace.tokens), ids_of(trace.source_tokens) if trace.source_tokens else None
    if label not in UNTRAINED:
        return network, ids, trace.tensors
    network = fresh(narrow(run.model.config, WIDTH), layers, *UNTRAINED[label])
    return network, ids, record_streams(network, ids, source)
