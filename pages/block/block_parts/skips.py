"""Skip connections: the gradient that reaches each depth, with and without them."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from functools import partial

import streamlit as st
from streamlit.delta_generator import DeltaGenerator
from torch import Tensor

from model.experiments import gradients
from model.experiments.gradients import derivative_of_sum, fresh, gradient_by_depth, narrow
from model.experiments.layerwise_gradient import layer_gradients, record_streams
from model.graph.on_demand import stream_names
from model.network.transformer import Transformer
from model.run import ids_of
from pages.block.block_parts.layer_choice import choose_layer, read_token
from pages.shared.elements import figures, layout, long_text
from pages.shared.model_runs import measurements, traces
from pages.shared.session import state
from pages.shared.session.last_made import keep_last
from viz.shared.lines import by_place, lines_figure
from viz.shared.style import markdown_text, number

WIDTH = 64  # features of the untrained networks; a narrow stream keeps many layers quick
UNTRAINED = {  # name: with skips, with norms
    "untrained": (True, True),
    "untrained, no skips": (False, True),
    "untrained, no norms": (True, False),
    "untrained, neither": (False, False),
}


def show(depth: str) -> None:
    if depth == "Code":
        layout.code(gradients.gradient_by_depth, layer_gradients, gradients.fresh)
        return
    if depth == "Formula":
        layout.equation(
            r"\frac{d\,(F(x) + x)}{dx} = F'(x) + 1",
            "Palaskos (2022), eq. 3.51. The 1 lets the gradient pass, however small $F'$ is.",
        )
        _work_out()
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
    deepest = max(map(len, lines.values()))
    rows = [
        {"layer": layer, **{name: norms[layer] for name, norms in lines.items() if layer < len(norms)}}
        for layer in range(deepest)
    ]
    figure = lines_figure(by_place(lines), "layer", "gradient norm", log="y", theme=state.theme())
    figures.show_or_list(depth == "Numbers", figure, "Gradient norm by layer, with and without skips", lambda: rows)
    ratio = {name: values[0] / values[-1] for name, values in lines.items() if values[-1] > 0}
    vanished = [markdown_text(name) for name, values in lines.items() if 0 in values]
    layout.caption(
        "The gradient at the first layer, as a multiple of that at the last: "
        + "; ".join(f"{markdown_text(name)} {number(share)}" for name, share in ratio.items())
        + f". The untrained networks have this model's kind, width {WIDTH} and one fixed seed; the loss is that of the "
        "next tokens of your sentence (for an encoder: one fixed direction of its output)."
        + (f" Exactly 0 in some layer, and so without a point here: {'; '.join(vanished)}." if vanished else "")
    )
    figures.export(f"{run.name}-gradients", figure, lambda: rows)


def _work_out() -> None:
    """Work out the derivative of a token's largest feature by itself, through a layer's attention and past it."""
    place = choose_layer(("resid_in",))
    token, resid_in = read_token(place), place.tensor("resid_in")
    feature = int(resid_in[token].abs().argmax())
    with traces.forward_pass():
        inner, outer = derivative_of_sum(
            place.run.model.network, f"{place.stack}.{place.layer}", resid_in, token, feature
        )
    layout.work_out(
        f"Feature {feature} of {layout.quote(place.tokens[token], token)}, its largest, with the self-attention of "
        f"layer {place.layer} as F:",
        rf"F'(x) + 1 = {layout.tex(inner, 5)} + 1 = {layout.tex(outer, 5)}",
    )


def _read_lines(run: traces.Run, layers: int) -> dict[str, list[float]]:
    """Gradient norms by layer of the trained model and of untrained ones, as far as they are measured."""
    if max(len(run.trace.tokens), len(run.trace.source_tokens)) <= long_text.MOST_TOKENS:
        return _measure_lines(run.key, layers, run)
    lines: dict[str, list[float]] = keep_last("_block_gradients", (*run.key, layers), dict)
    with st.container():
        _offer_lines(run, layers, lines)
    return lines


@st.cache_data(show_spinner="Following the gradient", max_entries=64)
def _measure_lines(key: tuple[Hashable, ...], layers: int, _run: traces.Run) -> dict[str, list[float]]:
    """The lines of a short text. `key` is read by Streamlit's cache."""
    with traces.forward_pass():
        return {label: gradient_by_depth(*_prepare(_run, label, layers)).tolist() for label in _labels(_run)}


def _offer_lines(run: traces.Run, layers: int, lines: dict[str, list[float]]) -> None:
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
                key = (*run.key, layers if label in UNTRAINED else None)
                lines[label] = keep_last(f"_block {label}", key, partial(_follow, run, label, layers, bar))
    if len(lines) < len(labels):
        layout.caption(
            f"**Partial**: {len(lines)} of {len(labels)} networks are measured. In a long text that takes some seconds "
            "for each. “Follow the gradients” measures all."
        )


def _follow(run: traces.Run, label: str, layers: int, bar: DeltaGenerator) -> list[float]:
    """The line of one network, with a turn at the processor for each layer."""
    with traces.forward_pass():
        network, ids, streams = _prepare(run, label, layers)
    count = network.config.n_layers(network.config.stacks[-1])
    watch = partial(measurements.in_turns, count=count, bar=bar, what=markdown_text(label))
    return gradient_by_depth(network, ids, streams, watch).tolist()


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
