"""The cheating decoder: without its mask, a word that comes later changes earlier predictions."""

from __future__ import annotations

from functools import partial

import pandas as pd
import streamlit as st
from torch import Tensor

from model import GlassformerError
from model.experiments import causality
from model.experiments.causality import Leak
from model.tokens.tokenizer import Token
from pages.attention.masks_parts import decoders
from pages.shared.elements import claims, figures, layout
from pages.shared.elements.claims import Claim
from pages.shared.model_runs import measurements, model_turns, traces
from pages.shared.session import state, token_window
from pages.shared.session.last_made import keep_last
from views.run import Run
from views.shared import long_text, quotes
from views.shared.matrix_tables import named_rows, number_words
from viz.attention.masks import leak_figure
from viz.shared.alternative import describe_figure
from viz.shared.style import count_noun, markdown_text, number, percent
from viz.shared.tokens import words

WAYS = (True, False)  # with the causal mask, and without it
CHANGE_BEFORE = "the largest change before the changed word, with the mask,"
PROMPTS = (
    layout.Prompt(
        "Change an early word",
        "With the mask, only what follows may change.",
        {"masks_place": 3},
        claim=Claim(CHANGE_BEFORE, "is", 0.0),
    ),
    layout.Prompt(
        "Change the last word",
        "With the mask, only the last prediction can change.",
        {"masks_place": -1},
        claim=Claim(CHANGE_BEFORE, "is", 0.0),
    ),
)


def show(depth: str) -> None:
    if depth == "Code":
        layout.code(causality.leak, causality.compare_predictions, causality.Leak, causality.change_token)
        return
    if depth == "Formula":
        _show_equation()
    run = traces.current(keep=())
    if not decoders.has_decoder(run, "There is no future to hide from it."):
        return
    tokens = run.trace.tokens
    place = _choose_place(tokens)
    try:
        new_token = causality.one_token(run.model, state.get("masks_word"))
    except GlassformerError as error:
        st.error(markdown_text(str(error)), icon=":material/error:")
        return
    leaks = _compared(run, place, causality.change_token(tokens, place, new_token))
    if len(leaks) == len(WAYS):
        masked, unmasked = leaks
        _show(run, place, new_token, masked, unmasked, depth)
    if depth != "Formula":
        layout.try_this(*PROMPTS)


def _show(run: Run, place: int, new_token: Token, masked: Leak, unmasked: Leak, depth: str) -> None:
    labels = words(run.trace.tokens)
    labels[place] = f"{labels[place]} → {words([new_token])[0]}"
    if depth == "Formula":
        _work_out_changes(labels[place], place, masked, unmasked)
        return
    _show_changes(run, labels, place, masked, unmasked, depth == "Numbers")
    is_same = new_token.id == run.trace.tokens[place].id
    layout.caption(_describe_same(labels[place]) if is_same else _describe_leak(run, labels, place, masked, unmasked))


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
    choose = token_window.choose_if_long if numbers else token_window.choose
    window = choose("cheat", len(labels), at=place)
    figure = leak_figure(labels[window], kept[window], leaked[window], place - window.start, state.theme())
    if numbers:
        st.dataframe(table)
    else:
        alt = describe_figure("Change of the logits at every position", figure)
        figures.chart(figure, key="masks leak", alt=alt)
    rows = partial(named_rows, table, "token")
    figures.export(f"{run.name}-leak", figure, rows, labels=labels, masked=kept, unmasked=leaked)


def _work_out_changes(label: str, place: int, masked: Leak, unmasked: Leak) -> None:
    """The largest change of a logit before the changed token, with the mask and without it."""
    if place == 0:
        layout.caption("No prediction stands before the first token: change a later one.")
        return
    kept, leaked = float(masked.change[:place].max()), float(unmasked.change[:place].max())
    change = r"\lVert \Delta u_t \rVert_\infty"
    layout.work_out(
        f"For {quotes.quote(label)} (s = {place}), the largest change of a logit at any t before, with the mask; and "
        f"without it, where t = {unmasked.most_changed_before(place)} changes most:",
        rf"\max_{{t < {place}}} {change} = {quotes.tex(kept)}, \qquad "
        rf"\max_{{t < {place}}} {change} = {quotes.tex(leaked)}",
    )


def _choose_place(tokens: tuple[Token, ...]) -> int:
    """Draws the choice of the token that is changed, and of the word that replaces it. Returns the token's place."""
    place = state.get("masks_place")
    if not 0 <= place < len(tokens):
        place = len(tokens) - 1
    st.session_state["masks changed"] = place
    labels = words(tokens)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.selectbox(
            "Change",
            range(len(tokens)),
            key="masks changed",
            format_func=lambda i: f"{i}  {labels[i]}",
            on_change=_take_place,
            width=230,
        )
        st.text_input("into", key="masks_word", max_chars=60, width=230)
    return place


def _take_place() -> None:
    state.put(masks_place=st.session_state["masks changed"])


def _compared(run: Run, place: int, changed: tuple[Token, ...]) -> list[Leak]:
    """The leak with the mask, and the one without it. Those of a long text are measured when the reader asks."""
    leaks: list[Leak] = keep_last("leaks of a mask", (run.spec, place, changed[place].id), list)
    if len(changed) <= long_text.MOST_TOKENS:
        leaks += [_run_leak(run, changed, causal) for causal in WAYS[len(leaks) :]]
        return leaks
    with st.container(horizontal=True, vertical_alignment="bottom"):
        start = measurements.measure_button("Compare the four runs", leaks, ":material/compare_arrows:")
        stop = st.empty()
    if start:
        with measurements.watch(stop, "Comparing") as bar:
            for causal in WAYS:
                bar.progress(len(leaks) / len(WAYS), text=f"{'With' if causal else 'Without'} the mask")
                leaks.append(_run_leak(run, changed, causal))
    if len(leaks) < len(WAYS):
        layout.caption(f"All logits of four runs over {len(changed):,} tokens are compared when you ask for it.")
    return leaks


def _run_leak(run: Run, changed: tuple[Token, ...], causal: bool) -> Leak:
    """The same as `model.experiments.causality.leak`, a turn at the processor for each run.

    Both runs are made in the same way. A cached one might have kept other tensors, and so have rounded otherwise.
    """

    def vectors_of(tokens: tuple[Token, ...]) -> Tensor:
        with model_turns.forward_pass():
            return causality.last_vectors(run.model, tokens, run.trace.source_tokens, causal)

    before, after = vectors_of(run.trace.tokens), vectors_of(changed)
    with model_turns.forward_pass(runs=0):
        return causality.compare_predictions(before, after, run.model.on_cpu.network.logits)


def _describe_same(label: str) -> str:
    return f"**{markdown_text(label)}** is the word that stands there: write another one, and see who notices."


def _describe_leak(run: Run, labels: list[str], place: int, masked: Leak, unmasked: Leak) -> str:
    name = markdown_text(labels[place])
    if place == 0:
        return f"**{name}** is the first token: nothing comes before it that could see it."
    kept, worst = float(masked.change[:place].max()), unmasked.most_changed_before(place)
    claims.tell(CHANGE_BEFORE, kept)
    id, before, after = unmasked.likeliest_at(worst)
    token = markdown_text(words(run.model.output_tokenizer.tokens([id]))[0])
    return (
        f"**{name}** comes at place {place}. With the mask, the {count_noun(place, 'prediction')} before it "
        f"{'changes' if place == 1 else 'change'} by {'exactly 0' if kept == 0 else number(kept)}. Without it the "
        f"change is up to {number(float(unmasked.change[worst]))}, largest after "
        f"{quotes.quote(labels[worst], worst)}: there “{token}” goes from {percent(before)} to {percent(after)}. "
        "In training, a decoder without the mask would read the answer instead of learning to predict it."
    )
