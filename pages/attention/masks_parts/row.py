"""A row with every key hidden: the softmax of nothing, and the weights that the model uses in its place."""

from __future__ import annotations

from functools import partial

import pandas as pd
import streamlit as st

from model.experiments.painted_masks import hide_row
from model.network import masks
from pages.attention.masks_parts import mask_choice, outcome
from pages.attention.masks_parts.masked_runs import MaskedRuns, run_edited
from pages.attention.masks_parts.sentence import read_sentence
from pages.components import matrix_mounts
from pages.shared.elements import claims, figures, head_controls, layout
from pages.shared.elements.claims import Claim
from pages.shared.session import state, token_window
from views.head_of_run import HeadOfRun
from views.shared import quotes, sums, windows
from views.shared.matrix_tables import number_words
from viz.print import head_pictures, panel_pictures
from viz.print.files import npz
from viz.shared.panels import Panel, cut, pack_panels
from viz.shared.style import count_noun, number

OWN_NAMES = {"none": "without mask", "causal": "with the causal mask", "window": "with the model's window"}
ADDED = "the largest number that the heads add to the hidden token"
PROMPTS = (
    layout.Prompt(
        "Hide the first row",
        "Its heads add nothing to its token.",
        {"masks_row": 0},
        claim=Claim(ADDED, "is", 0.0),
        at="masks row panels",
    ),
    layout.Prompt(
        "In every layer",
        "The token hears nothing from the others all the way up.",
        {"masks_where": "every layer"},
        claim=Claim(ADDED, "is", 0.0),
        at="masks row panels",
    ),
)


def show(depth: str) -> None:
    if depth == "Formula":
        layout.equation(
            r"\frac{e^{-\infty}}{\sum_j e^{-\infty}} = \frac{0}{0}, \qquad \text{defined here as } A_{ij} = 0",
            "the softmax of a row that is hidden whole",
        )
    screen = head_controls.choose()
    row = _choose_row(screen)
    if depth == "Code":
        layout.code(masks.masked_softmax)
        return
    runs = _hide_row(screen, row)
    if depth == "Formula":
        _work_out_row(runs, row)
        return
    _show_weights(runs, row, depth == "Numbers")
    outcome.show(runs, depth == "Numbers")
    layout.try_this(*PROMPTS)


def _show_weights(runs: MaskedRuns, row: int, numbers: bool) -> None:
    """The weights by the plain softmax, undefined in the hidden row, and the weights that the model uses."""
    screen = runs.screen
    plain, weights = runs.effect.masked.softmax(-1).numpy(), runs.effect.weights_with.numpy()
    panels = [
        Panel("Plain softmax", "0 ÷ 0 in the hidden row", "plain", plain),
        Panel("As used here", "a hidden row gets weights 0", "here", weights),
    ]
    part = token_window.choose_part("mask row", weights.shape, (row, screen.key))
    (down, across), shown = part, cut(panels, part)
    if numbers:
        both = {"plain softmax": plain[row], "as used here": weights[row]}
        st.dataframe(pd.DataFrame(both, index=number_words(screen.keys)), placeholder="not a number")  # 0 ÷ 0
    else:
        _show_panels(screen, row, shown, part)
    layout.caption(_describe(runs, row) + windows.say_part(part, weights.shape))
    title = f"{screen.place}, query {row} hidden"
    selected = windows.nearest_in(part, (row, screen.key))
    figures.files(
        f"{screen.file_name}-hidden-row",
        partial(
            panel_pictures.panels_picture, shown, screen.queries[down], screen.keys[across], title, selected=selected
        ),
        CSV=partial(head_pictures.matrix_csv, weights[part], screen.queries[down], screen.keys[across]),
        NPZ=partial(npz, plain=plain, weights=weights),
    )


def _show_panels(screen: HeadOfRun, row: int, panels: list[Panel], part: windows.MatrixPart) -> None:
    down, across = part
    packed = pack_panels(
        panels,
        screen.queries[down],
        screen.keys[across],
        identity=f"{screen.identity} {row} {down.start} {across.start}",
        title="A row that is hidden whole",
        selected=windows.nearest_in(part, (row, screen.key)),
        sums=True,
    )
    matrix_mounts.panels(packed, key="masks row panels", on_cell=partial(_take_cell, down.start, across.start))


def _work_out_row(runs: MaskedRuns, row: int) -> None:
    """The hidden row of the run: its sum of exponentials, the sum of its weights, the largest output of its head."""
    weights = runs.effect.weights_with[row]  # (keys,)
    largest = float(runs.with_mask[f"{runs.screen.at.path}.heads"][runs.screen.head, row].abs().max())
    zeros = sums.plus(["0"] * len(weights), str)
    layout.work_out(
        f"The row of {quotes.quote(runs.queries[row])} (i = {row}), hidden from all {len(weights):,} keys; then the "
        "sum of its weights as the run has them, and the largest number that its head makes of them:",
        rf"\frac{{e^{{-\infty}}}}{{\sum_j e^{{-\infty}}}} = \frac{{0}}{{{zeros}}} = \frac{{0}}{{0}}, \qquad "
        rf"\sum_j A_{{{row},j}} = {quotes.tex(float(weights.sum()))}, \qquad "
        rf"\max_f |h_{{{row},f}}| = {quotes.tex(largest)}",
    )


def _choose_row(screen: HeadOfRun) -> int:
    """Draws the choice of the row, at first the middle one, and of the layers. Returns the row."""
    row = state.get("masks_row")
    if not 0 <= row < len(screen.queries):
        row = len(screen.queries) // 2
    st.session_state["masks hidden"] = row
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.selectbox(
            "Hide everything from",
            range(len(screen.queries)),
            key="masks hidden",
            format_func=lambda i: f"{i}  {screen.queries[i]}",
            on_change=_take_row,
            width=230,
        )
        st.segmented_control("In", ("every layer", "this layer"), key="masks_where", required=True, width="content")
    return row


def _take_row() -> None:
    state.put(masks_row=st.session_state["masks hidden"])


def _take_cell(first_query: int, first_key: int) -> None:
    query, key = st.session_state["masks row panels"]["cell"]
    state.put(masks_row=first_query + int(query), key=first_key + int(key))


def _hide_row(screen: HeadOfRun, row: int) -> MaskedRuns:
    """The run with the model's own mask and one row hidden, beside the run with the model's own mask."""
    sentence = read_sentence(screen, False)
    visible, everywhere = mask_choice.own_mask(screen, sentence), mask_choice.in_every_layer()
    without = run_edited(screen, sentence, visible, ())
    visible[row] = False
    edit = hide_row(screen.at, row, everywhere)
    with_mask = run_edited(screen, sentence, visible, (edit,))
    names = (OWN_NAMES[mask_choice.own_kind(screen)], "with the row hidden")
    return MaskedRuns(screen, "painted", everywhere, sentence, visible, with_mask, without, names)


def _describe(runs: MaskedRuns, row: int) -> str:
    name = quotes.quote(runs.screen.queries[row], row)
    outputs = runs.with_mask[f"{runs.screen.at.path}.heads"][:, row]  # (heads, d_head)
    claims.tell(ADDED, float(outputs.abs().max()))
    is_finite = bool(runs.final(runs.with_mask).isfinite().all())
    finite = "Every number of the run stays finite" if is_finite else "The run is not finite"
    return (
        f"The plain softmax of {count_noun(len(runs.keys), 'hidden key')} gives {name} no numbers at all, only "
        f"0 ÷ 0, and that would spread through the model. Here the row gets weights 0: its heads add "
        f"{number(float(outputs.abs().max()))}. {finite}."
    )
