"""Post-norm and pre-norm side by side: the same parts in two orders, and what that does to the stream."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

import streamlit as st
import torch

from model.analysis.block_steps import steps
from model.experiments.gradients import fresh
from model.network.block import Block
from model.run import ids_of
from model.tape import Tape
from pages.block.block_parts.layer_choice import choose_layer, choose_token
from pages.block.block_parts.skips import WIDTH
from pages.shared import figures, layout, state, traces
from viz.shared.lines import by_place, lines_figure
from viz.shared.style import number

TITLES: dict[Literal["post", "pre"], str] = {"post": "Post-norm", "pre": "Pre-norm"}


def show(depth: str) -> None:
    if depth == "Code":
        layout.code(Block.forward, Block.add)
        return
    run = traces.current(keep="logits")
    config = run.model.config
    stack = config.stacks[-1]
    if depth in ("Picture", "Formula"):
        for column, (order, title) in zip(st.columns(2, gap="large"), TITLES.items(), strict=True):
            with column:
                own = f": {run.model.card.title} is one" if config.norm_position == order else ""
                st.markdown(f"**{title}**{own}")
                for step in steps(replace(config, norm_position=order), stack):
                    st.latex(step.symbol) if depth == "Formula" else st.markdown(f"- `{step.name}` {step.does}")
    if depth == "Formula":
        _work_out()
    st.slider("Layers of the untrained networks", 1, 48, key="block_depth", width=320)
    lines = _measure_lengths(run.name, run.text, state.get("block_depth"))
    rows = [{"layer": n, **{name: v[n] for name, v in lines.items()}} for n in range(state.get("block_depth"))]
    figure = lines_figure(by_place(lines), "layer", "length of the stream", theme=state.theme())
    figures.show_or_list(depth == "Numbers", figure, "Length of the residual stream by layer", lambda: rows)
    post, pre = lines["Post-norm"], lines["Pre-norm"]
    layout.caption(
        f"In untrained networks of width {WIDTH} on your sentence: post-norm keeps the stream's length at "
        f"{number(post[-1])}, pre-norm lets it grow from {number(pre[0])} to {number(pre[-1])}, since every layer adds "
        "and nothing takes away. Post-norm normalises the stream itself, so no path goes round the norms."
    )
    {name: (range(len(values)), values) for name, values in lines.items()}
    figures.export(f"{run.name}-orders", figure, lambda: rows)


def _work_out() -> None:
    """What an addition does to the stream's length at one token, and a norm of the stream where the model has it."""
    place = choose_layer(("resid_in", "resid_mid", "self_attn.out", "attn_norm"))
    token = choose_token(place)
    x, added, total = (place.tensor(name)[token] for name in ("resid_in", "self_attn.out", "resid_mid"))
    squares = [float(x @ x), float(added @ added), 2 * float(x @ added)]
    layout.work_out(
        f"The length of the stream at {layout.quote(place.tokens[token])} when layer {place.layer} adds its "
        "self-attention, f:",
        r"|x + f| = \sqrt{|x|^2 + |f|^2 + 2\,x \cdot f} = \sqrt{"
        + " + ".join(map(layout.tex, squares))
        + f"}} = {layout.tex(float(total.norm()))}",
    )
    if place.config.norm_position == "post":
        length = layout.tex(float(place.tensor("attn_norm")[token].norm()))
        layout.work_out(
            "And after the norm, which the stream itself goes through:", rf"|\mathrm{{Norm}}(x + f)| = {length}"
        )


@st.cache_data(show_spinner=False, max_entries=64)
def _measure_lengths(name: str, text: str, layers: int) -> dict[str, list[float]]:
    """The mean length over tokens of what each layer finds, in untrained networks of both orders."""
    model = traces.model(name)
    ids = ids_of(model.tokens_of(text))
    found = {}
    for order, title in TITLES.items():
        narrow = replace(
            model.config, d_model=WIDTH, n_heads=4, n_kv_heads=None, d_head=None, d_ff=4 * WIDTH,
            d_position=16 if model.config.d_position else 0, norm_position=order, n_encoder_layers=1,
            n_decoder_layers=0, text_labels=(), token_labels=(),
        )  # fmt: skip
        tape = Tape("*.resid_in")
        with torch.inference_mode(), traces.forward_pass():
            fresh(narrow, layers, residual=True, norm=True).encode(ids, tape)
        found[title] = [float(x.norm(dim=-1).mean()) for x in tape.records.values()]
    return found
