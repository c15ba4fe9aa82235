"""The residual stream through all layers: how much each sublayer adds, and how far it turns what it finds."""

from __future__ import annotations

from functools import partial
from typing import Any

import streamlit as st
import torch
from torch import Tensor
from torch.nn.functional import cosine_similarity

from model.analysis.block_steps import output_name
from model.analysis.block_steps import sums as additions
from model.network.block import Block
from pages.block.block_parts.layer_choice import LayerOfRun, choose_layer, choose_stack, choose_token
from pages.shared import figures, layout, state, sums
from viz.block.layer import layers_figure
from viz.shared.style import markdown_text, number
from viz.shared.tokens import shorten


def show(depth: str) -> None:
    if depth == "Code":
        layout.code(Block.add)
        return
    if depth == "Formula":
        layout.equation(
            r"x_{l+1} = x_l + \mathrm{Attention}(x_l) + \mathrm{FFN}(x_l + \mathrm{Attention}(x_l))",
            "Palaskos (2022), eq. 3.51; encoder notes, section 0.1.5: the input passes by the sublayer.",
        )
        layout.equation(
            r"\cos(x_l, x_{l+1}) = \frac{x_l \cdot x_{l+1}}{\lVert x_l \rVert\, \lVert x_{l+1} \rVert}",
            "1: the layer changed only the length; 0: what it hands on has nothing in common with what it found.",
        )
        _work_out()
        return
    place = choose_stack(lambda s: (f"{s}.*.resid_in", f"{s}.*_attn.out", f"{s}.*.ffn.out", *_outputs(s)))
    added = {name: _lengths(place, name) for name in _sublayers(place)}
    turned = _turned(place)
    rows = partial(_rows, place, added, turned)
    arrays = {name.replace(".", "_"): lengths.numpy() for name, lengths in added.items()} | {"cosine": turned.numpy()}
    if depth == "Numbers":
        st.dataframe(rows(), hide_index=True)
        figures.export(f"{place.run.name}-stream", _panels(place, added, turned)["stream"], rows, **arrays)
    else:
        for column, (name, draw) in zip(st.columns(len(added) + 1), _panels(place, added, turned).items(), strict=True):
            with column:
                figure = draw(theme=state.theme())
                figures.show(figure, f"{figure.layout.title.text}, by layer and token")
                figures.export(f"{place.run.name}-{name}", draw, rows, **arrays)
    last = turned.mean(dim=-1)
    most = int(last.argmin())
    strongest = max(added, key=lambda name: float(added[name].mean()))
    layout.caption(
        f"On the whole `{strongest}` adds the longest vectors. Layer {most} turns the stream most: the cosine between "
        f"what it finds and what it hands on is {number(float(last[most]))} on average over “{_sentence(place)}”."
    )


def _work_out() -> None:
    """One token through one layer: its largest feature as a sum, and the angle by which the stream turns."""
    place = choose_layer(("resid_*", "*_norm", "*.out", "*_scaled"))
    token = choose_token(place)
    found, handed_on = place.tensor("resid_in")[token], place.tensor(output_name(place.config))[token]
    feature = int(found.abs().argmax())
    for each in additions(place.config, place.run.trace, place.stack, place.layer):
        before, added, total = (place.tensor(name)[token, feature] for name in (each.before, each.added, each.total))
        layout.work_out(
            f"Feature {feature} of {layout.quote(place.tokens[token])} in layer {place.layer}, `{each.before}` + "
            f"`{each.added}` = `{each.total}`:",
            f"{layout.tex(float(before))} + {layout.tex(float(added))} = {layout.tex(float(total))}",
        )
    layout.work_out(
        f"What the layer finds at {layout.quote(place.tokens[token])}, and what it hands on:",
        rf"\cos(x_{{{place.layer}}}, x_{{{place.layer + 1}}}) = {sums.cosine(found, handed_on)}",
    )


def _outputs(stack: str) -> tuple[str, ...]:
    return (f"{stack}.*.resid_out", f"{stack}.*.ffn_norm")


def _sublayers(place: LayerOfRun) -> list[str]:
    cross = place.stack == "decoder" and place.config.kind == "encoder-decoder"
    return ["self_attn.out", *(["cross_attn.out"] if cross else []), "ffn.out"]


def _all_layers(place: LayerOfRun, name: str) -> Tensor:
    """(layers, tokens, d_model)"""
    layers = place.config.n_layers(place.stack)
    return torch.stack([place.run.trace[f"{place.stack}.{layer}.{name}"] for layer in range(layers)])


def _lengths(place: LayerOfRun, name: str) -> Tensor:
    return _all_layers(place, name).norm(dim=-1)  # (layers, tokens)


def _turned(place: LayerOfRun) -> Tensor:
    found, handed_on = _all_layers(place, "resid_in"), _all_layers(place, output_name(place.config))
    return cosine_similarity(found, handed_on, dim=-1)  # (layers, tokens)


def _panels(place: LayerOfRun, added: dict[str, Tensor], turned: Tensor) -> dict[str, figures.Draw]:
    """What draws each picture, by the name of its file."""
    panels: dict[str, figures.Draw] = {
        f"{name.replace('.', '-')}-lengths": partial(
            layers_figure, lengths.numpy(), place.tokens, f"Length of what {name} adds"
        )
        for name, lengths in added.items()
    }
    title = "Cosine of what a layer finds and hands on"
    return panels | {"stream": partial(layers_figure, turned.numpy(), place.tokens, title, signed=True)}


def _rows(place: LayerOfRun, added: dict[str, Tensor], turned: Tensor) -> list[dict[str, Any]]:
    tokens = place.tokens
    return [
        {"layer": layer, "token": token, **{name: float(v[layer, i]) for name, v in added.items()},
         "cosine": float(turned[layer, i])}
        for layer in range(len(turned)) for i, token in enumerate(tokens)
    ]  # fmt: skip


def _sentence(place: LayerOfRun) -> str:
    text = place.run.text
    return markdown_text(shorten(text, 60))
