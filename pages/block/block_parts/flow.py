"""The layer as a flow: every step is a recorded tensor that can be opened."""

from __future__ import annotations

from functools import partial

import numpy as np
import streamlit as st
import torch

from model.analysis.block_steps import steps, sums
from model.names import describe
from model.network.block import Block
from pages.block.block_parts.layer_choice import LayerOfRun, choose_layer
from pages.components.mounts import component
from pages.shared import figures, layout, state
from viz.block.layer import pack_flow, tensor_figure
from viz.print.files import npz, rows_csv
from viz.print.layer_pictures import flow_picture, flow_rows
from viz.shared.style import count_noun, isolate, markdown_text, number

_flow = component("block/block_flow")


def show(depth: str) -> None:
    if depth == "Code":
        layout.code(Block)
        return
    place = choose_layer(("*",))
    if depth == "Formula":
        _show_formula(place)
        return
    order = steps(place.config, place.stack)
    names = [step.name for step in order]
    chosen = state.among("block_step", tuple(names), "Step", names[-1])
    left, right = st.columns([5, 7], gap="large")
    with left:
        described = [{"name": step.name, "does": step.does, "role": step.role} for step in order]
        tensors = [place.tensor(name).numpy() for name in names]
        label = f"Steps of layer {place.layer}"
        _flow(
            data=pack_flow(described, tensors, names.index(chosen), label), key="block flow", on_pick_change=_take_step
        )
    with right:
        _show_tensor(place, chosen, numbers=depth == "Numbers")
    with left:
        title = f"{place.run.model.card.title}, {place.stack} layer {place.layer}"
        figures.files(
            f"{place.run.name}-{place.stack}-{place.layer}",
            partial(flow_picture, described, tensors, names.index(chosen), title),
            CSV=lambda: rows_csv(flow_rows(described, tensors)),
            NPZ=partial(npz, tokens=place.tokens, **dict(zip(names, tensors, strict=True))),
        )
    found = sums(place.config, place.run.trace, place.stack, place.layer)
    listed = "; ".join(f"`{each.total}` = `{each.before}` + `{each.added}`" for each in found)
    worst = max(each.difference for each in found)
    layout.caption(f"Checked on this run: {listed}. The largest difference is {number(worst, 7)}.")


def _take_step() -> None:
    state.put(block_step=st.session_state["block flow"]["pick"])


def _show_tensor(place: LayerOfRun, name: str, numbers: bool) -> None:
    """The chosen tensor as a heatmap, with its statistics."""
    tensor = place.tensor(name)
    full = f"{place.stack}.{place.layer}.{name}"
    st.markdown(f"**`{full}`**: {describe(full, place.config.gated).meaning}")
    figure = tensor_figure(tensor.numpy(), place.tokens, state.theme())
    rows = partial(_token_rows, place, tensor)
    figures.show_or_list(numbers, figure, f"{full} as a heatmap", rows)
    sizes = tensor.norm(dim=-1)
    longest = int(sizes.argmax())
    layout.caption(
        f"{count_noun(tensor.shape[0], 'token')} × {tensor.shape[1]:,} features: mean {number(float(tensor.mean()))}, "
        f"deviation {number(float(tensor.std(correction=0)))}, from {number(float(tensor.min()))} to "
        f"{number(float(tensor.max()))}. The longest row is “{isolate(markdown_text(place.tokens[longest]))}”, "
        f"{number(float(sizes[longest]))}; the median row is {number(float(np.median(sizes.numpy())))}. "
        "Blue is above zero, orange below. Click a step to open it."
    )
    figures.export(f"{place.run.name}-{full.replace('.', '-')}", figure, rows, tensor=tensor.numpy())


def _token_rows(place: LayerOfRun, tensor: torch.Tensor) -> list[dict[str, object]]:
    return [
        {
            "token": token,
            "length": float(row.norm()),
            "mean": float(row.mean()),
            "deviation": float(row.std(correction=0)),
            "least": float(row.min()),
            "greatest": float(row.max()),
            "share of zeros": float((row == 0).float().mean()),
        }
        for token, row in zip(place.tokens, tensor, strict=True)
    ]


def _show_formula(place: LayerOfRun) -> None:
    source = (
        "Pre-norm. Bishop, ch. 12 slides, “Transformer layers”."
        if place.config.norm_position == "pre"
        else "Post-norm. Slides, “Transformer Block”, T1 to T5 and H; encoder notes, section 0.1.5."
    )
    st.caption(source)
    for step in steps(place.config, place.stack):
        st.latex(rf"{step.symbol} \qquad \text{{{step.does}}}".replace("_", r"\_") if "_" in step.does else
                 rf"{step.symbol} \qquad \text{{{step.does}}}")  # fmt: skip
