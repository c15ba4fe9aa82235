"""The cheating decoder: without its mask, a word that comes later changes what was predicted before."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
import streamlit as st

from pages.attention.masks_parts import decoders
from pages.shared import figures, layout, state, traces
from pages.shared.traces import Run
from viz.attention.masks import leak_figure
from viz.shared.alternative import describe_figure
from viz.shared.style import count_noun, markdown_text, number, percent
from viz.shared.tokens import words

if TYPE_CHECKING:
    from model.experiments.causality import Leak
    from model.tokens.tokenizer import Token

PROMPTS = (
    layout.Prompt("Change an early word", "With the mask, only what follows may change.", {"masks_place": 3}),
    layout.Prompt("Change the last word", "With the mask, only the last prediction can change.", {"masks_place": -1}),
)


def show(depth: str) -> None:
    from model import GlassformerError
    from model.experiments import causality

    if depth == "Code":
        layout.code(causality.leak, causality.Leak, causality.change_token)
        return
    if depth == "Formula":
        layout.equation(
            r"p(x_{t+1} \mid x_{\le t}): \quad \frac{\partial u_t}{\partial x_s} = 0 \text{ for all } s > t",
            "Slides, “Masking out the future”; Palaskos (2022), section 3.9",
            {"u_t": "the logits after token t", "x_s": "a token that comes later"},
        )
    run = traces.current(keep=())
    if not decoders.needed(run, "There is no future to hide from it."):
        return
    tokens = run.trace.tokens
    place = _controls(tokens)
    try:
        to = causality.one_token(run.model, state.get("masks_word"))
    except GlassformerError as error:
        st.error(markdown_text(str(error)), icon=":material/error:")
        return
    changed = causality.change_token(tokens, place, to)
    masked, unmasked = (_leak(run, changed, causal) for causal in (True, False))
    labels = words(tokens)
    labels[place] = f"{labels[place]} → {words([to])[0]}"
    kept, leaked = masked.change.numpy(), unmasked.change.numpy()
    if depth == "Formula":
        _worked(labels[place], place, kept, leaked)
        return
    table = pd.DataFrame({"with the causal mask": kept, "without the mask": leaked}, index=_numbered(labels))
    figure = leak_figure(labels, kept, leaked, place, state.theme())
    if depth == "Numbers":
        st.dataframe(table)
    else:
        alt = describe_figure("Change of the logits at every position", figure)
        figures.chart(figure, key="masks leak", alt=alt)
    same = to.id == tokens[place].id
    layout.caption(_unchanged(labels[place]) if same else _what_to_see(run, labels, place, masked, unmasked))
    rows = partial(figures.named_rows, table, "token")
    figures.export(f"{run.name}-leak", figure, rows, labels=labels, masked=kept, unmasked=leaked)
    layout.try_this(*PROMPTS)


def _worked(label: str, place: int, kept: np.ndarray, leaked: np.ndarray) -> None:
    """How far the change of a token moves the logits before it, with the mask and without."""
    if place == 0:
        layout.caption("No prediction stands before the first token: change a later one.")
        return
    worst, found = int(leaked[:place].argmax()), r"\lVert \Delta u_t \rVert_\infty"
    layout.work_out(
        f"For {layout.quote(label)} (s = {place}), the largest change of a logit at any t before, with the mask; and "
        f"without it, where t = {worst} changes most:",
        rf"\max_{{t < {place}}} {found} = {layout.tex(float(kept[:place].max()))}, \qquad "
        rf"\max_{{t < {place}}} {found} = {layout.tex(float(leaked[worst]))}",
    )


def _numbered(labels: list[str]) -> list[str]:
    return [f"{i} {label}" for i, label in enumerate(labels)]


def _controls(tokens: tuple[Token, ...]) -> int:
    """Which token is changed, and to what."""
    place = state.get("masks_place")
    if not 0 <= place < len(tokens):
        place = len(tokens) - 1
    st.session_state["masks changed"] = place
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.selectbox(
            "Change",
            range(len(tokens)),
            key="masks changed",
            format_func=lambda i: f"{i}  {words(tokens)[i]}",
            on_change=_take_place,
            width=230,
        )
        st.text_input("into", key="masks_word", max_chars=60, width=230)
    return place


def _take_place() -> None:
    state.put(masks_place=st.session_state["masks changed"])


def _leak(run: Run, changed: tuple[Token, ...], causal: bool) -> Leak:
    """`model.experiments.causality.leak`, from cached runs."""
    from model.analysis.head_steps import final_name
    from model.experiments.causality import OPEN, Leak
    from model.tape import replace

    edits = () if causal else (replace("decoder.*.self_attn.mask", OPEN),)
    named = "" if causal else "open"
    final = final_name(run.model.config, "decoder")
    source = tuple(token.id for token in run.trace.source_tokens)
    before, after = (
        traces.trace_ids(run.name, tuple(token.id for token in each), final, source, edits=edits, edits_name=named)
        for each in (run.trace.tokens, changed)
    )
    network = run.model.on_cpu.network
    return Leak(network.logits(before[final]), network.logits(after[final]))


def _unchanged(label: str) -> str:
    return f"**{markdown_text(label)}** is the word that stands there: write another one, and see who notices."


def _what_to_see(run: Run, labels: list[str], place: int, masked: Leak, unmasked: Leak) -> str:
    name = markdown_text(labels[place])
    if place == 0:
        return f"**{name}** is the first token: nothing comes before it that could see it."
    kept, leaked = float(masked.change[:place].max()), unmasked.change[:place]
    worst = int(leaked.argmax())
    before, after = (logits[worst].softmax(-1) for logits in (unmasked.before, unmasked.after))
    best = int(before.argmax())
    token = markdown_text(words(run.model.output_tokenizer.tokens([best]))[0])
    exactly = "exactly 0" if kept == 0 else number(kept)
    return (
        f"**{name}** comes at place {place}. With the mask, the {count_noun(place, 'prediction')} before it "
        f"{'changes' if place == 1 else 'change'} by {exactly}. Without it the change is up to "
        f"{number(float(leaked.max()))}, largest after **{markdown_text(labels[worst])}**: there “{token}” goes from "
        f"{percent(float(before[best]))} to {percent(float(after[best]))}. In training, a decoder without the mask "
        "would read the answer instead of learning to predict it."
    )
