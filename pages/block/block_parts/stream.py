"""The residual stream through all layers: the length of what each sublayer adds, and how far each layer turns it."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import streamlit as st
import torch
from torch import Tensor

from model.analysis.block_steps import output_name, sublayer_outputs
from model.analysis.block_steps import sums as additions
from model.analysis.stream_growth import layer_cosines, layer_lengths
from model.arrays import Array
from model.device import PLAIN
from model.network.block import Block
from pages.block.block_parts.layer_choice import LayerOfRun, choose_layer, choose_stack, read_token
from pages.shared.elements import claims, figures, layout
from pages.shared.model_runs import traces
from pages.shared.session import state, token_window
from views.run_hook import RunHook
from views.run_spec import RunSpec
from views.shared import quotes, sums
from viz.block.layer import layers_figure
from viz.shared.payload import pack, unpack
from viz.shared.style import markdown_text, number
from viz.shared.tensor_titles import title_in_layer
from viz.shared.tokens import shorten

AT_FIRST = "the longest vector added at the first token, over the longest one elsewhere,"


def show(depth: str) -> None:
    if depth == "Formula":
        layout.equation(
            r"x_{l+1} = x_l + \mathrm{Attention}(x_l) + \mathrm{FFN}(x_l + \mathrm{Attention}(x_l))",
            "Palaskos (2022), eq. 3.51; encoder notes, section 0.1.5. The input bypasses the sublayer.",
        )
        layout.equation(
            r"\cos(x_l, x_{l+1}) = \frac{x_l \cdot x_{l+1}}{\lVert x_l \rVert\, \lVert x_{l+1} \rVert}",
            "1: the layer changed only the length. 0: its input and its output have nothing in common.",
        )
        _work_out()
        return
    hook = RunHook(("_attn.out", "ffn.out"), _length)
    place = choose_stack(lambda s: (f"{s}.*.resid_in", f"{s}.*_attn.out", f"{s}.*.ffn.out", *_outputs(s)), hook.look)
    if depth == "Code":
        layout.code(Block.add)
        return
    lengths, cosines = _measure(place, hook)
    rows = partial(_rows, place.tokens, lengths, cosines)
    panels = _panels(place.tokens, lengths, cosines)
    arrays = {name.replace(".", "_"): values for name, values in lengths.items()} | {"cosine": cosines}
    if depth == "Numbers":
        st.dataframe(rows(), hide_index=True)
        figures.export(f"{place.run.name}-stream", panels["stream"], rows, **arrays)
    else:
        window = token_window.choose("stream", len(place.tokens))
        shown = _panels(
            place.tokens[window], {name: each[:, window] for name, each in lengths.items()}, cosines[:, window]
        )
        for column, (name, draw) in zip(st.columns(len(panels)), panels.items(), strict=True):
            with column:
                figure = shown[name](theme=state.theme())
                figures.show(figure, f"{figure.layout.title.text}, by layer and token")
                figures.export(f"{place.run.name}-{name}", draw, rows, **arrays)
    longest = np.max([each.max(0) for each in lengths.values()], 0)  # (tokens,)
    if len(longest) > 1:
        claims.tell(AT_FIRST, float(longest[0] / longest[1:].max()))
    mean_cosines = cosines.mean(axis=-1)  # (layers,)
    layer = int(mean_cosines.argmin())
    strongest = max(lengths, key=lambda name: float(lengths[name].mean()))
    layout.caption(
        f"On the whole the {title_in_layer(strongest)} is longest. Layer {layer} turns the stream most: the "
        f"cosine between its input and its output is {number(float(mean_cosines[layer]))} on average over "
        f"“{_sentence(place)}”."
    )


def _length(spec: RunSpec, name: str, tensor: Tensor) -> Tensor:
    """The lengths of the vectors of a tensor: (tokens,)."""
    return PLAIN.take(tensor.norm(dim=-1))


def _measure(place: LayerOfRun, hook: RunHook[Tensor]) -> tuple[dict[str, Array], Array]:
    """The lengths of what each sublayer adds, and the cosines of the stream: (layers, tokens) each. They are kept."""
    config, trace, stack = place.config, place.run.trace, place.stack
    names = sublayer_outputs(config, stack)
    seen = {
        name: hook.of(place.run, [f"{stack}.{layer}.{name}" for layer in range(config.n_layers(stack))])
        for name in names
    }

    def make() -> bytes:
        lengths = {name: torch.stack(each) for name, each in seen.items() if each is not None}
        if len(lengths) < len(names):
            lengths = layer_lengths(config, trace, stack, names)
        cosines = layer_cosines(config, trace, stack)
        return pack({}, cosines=cosines.numpy(), **{name: each.numpy() for name, each in lengths.items()})

    arrays = unpack(traces.pack(place.run, f"stream {stack}", make))[1]
    return {name: arrays[name] for name in names}, arrays["cosines"]


def _work_out() -> None:
    """Work out one token through one layer: its largest feature as a sum, and the angle by which the stream turns."""
    place = choose_layer(("resid_*", "*_norm", "*.out", "*_scaled"))
    token = read_token(place)
    x, output = place.tensor("resid_in")[token], place.tensor(output_name(place.config))[token]
    feature = int(x.abs().argmax())
    for each in additions(place.config, place.run.trace, place.stack, place.layer):
        made = place.explain(each.total, token, feature)
        before, added = (term.value for term in made.terms)
        layout.work_out(
            f"Feature {feature} of {quotes.quote(place.tokens[token], token)} in layer {place.layer}, "
            f"{place.title(each.before)} + {place.title(each.added)} = {place.title(each.total)}:",
            f"{quotes.tex(before)} + {quotes.tex(added)} = {quotes.tex(made.value)}",
        )
    layout.work_out(
        f"The stream at {quotes.quote(place.tokens[token], token)} before the layer and after it:",
        rf"\cos(x_{{{place.layer}}}, x_{{{place.layer + 1}}}) = {sums.cosine(x, output)}",
    )


def _outputs(stack: str) -> tuple[str, ...]:
    return (f"{stack}.*.resid_out", f"{stack}.*.ffn_norm")


def _panels(tokens: list[str], lengths: dict[str, Array], cosines: Array) -> dict[str, figures.Draw]:
    """The functions that draw the pictures, by the names of their files. `lengths` and `cosines` (layers, tokens)."""
    panels: dict[str, figures.Draw] = {
        f"{name.replace('.', '-')}-lengths": partial(
            layers_figure, values, tokens, f"Length of the {title_in_layer(name)}"
        )
        for name, values in lengths.items()
    }
    title = "Cosine of a layer's input and output"
    return panels | {"stream": partial(layers_figure, cosines, tokens, title, signed=True)}


def _rows(tokens: list[str], lengths: dict[str, Array], cosines: Array) -> list[dict[str, Any]]:
    """One row for each layer and token."""
    return [
        {"layer": layer, "token": token}
        | {title_in_layer(name): float(values[layer, i]) for name, values in lengths.items()}
        | {"cosine": float(cosines[layer, i])}
        for layer in range(len(cosines))
        for i, token in enumerate(tokens)
    ]


def _sentence(place: LayerOfRun) -> str:
    text = place.run.text
    return markdown_text(shorten(text, 60))
