"""The cheating decoder: without its mask, a word that comes later changes earlier predictions."""

from __future__ import annotations

from functools import partial

import pandas as pd
import streamlit as st

from model import GlassformerError
from model.analysis.head_steps import final_name
from model.experiments import causality
from model.experiments.causality import Leak, mask_edits
from model.tokens.tokenizer import Token
from pages.attention.masks_parts import decoders
from pages.attention.tables import number_words
from pages.shared.elements import figures, layout, long_text
from pages.shared.model_runs import traces
from pages.shared.model_runs.runs import Run
from pages.shared.session import state, token_window
from viz.attention.masks import leak_figure
from viz.shared.alternative import describe_figure
from viz.shared.style import count_noun, markdown_text, number, percent
from viz.shared.tokens import words

PROMPTS = (
    layout.Prompt("Change an early word", "With the mask, only what follows may change.", {"masks_place": 3}),
    layout.Prompt("Change the last word", "With the mask, only the last prediction can change.", {"masks_place": -1}),
)


def show(depth: str) -> None:
    if depth == "Code":
        layout.code(causality.leak, causality.Leak, causality.change_token)
        return
    if depth == "Formula":
        _show_equation()
    run = traces.current(keep=())
    if not decoders.has_decoder(run, "There is no future to hide from it."):
        return
    tokens = run.trace.tokens
    if long_text.is_refused(len(tokens), "All logits of four runs are compared."):
        return
    place = _choose_place(tokens)
    try:
        new_token = causality.one_token(run.model, state.get("masks_word"))
    except GlassformerError as error:
        st.error(markdown_text(str(error)), icon=":material/error:")
        return
    changed = causality.change_token(tokens, place, new_token)
    masked, unmasked = (_run_leak(run, changed, causal) for causal in (True, False))
    labels = words(tokens)
    labels[place] = f"{labels[place]} → {words([new_token])[0]}"
    if depth == "Formula":
        _work_out_changes(labels[place], place, masked, unmasked)
        return
    _show_changes(run, labels, place, masked, unmasked, depth == "Numbers")
    is_same = new_token.id == tokens[place].id
    layout.caption(_describe_same(labels[place]) if is_same else _describe_leak(run, labels, place, masked, unmasked))
    layout.try_this(*PROMPTS)


def _show_equation() -> None:
    layout.equation(
        r"p(x_{t+1} \mid x_{\le t}): \quad \frac{\partial u_t}{\partial x_s} = 0 \text{ for all } s > t",
        "Slides, “Masking out the future”; Palaskos (2022), section 3.9",
        {"u_t": "the logits after token t", "x_s": "a token that comes later"},
    )


def _show_changes(run: Run, labels: list[str], place: int, masked: Leak, unmasked: Leak, numbers: bool) -> None:
    """The largest change of a logit at every position, with the mask and without it."""
    kept, leaked = masked.change.numpy(), unmasked.change.numpy()  # (tokens,) each
    table = pd.DataFrame({"with the causal mask": kept, "without the mask": leaked}, index=number_words(labels))
    window = slice(0, len(labels)) if numbers else token_window.choose("cheat", len(labels))
    figure = leak_figure(labels[window], kept[window], leaked[window], place - window.start, state.theme())
    if numbers:
        st.dataframe(table)
    else:
        alt = describe_figure("Change of the logits at every position", figure)
        figures.chart(figure, key="masks leak", alt=alt)
    rows = partial(figures.named_rows, table, "token")
    figures.export(f"{run.name}-leak", figure, rows, labels=labels, masked=kept, unmasked=leaked)


def _work_out_changes(label: str, place: int, masked: Leak, unmasked: Leak) -> None:
    """The largest change of a logit before the changed token, with the mask and without it."""
    if place == 0:
        layout.caption("No prediction stands before the first token: change a later one.")
        return
    kept, leaked = float(masked.change[:place].max()), float(unmasked.change[:place].max())
    change = r"\lVert \Delta u_t \rVert_\infty"
    layout.work_out(
        f"For {layout.quote(label)} (s = {place}), the largest change of a logit at any t before, with the mask; and "
        f"without it, where t = {unmasked.most_changed_before(place)} changes most:",
        rf"\max_{{t < {place}}} {change} = {layout.tex(kept)}, \qquad "
        rf"\max_{{t < {place}}} {change} = {layout.tex(leaked)}",
    )


def _choose_place(tokens: tuple[Token, ...]) -> int:
    """Draws the choice of the token that is changed, and of the word that replaces it. Returns the token's place."""
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


def _run_leak(run: Run, changed: tuple[Token, ...], causal: bool) -> Leak:
    """The same as `model.experiments.causality.leak`, from cached runs."""
    final = final_name(run.model.config, "decoder")
    source = tuple(token.id for token in run.trace.source_tokens)
    before, after = (
        traces.trace_ids(
            run.name,
            tuple(token.id for token in tokens),
            final,
            source,
            edits=mask_edits(causal),
            edits_name="" if causal else "open",
        )
        for tokens in (run.trace.tokens, changed)
    )
    network = run.model.on_cpu.network
    return Leak(network.logits(before[final]), network.logits(after[final]))


def _describe_same(label: str) -> str:
    return f"**{markdown_text(label)}** is the word that stands there: write another one, and see who notices."


def _describe_leak(run: Run, labels: list[str], place: int, masked: Leak, unmasked: Leak) -> str:
    name = markdown_text(labels[place])
    if place == 0:
        return f"**{name}** is the first token: nothing comes before it that could see it."
    kept, worst = float(masked.change[:place].max()), unmasked.most_changed_before(place)
    id, before, after = unmasked.likeliest_at(worst)
    token = markdown_text(words(run.model.output_tokenizer.tokens([id]))[0])
    return (
        f"**{name}** comes at place {place}. With the mask, the {count_noun(place, 'prediction')} before it "
        f"{'changes' if place == 1 else 'change'} by {'exactly 0' if kept == 0 else number(kept)}. Without it the "
        f"change is up to {number(float(unmasked.change[worst]))}, largest after "
        f"{layout.quote(labels[worst], worst)}: there “{token}” goes from {percent(before)} to {percent(after)}. "
        "In training, a decoder without the mask would read the answer instead of learning to predict it."
    )
