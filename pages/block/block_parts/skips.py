"""Skip connections: the gradient that reaches each depth, with and without them."""

from __future__ import annotations

from collections.abc import Hashable

import streamlit as st

from model.experiments import gradients
from model.experiments.gradients import derivative_of_sum, fresh, gradient_by_depth, narrow
from model.run import ids_of
from pages.block.block_parts.layer_choice import choose_layer, read_token
from pages.shared.elements import figures, layout, long_text
from pages.shared.model_runs import traces
from pages.shared.session import state
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
        layout.code(gradients.gradient_by_depth, gradients.fresh)
        return
    if depth == "Formula":
        layout.equation(
            r"\frac{d\,(F(x) + x)}{dx} = F'(x) + 1",
            "Palaskos (2022), eq. 3.51. The 1 lets the gradient pass, however small $F'$ is.",
        )
        _work_out()
        return
    run = traces.current(keep="logits")
    if long_text.is_refused(len(run.trace.tokens), "Gradients of up to 48 layers are followed back."):
        return
    st.slider("Layers of the untrained networks", 1, 48, key="block_depth", width=320)
    try:
        lines = _measure_gradients(run.key, state.get("block_depth"), run)
    except traces.errors() as error:
        st.warning(str(error), icon=":material/info:")
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
    token, trace = read_token(place), place.run.trace
    feature = int(place.tensor("resid_in")[token].abs().argmax())
    source = ids_of(trace.source_tokens) if trace.source_tokens else None
    with traces.forward_pass():
        inner, outer = derivative_of_sum(
            place.run.model.network, ids_of(trace.tokens), source, f"{place.stack}.{place.layer}", token, feature
        )
    layout.work_out(
        f"Feature {feature} of {layout.quote(place.tokens[token], token)}, its largest, with the self-attention of "
        f"layer {place.layer} as F:",
        rf"F'(x) + 1 = {layout.tex(inner, 5)} + 1 = {layout.tex(outer, 5)}",
    )


@st.cache_data(show_spinner="Following the gradient", max_entries=64)
def _measure_gradients(key: tuple[Hashable, ...], layers: int, _run: traces.Run) -> dict[str, list[float]]:
    """Gradient norms by layer of the trained model and of untrained ones. `key` is read by Streamlit's cache."""
    model = _run.model
    source = model.tokens_of(_run.text)
    tokens = model.target_tokens(source, _run.target) if model.config.kind == "encoder-decoder" else source
    ids = ids_of(tokens)
    source_ids = ids_of(source) if model.config.kind == "encoder-decoder" else None
    with traces.forward_pass():
        lines = {f"{model.card.title}, trained": gradient_by_depth(model.network, ids, source_ids).tolist()}
        for label, (residual, norm) in UNTRAINED.items():
            network = fresh(narrow(model.config, WIDTH), layers, residual, norm)
            lines[label] = gradient_by_depth(network, ids, source_ids).tolist()
    return lines
