"""The layer as a flow of steps. Each step is a recorded tensor, and a click opens it."""

from __future__ import annotations

from dataclasses import asdict
from functools import partial

import streamlit as st
import torch

from model.analysis.block_steps import steps, sums
from model.analysis.tensor_statistics import measure_tensor
from model.names import describe
from model.network.block import Block
from pages.block.block_parts.layer_choice import LayerOfRun, choose_layer
from pages.components.mounts import component
from pages.shared.elements import figures, layout
from pages.shared.session import state
from views.shared import quotes
from viz.block.layer import pack_flow, tensor_figure
from viz.print.files import npz, rows_csv
from viz.print.layer_pictures import flow_picture, flow_rows
from viz.shared.style import count_noun, number, upper_first

_flow = component("block/block_flow")


def show(depth: str) -> None:
    place = choose_layer(("*",))
    order = steps(place.config, place.stack)
    names = [step.name for step in order]
    chosen = state.checked_choice("block_step", tuple(names), "Step", names[-1])
    if depth == "Code":
        layout.code(Block)
        return
    if depth == "Formula":
        _show_formula(place)
        return
    left, right = st.columns([5, 7], gap="large")
    with left:
        described = [
            {"name": step.name, "title": place.title(step.name), "does": step.does, "role": step.role} for step in order
        ]
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
    additions = sums(place.config, place.run.trace, place.stack, place.layer)
    equations = "; ".join(
        f"{place.title(each.total)} = {place.title(each.before)} + {place.title(each.added)}" for each in additions
    )
    largest = max(each.difference for each in additions)
    layout.caption(f"Checked on this run: {equations}. The largest difference is {number(largest, 7)}.")


def _take_step() -> None:
    state.put(block_step=st.session_state["block flow"]["pick"])


def _show_tensor(place: LayerOfRun, name: str, numbers: bool) -> None:
    """Show the chosen tensor as a heatmap, with its statistics."""
    tensor = place.tensor(name)
    full = f"{place.stack}.{place.layer}.{name}"
    title = place.title(name)
    st.markdown(f"**{upper_first(title)}**: {describe(full, place.config.gated).meaning}")
    figure = tensor_figure(tensor.numpy(), place.tokens, state.theme())
    rows = partial(_token_rows, place, tensor)
    figures.show_or_list(numbers, figure, f"{upper_first(title)}, as a heatmap", rows)
    lengths, statistics = tensor.norm(dim=-1), measure_tensor(tensor)
    longest = int(lengths.argmax())
    layout.caption(
        f"{count_noun(tensor.shape[0], 'token')} × {tensor.shape[1]:,} features: mean {number(statistics.mean)}, "
        f"deviation {number(statistics.deviation)}, from {number(statistics.least)} to "
        f"{number(statistics.greatest)}. The longest row is {quotes.quote(place.tokens[longest], longest)}, "
        f"{number(float(lengths[longest]))}; the median row is {number(float(lengths.quantile(0.5)))}. "
        "Blue is above zero, orange below. Click a step to open it."
    )
    figures.export(f"{place.run.name}-{full.replace('.', '-')}", figure, rows, tensor=tensor.numpy())


def _token_rows(place: LayerOfRun, tensor: torch.Tensor) -> list[dict[str, object]]:
    return [
        {"token": token, "length": float(row.norm())}
        | {name.replace("_", " "): value for name, value in asdict(measure_tensor(row)).items()}
        for token, row in zip(place.tokens, tensor, strict=True)
    ]


def _show_formula(place: LayerOfRun) -> None:
    source = (
        "Pre-norm, both sublayers in parallel. Black et al. (2022), arXiv:2204.06745, section 2.1."
        if place.config.parallel_residual
        else "Pre-norm. Bishop, ch. 12 slides, “Transformer layers”."
        if place.config.norm_position == "pre"
        else "Post-norm. Slides, “Transformer Block”, T1 to T5 and H; encoder notes, section 0.1.5."
    )
    st.caption(source)
    for step in steps(place.config, place.stack):
        words = step.does.replace("_", r"\_")
        st.latex(rf"{step.symbol} \qquad \text{{{words}}}")
