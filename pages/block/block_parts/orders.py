"""Post-norm and pre-norm side by side: the same parts in two orders, and the length of the stream in each."""

from __future__ import annotations

from typing import Literal

import streamlit as st

from model.analysis.block_steps import steps
from model.analysis.stream_growth import length_terms, mean_lengths
from model.experiments.gradients import fresh, in_order, lone_encoder, narrow
from model.network.block import Block
from model.run import ids_of
from pages.block.block_parts.layer_choice import choose_layer, read_token
from pages.block.block_parts.skips import WIDTH
from pages.shared.elements import figures, layout
from pages.shared.model_runs import model_turns, traces
from pages.shared.session import state
from views.shared import quotes
from viz.shared.lines import by_place, lines_figure
from viz.shared.style import number

TITLES: dict[Literal["post", "pre"], str] = {"post": "Post-norm", "pre": "Pre-norm"}


def show(depth: str) -> None:
    if depth == "Code":
        layout.code(Block.forward, Block.add)
        return
    run = traces.current(keep="logits")
    if depth == "Formula":
        _show_steps(run, depth)
        _work_out()
    st.slider("Layers of the untrained networks", 1, 48, key="block_depth", width=320)
    lines = _measure_lengths(run.name, run.model.state, run.text, state.get("block_depth"))
    rows = [
        {"layer": layer, **{name: lengths[layer] for name, lengths in lines.items()}}
        for layer in range(state.get("block_depth"))
    ]
    figure = lines_figure(by_place(lines), "layer", "length of the stream", theme=state.theme())
    figures.show_or_list(depth == "Numbers", figure, "Length of the residual stream by layer", lambda: rows)
    post, pre = lines["Post-norm"], lines["Pre-norm"]
    layout.caption(
        f"In untrained networks of width {WIDTH} on your sentence: post-norm keeps the stream's length at "
        f"{number(post[-1])}, pre-norm lets it grow from {number(pre[0])} to {number(pre[-1])}, since every layer adds "
        "and nothing takes away. Post-norm normalises the stream itself, so every path leads through the norms."
    )
    figures.export(f"{run.name}-orders", figure, lambda: rows)
    if depth == "Picture":
        _show_steps(run, depth)


def _show_steps(run: traces.Run, depth: str) -> None:
    """The steps of a layer in both orders, side by side."""
    config = run.model.config
    for column, (order, title) in zip(st.columns(2, gap="large"), TITLES.items(), strict=True):
        with column:
            remark = f": {run.model.card.title} is one" if config.norm_position == order else ""
            st.markdown(f"**{title}**{remark}")
            for step in steps(in_order(config, order), config.stacks[-1]):
                st.latex(step.symbol) if depth == "Formula" else st.markdown(f"- {step.does}")


def _work_out() -> None:
    """Work out the stream's length at one token after an addition, and after the norm if that norms the stream."""
    place = choose_layer(("resid_in", "resid_mid", "self_attn.out", "attn_norm"))
    token = read_token(place)
    x, added, total = (place.tensor(name)[token] for name in ("resid_in", "self_attn.out", "resid_mid"))
    layout.work_out(
        f"The length of the stream at {quotes.quote(place.tokens[token], token)} when layer {place.layer} adds its "
        "self-attention, f:",
        r"|x + f| = \sqrt{|x|^2 + |f|^2 + 2\,x \cdot f} = \sqrt{"
        + " + ".join(map(quotes.tex, length_terms(x, added)))
        + f"}} = {quotes.tex(float(total.norm()))}",
    )
    if place.config.norm_position == "post":
        length = quotes.tex(float(place.tensor("attn_norm")[token].norm()))
        layout.work_out("The norm then normalises the stream itself:", rf"|\mathrm{{Norm}}(x + f)| = {length}")


@st.cache_data(show_spinner=False, max_entries=64)
def _measure_lengths(name: str, model_state: str, text: str, layers: int) -> dict[str, list[float]]:
    """The mean length of the stream over tokens before each layer, in untrained networks of both orders.

    `model_state` is read by Streamlit's cache: it says how the model begins a text.
    """
    model = traces.model(name)
    ids = ids_of(model.tokens_of(text))
    encoder = lone_encoder(narrow(model.config, WIDTH))
    lengths = {}
    for order, title in TITLES.items():
        with model_turns.forward_pass():
            network = fresh(in_order(encoder, order), layers, residual=True, norm=True)
            lengths[title] = mean_lengths(network, ids)
    return lengths
