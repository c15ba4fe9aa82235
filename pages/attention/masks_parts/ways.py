"""Three ways to hide keys, on the scores of a real head: only one of them works."""

from __future__ import annotations

from functools import partial

import numpy as np
import pandas as pd
import streamlit as st
from torch import Tensor

from model.analysis.three_ways import ThreeWays, mask_three_ways
from model.network import masks
from pages.attention.masks_parts import mask_choice
from pages.attention.masks_parts.sentence import read_sentence
from pages.components import matrix_mounts
from pages.shared.elements import claims, figures, head_controls, layout
from pages.shared.elements.claims import Claim
from pages.shared.session import state, token_window
from views.head_of_run import HeadOfRun
from views.shared import quotes, sums, windows
from views.shared.matrix_tables import number_words
from viz.print import panel_pictures
from viz.print.files import npz, rows_csv
from viz.shared.panels import Panel, cut, pack_panels
from viz.shared.style import number, percent

SEEN = "the number of keys that the query sees"
STRAY = "how far a row's sum is from 1 at most, with −∞ added before,"
PROMPTS = (
    layout.Prompt(
        "The first word",
        "One key is visible: see its three sums.",
        {"query": 0, "key": 1},
        claim=Claim(SEEN, "is", 1),
        at="masks ways",
    ),
    layout.Prompt(
        "Another head",
        "How far both wrong ways miss depends on the scores; the right way sums to 1 in every head.",
        {"head": 0},
        claim=Claim(STRAY, "under", 1e-4),
        at="masks ways",
    ),
)
WAYS = (
    ("Add −∞ before", "softmax(S + M)", "added"),
    ("Multiply the scores", "softmax(S ∘ M)", "scores × 0"),
    ("Multiply the weights", "softmax(S) ∘ M", "weights × 0"),
)


def show(depth: str) -> None:
    if depth == "Formula":
        _show_equations()
    screen = head_controls.choose()
    if depth == "Code":
        layout.code(masks.mask_before_softmax, masks.multiply_scores, masks.multiply_weights, masks.masked_softmax)
        return
    visible = _visible(screen)
    ways = mask_three_ways(screen.steps.scores, visible)
    if depth == "Formula":
        _work_out_weight(screen, visible)
        layout.caption(_describe_row(screen, ways))
        return
    panels = [
        Panel(title, note, short, values.numpy())
        for (title, note, short), values in zip(WAYS, ways.weights, strict=True)
    ]
    part = token_window.choose_part("mask ways", visible.shape, (screen.query, screen.key))
    (down, across), shown = part, cut(panels, part)
    words = screen.queries[down], screen.keys[across]
    selected = windows.nearest_in(part, (screen.query, screen.key))
    if depth == "Numbers":
        _show_numbers(screen, ways)
    else:
        packed = pack_panels(
            shown,
            *words,
            identity=f"{screen.identity} {down.start} {across.start}",
            title="Three ways of masking, with the sum of each row",
            selected=selected,
            sums=True,
        )
        matrix_mounts.panels(packed, key="masks ways", on_cell=partial(_take_cell, down.start, across.start))
    layout.caption(_describe(screen, ways) + windows.say_part(part, visible.shape))
    figures.files(
        f"{screen.file_name}-three-ways",
        partial(panel_pictures.panels_picture, shown, *words, screen.place, selected=selected),
        NPZ=partial(
            npz,
            added=ways.added,
            scores_times_mask=ways.scores_times_mask,
            weights_times_mask=ways.weights_times_mask,
        ),
        CSV=lambda: rows_csv(_sums_table(screen, ways).reset_index(names="query").to_dict("records")),
    )
    layout.try_this(*PROMPTS)


def _visible(screen: HeadOfRun) -> Tensor:
    """True where a query may look: by the model's own mask, or where it hides nothing, by the causal one."""
    if screen.hidden.any():
        return ~screen.hidden
    return mask_choice.mask_of(screen, read_sentence(screen, False), "causal")


def _take_cell(first_query: int, first_key: int) -> None:
    query, key = st.session_state["masks ways"]["cell"]
    state.put(query=first_query + int(query), key=first_key + int(key))


def _describe(screen: HeadOfRun, ways: ThreeWays) -> str:
    claims.tell(SEEN, int(ways.visible[screen.query].sum()))
    claims.tell(STRAY, float((ways.added.sum(-1) - 1).abs().max()))
    if ways.visible.all():
        return "Nothing is hidden here, so the three ways give the same. Write two words or more."
    worst, poorest = int(ways.leaks.argmax()), int(ways.remainders.argmin())
    return (
        f"Multiplying the scores by 0 hides nothing: exp(0) = 1, so hidden keys get up to "
        f"{percent(float(ways.leaks[worst]))} of a row ({quotes.quote(screen.queries[worst], worst)}). Multiplying the "
        f"weights afterwards leaves rows that do not sum to 1: {quotes.quote(screen.queries[poorest], poorest)} keeps "
        f"{number(float(ways.remainders[poorest]), 2)}. Minus infinity before the softmax gives 0 and sums of 1."
    )


def _work_out_weight(screen: HeadOfRun, visible: Tensor) -> None:
    """The weight of a key by each way: of a hidden key where the row has one."""
    row = screen.query
    scores, may_look = screen.steps.scores[row].numpy(), visible[row].numpy()
    key = screen.key if may_look.all() or not may_look[screen.key] else int(np.flatnonzero(~may_look)[-1])
    layout.work_out(
        f"For {quotes.quote(screen.queries[row])} (i = {row}) and {quotes.quote(screen.keys[key])} (j = {key}), with M "
        f"added before, then with S multiplied by it, then with the weight multiplied by {may_look[key]:d}:",
        rf"A_{{{row},{key}}} = {sums.softmax(np.where(may_look, scores, -np.inf), key)}",
        rf"A_{{{row},{key}}} = {sums.softmax(scores * may_look, key)}",
        rf"A_{{{row},{key}}} = {may_look[key]:d} \cdot {sums.softmax(scores, key)}",
    )


def _describe_row(screen: HeadOfRun, ways: ThreeWays) -> str:
    """The share of the query's hidden keys by each way, and the sum of its row."""
    row = screen.query
    hidden = ~ways.visible[row]  # (keys,)
    results = [
        f"{title.lower()}: hidden keys get {number(float(weights[row][hidden].sum()))}, the row sums to "
        f"{number(float(weights[row].sum()))}"
        for (title, _, _), weights in zip(WAYS, ways.weights, strict=True)
    ]
    count = f"{int(hidden.sum()):,} of its {len(hidden):,} keys hidden"
    return f"For {quotes.quote(screen.queries[row], row)}, {count}: {'; '.join(results)}."


def _show_equations() -> None:
    layout.equation(
        r"\mathrm{softmax}(S + M), \quad M \in \{0, -\infty\}",
        "Slides, “Masked Attention”; Palaskos (2022), fig. 3.6",
    )
    layout.caption("exp(−∞) = 0: a hidden key adds nothing to the sum and gets weight 0.")
    layout.equation(r"\mathrm{softmax}(S \circ M), \quad M \in \{1, 0\}", "Palaskos (2022), eq. 3.43; it fails")
    layout.caption("A hidden score becomes 0, and exp(0) = 1: the key still gets weight, often a lot.")
    layout.equation(r"\mathrm{softmax}(S) \circ M, \quad M \in \{1, 0\}", "Palaskos (2022), eq. 3.53; it fails")
    layout.caption("What was given to hidden keys is lost: the row no longer sums to 1, and the mix shrinks.")


def _sums_table(screen: HeadOfRun, ways: ThreeWays) -> pd.DataFrame:
    """The sum of every row by each way."""
    row_sums = {title: weights.sum(-1).numpy() for (title, _, _), weights in zip(WAYS, ways.weights, strict=True)}
    return pd.DataFrame(row_sums, index=number_words(screen.queries))


def _show_numbers(screen: HeadOfRun, ways: ThreeWays) -> None:
    st.markdown("**Sum of each row**")
    st.dataframe(_sums_table(screen, ways))
    row = screen.query
    by_way = {title: weights[row].numpy() for (title, _, _), weights in zip(WAYS, ways.weights, strict=True)}
    st.markdown(f"**Weights of** {quotes.quote(screen.queries[row], row)}")
    st.dataframe(pd.DataFrame(by_way, index=number_words(screen.keys)))
