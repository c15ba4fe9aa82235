"""A row with every key hidden: the softmax of nothing, and what the model does with it."""

from __future__ import annotations

from functools import partial

import numpy as np
import pandas as pd
import streamlit as st

from pages.attention.masks_parts import chosen, outcome
from pages.attention.masks_parts.chosen import MaskChoice
from pages.components import matrix_mounts
from pages.shared import figures, head_controls, layout, state, sums, traces
from pages.shared.head_on_screen import HeadOnScreen
from viz.print import head_pictures, panel_pictures
from viz.print.files import npz
from viz.shared.panels import Panel, pack_panels
from viz.shared.style import count_noun, markdown_text, number

PROMPTS = (
    layout.Prompt("Hide the first row", "Nothing is added to its token here.", {"masks_row": 0}),
    layout.Prompt(
        "In every layer", "The token hears nothing from the others all the way up.", {"masks_where": "every layer"}
    ),
)


def show(depth: str) -> None:
    from model.network import masks

    if depth == "Code":
        layout.code(masks.masked_softmax)
        return
    if depth == "Formula":
        layout.equation(
            r"\frac{e^{-\infty}}{\sum_j e^{-\infty}} = \frac{0}{0}, \qquad \text{defined here as } A_{ij} = 0",
            "the softmax of a row that is hidden whole",
        )
    shown = head_controls.choose("masks")
    row = _controls(shown)
    found = _run(shown, row)
    if depth == "Formula":
        _worked(found, row)
        return
    path, head = shown.at.path, shown.head
    masked = found.with_mask[f"{path}.masked"][head]
    plain, ours = masked.softmax(-1).numpy(), found.with_mask[f"{path}.weights"][head].numpy()
    panels = [
        Panel("Plain softmax", "0 ÷ 0 in the hidden row", "plain", plain),
        Panel("As used here", "a hidden row gets weights 0", "here", ours),
    ]
    _draw(shown, row, panels, depth == "Numbers")
    layout.caption(_what_to_see(shown, found, row, plain))
    figures.files(
        f"{shown.file_name}-hidden-row",
        partial(panel_pictures.panels_picture, panels, shown.queries, shown.keys, f"{shown.place}, query {row} hidden"),
        CSV=partial(head_pictures.matrix_csv, ours, shown.queries, shown.keys),
        NPZ=partial(npz, plain=plain, weights=ours),
    )
    outcome.show(found, depth == "Numbers")
    layout.try_this(*PROMPTS)


def _draw(shown: HeadOnScreen, row: int, panels: list[Panel], numbers: bool) -> None:
    """Both weights of the hidden row as a table, or whole matrices side by side."""
    if numbers:
        plain, ours = (panel.values[row] for panel in panels)
        table = {"plain softmax": plain, "as used here": ours}
        st.dataframe(pd.DataFrame(table, index=[f"{i} {word}" for i, word in enumerate(shown.keys)]))
        return
    packed = pack_panels(
        panels,
        shown.queries,
        shown.keys,
        identity=f"{shown.identity} {row}",
        title="A row that is hidden whole",
        selected=(row, min(shown.key, len(shown.keys) - 1)),
        sums=True,
    )
    matrix_mounts.panels(packed, key="masks row panels", on_cell=_take_cell)


def _worked(found: MaskChoice, row: int) -> None:
    """The hidden row in the run: its sum of exponentials, its weights, and what its head mixes from them."""
    path, head = found.shown.at.path, found.shown.head
    weights = found.with_mask[f"{path}.weights"][head, row]  # (keys,)
    mixed = float(found.with_mask[f"{path}.heads"][head, row].abs().max())
    nothing = sums.plus(["0"] * len(weights), str)
    layout.work_out(
        f"The row of {layout.quote(found.queries[row])} (i = {row}), hidden from all {len(weights)} keys; then the sum "
        "of its weights as the run has them, and the largest number that its head makes of them:",
        rf"\frac{{e^{{-\infty}}}}{{\sum_j e^{{-\infty}}}} = \frac{{0}}{{{nothing}}} = \frac{{0}}{{0}}, \qquad "
        rf"\sum_j A_{{{row},j}} = {layout.tex(float(weights.sum()))}, \qquad "
        rf"\max_f |h_{{{row},f}}| = {layout.tex(mixed)}",
    )


def _controls(shown: HeadOnScreen) -> int:
    row = state.get("masks_row")
    if not 0 <= row < len(shown.queries):
        row = len(shown.queries) // 2
    st.session_state["masks hidden"] = row
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.selectbox(
            "Hide everything from",
            range(len(shown.queries)),
            key="masks hidden",
            format_func=lambda i: f"{i}  {shown.queries[i]}",
            on_change=_take_row,
            width=230,
        )
        st.segmented_control("In", ("every layer", "this layer"), key="masks_where", required=True, width="content")
    return row


def _take_row() -> None:
    state.put(masks_row=st.session_state["masks hidden"])


def _take_cell() -> None:
    query, key = st.session_state["masks row panels"]["cell"]
    state.put(masks_row=int(query), masks_key=int(key))


def _run(shown: HeadOnScreen, row: int) -> MaskChoice:
    """The model's own mask with one row hidden, and the model's own mask as it is."""
    from model.analysis.head_steps import final_name, keep_for
    from model.experiments.painted_masks import edit_of, mask_to_text
    from model.network.masks import hide

    sentence = chosen.read_sentence(shown, False)
    own = chosen.mask_of(shown, sentence, chosen.own_kind(shown))
    visible = own.clone()
    visible[row] = False
    everywhere = state.get("masks_where") == "every layer"
    keep = (*keep_for(shown.config, shown.at), final_name(shown.config, shown.config.stacks[-1]))
    ids, source = (tuple(token.id for token in tokens) for tokens in (sentence.written, sentence.source))
    without, with_mask = (
        traces.trace_ids(
            shown.run.name,
            ids,
            keep,
            source,
            edits=(edit_of(shown.at, hide(mask), everywhere),),
            edits_name=f" {shown.at.path} {everywhere} {mask_to_text(mask)}",
        )
        for mask in (own, visible)
    )
    return MaskChoice(shown, "painted", everywhere, sentence, visible, with_mask, without)


def _what_to_see(shown: HeadOnScreen, found: MaskChoice, row: int, plain: np.ndarray) -> str:
    name = markdown_text(shown.queries[row])
    mixed = found.with_mask[f"{shown.at.path}.heads"][:, row]
    whole = bool(found.final(found.with_mask).isfinite().all())
    finite = "Every number of the run stays finite" if whole else "The run is not finite"
    return (
        f"The plain softmax of {count_noun(plain.shape[1], 'hidden key')} gives **{name}** no numbers at all, only "
        f"0 ÷ 0, "
        f"and that would spread through the model. Here the row gets weights 0: its heads add "
        f"{number(float(mixed.abs().max()))}. {finite}."
    )
