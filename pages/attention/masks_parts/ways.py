"""Three ways to hide keys, on the scores of a real head: only one of them works."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st
from numpy.typing import NDArray

from pages.attention.masks_parts import chosen
from pages.components import matrix_mounts
from pages.shared import figures, head_controls, layout, state, sums
from pages.shared.head_on_screen import HeadOnScreen
from viz.print import panel_pictures
from viz.print.files import npz, rows_csv
from viz.shared.panels import Panel, pack_panels
from viz.shared.style import isolate, markdown_text, number, percent

PROMPTS = (
    layout.Prompt("The first word", "One key is visible: see its three sums.", {"masks_query": 0, "masks_key": 1}),
    layout.Prompt("Another head", "Both failures depend on the scores; the right way does not.", {"masks_head": 0}),
)
WAYS = (
    ("Add −∞ before", "softmax(S + M)", "added"),
    ("Multiply the scores", "softmax(S ∘ M)", "scores × 0"),
    ("Multiply the weights", "softmax(S) ∘ M", "weights × 0"),
)


def show(depth: str) -> None:
    from model.network import masks

    if depth == "Code":
        layout.code(masks.mask_before_softmax, masks.multiply_scores, masks.multiply_weights, masks.masked_softmax)
        return
    if depth == "Formula":
        _formula()
    shown = head_controls.choose("masks", row=depth == "Formula")
    visible = _visible(shown)
    found = three_ways(shown, visible)
    if depth == "Formula":
        _worked(shown, visible)
        layout.caption(_of_row(shown, visible, found))
        return
    panels = [Panel(title, note, short, values) for (title, note, short), values in zip(WAYS, found, strict=True)]
    if depth == "Numbers":
        _numbers(shown, found)
    else:
        matrix_mounts.panels(
            pack_panels(
                panels,
                shown.queries,
                shown.keys,
                identity=shown.identity,
                title="Three ways of masking, with the sum of each row",
                selected=(shown.query, shown.key),
                sums=True,
            ),
            key="masks ways",
            on_cell=_take_cell,
        )
    layout.caption(_what_to_see(shown, visible, found))
    figures.files(
        f"{shown.file_name}-three-ways",
        partial(panel_pictures.panels_picture, panels, shown.queries, shown.keys, shown.place),
        NPZ=partial(npz, added=found[0], scores_times_mask=found[1], weights_times_mask=found[2]),
        CSV=lambda: rows_csv(_table(shown, found).reset_index(names="query").to_dict("records")),
    )
    layout.try_this(*PROMPTS)


def _visible(shown: HeadOnScreen) -> NDArray[np.bool_]:
    """The model's own mask where it has one; else the causal one, so that there is something to hide."""
    h = shown.steps
    if bool((h.mask != 0).any()):
        return np.asarray(h.mask.numpy() == 0)
    sentence = chosen.read_sentence(shown, False)
    return np.asarray(chosen.mask_of(shown, sentence, "causal").numpy())


def three_ways(shown: HeadOnScreen, visible: NDArray[np.bool_]) -> list[NDArray[Any]]:
    """The weights (queries, keys) by each way, from the head's own scores."""
    import torch

    from model.network.masks import mask_before_softmax, multiply_scores, multiply_weights

    seen = torch.from_numpy(visible)
    ways = (mask_before_softmax, multiply_scores, multiply_weights)
    return [way(shown.steps.scores, seen).numpy() for way in ways]


def _take_cell() -> None:
    query, key = st.session_state["masks ways"]["cell"]
    state.put(masks_query=int(query), masks_key=int(key))


def _what_to_see(shown: HeadOnScreen, visible: NDArray[np.bool_], found: list[NDArray[Any]]) -> str:
    if visible.all():
        return "Nothing is hidden here, so the three ways give the same. Write two words or more."
    _, by_scores, by_weights = found
    leaked = (by_scores * ~visible).sum(-1)
    worst, poorest = int(leaked.argmax()), int(by_weights.sum(-1).argmin())
    return (
        f"Multiplying the scores by 0 hides nothing: exp(0) = 1, so hidden keys get up to "
        f"{percent(float(leaked.max()))} of a row (**{markdown_text(shown.queries[worst])}**). Multiplying the weights "
        f"afterwards leaves rows that do not sum to 1: **{markdown_text(shown.queries[poorest])}** keeps "
        f"{float(by_weights.sum(-1).min()):.2f}. Minus infinity before the softmax gives 0 and sums of 1."
    )


def _worked(shown: HeadOnScreen, visible: NDArray[np.bool_]) -> None:
    """The weight of a key by each way: of a hidden one, where the row has any."""
    row = shown.query
    scores, seen = shown.steps.scores[row].numpy(), visible[row]
    key = shown.key if seen.all() or not seen[shown.key] else int(np.flatnonzero(~seen)[-1])
    layout.work_out(
        f"For {layout.quote(shown.queries[row])} (i = {row}) and {layout.quote(shown.keys[key])} (j = {key}), with M "
        f"added before, then with S multiplied by it, then with the weight multiplied by {seen[key]:d}:",
        rf"A_{{{row},{key}}} = {sums.softmax(np.where(seen, scores, -np.inf), key)}",
        rf"A_{{{row},{key}}} = {sums.softmax(scores * seen, key)}",
        rf"A_{{{row},{key}}} = {seen[key]:d} \cdot {sums.softmax(scores, key)}",
    )


def _of_row(shown: HeadOnScreen, visible: NDArray[np.bool_], found: list[NDArray[Any]]) -> str:
    """The three on one query: what its hidden keys get, and what its row sums to."""
    row = shown.query
    hidden = ~visible[row]
    told = [
        f"{title.lower()}: hidden keys get {number(float(values[row][hidden].sum()))}, the row sums to "
        f"{number(float(values[row].sum()))}"
        for (title, _, _), values in zip(WAYS, found, strict=True)
    ]
    many = f"{hidden.sum()} of its {hidden.size} keys hidden"
    return f"For **{isolate(markdown_text(shown.queries[row]))}**, {many}: {'; '.join(told)}."


def _formula() -> None:
    layout.equation(
        r"\mathrm{softmax}(S + M), \quad M \in \{0, -\infty\}",
        "Slides, “Masked Attention”; Palaskos (2022), fig. 3.6",
    )
    layout.caption("exp(−∞) = 0: a hidden key adds nothing to the sum and gets weight 0.")
    layout.equation(r"\mathrm{softmax}(S \circ M), \quad M \in \{1, 0\}", "Palaskos (2022), eq. 3.43; it fails")
    layout.caption("A hidden score becomes 0, and exp(0) = 1: the key still gets weight, often a lot.")
    layout.equation(r"\mathrm{softmax}(S) \circ M, \quad M \in \{1, 0\}", "Palaskos (2022), eq. 3.53; it fails")
    layout.caption("What was given to hidden keys is lost: the row no longer sums to 1, and the mix shrinks.")


def _table(shown: HeadOnScreen, found: list[NDArray[Any]]) -> pd.DataFrame:
    """The sum of every row by each way."""
    sums = {title: values.sum(-1).round(4) for (title, _, _), values in zip(WAYS, found, strict=True)}
    return pd.DataFrame(sums, index=[f"{i} {word}" for i, word in enumerate(shown.queries)])


def _numbers(shown: HeadOnScreen, found: list[NDArray[Any]]) -> None:
    st.markdown("**Sum of each row**")
    st.dataframe(_table(shown, found))
    row = shown.query
    weights = {title: values[row].round(4) for (title, _, _), values in zip(WAYS, found, strict=True)}
    st.markdown(f"**Weights of {markdown_text(shown.queries[row])}**")
    st.dataframe(pd.DataFrame(weights, index=[f"{i} {word}" for i, word in enumerate(shown.keys)]))
