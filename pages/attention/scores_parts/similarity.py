"""Attention built up: similarity alone, then with learned projections, then scaled, then masked as in the model."""

from __future__ import annotations

import math
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from pages.components import matrix_mounts
from pages.shared import figures, head_controls, layout, state, sums
from pages.shared.head_on_screen import HeadOnScreen
from viz.print import panel_pictures
from viz.print.files import npz, rows_csv
from viz.shared.panels import Panel, pack_panels
from viz.shared.style import markdown_text, percent

PROMPTS = (
    layout.Prompt("Another head", "Similarity stays what it is; the learned steps change.", {"scores_head": 0}),
    layout.Prompt(
        "Two banks",
        "Without learning, equal words look at each other; a head can learn to look elsewhere.",
        {"text": "I swam across the river to get to the other bank"},
    ),
)


def show(depth: str) -> None:
    from model.analysis import scores

    if depth == "Code":
        layout.code(scores.attend)
        return
    shown = head_controls.choose("scores", row=depth == "Formula")
    if depth == "Formula":
        _formula(shown)
        return
    panels = stages(shown)
    if depth == "Numbers":
        _numbers(shown, panels)
    else:
        matrix_mounts.panels(
            pack_panels(
                panels,
                shown.queries,
                shown.keys,
                identity=shown.identity,
                title="Attention built up from similarity",
                selected=(shown.query, shown.key),
            ),
            key="scores stages",
            on_cell=_take_cell,
        )
    layout.caption(_what_to_see(shown, panels))
    figures.files(
        f"{shown.file_name}-stages",
        partial(panel_pictures.panels_picture, panels, shown.queries, shown.keys, shown.place, across=2),
        CSV=lambda: rows_csv(_cells(shown, panels)),
        NPZ=partial(npz, **{panel.short: panel.values for panel in panels}),
    )
    layout.try_this(*PROMPTS)


def stages(shown: HeadOnScreen) -> list[Panel]:
    """The weights of every stage (queries, keys); the last is the model's own."""
    from model.analysis.scores import attend

    h = shown.steps
    scale = math.sqrt(h.q.shape[-1])
    panels = [
        Panel("Similarity", "softmax(X Xᵀ)", "similarity", attend(h.x, h.memory, h.memory).weights.numpy()),
        Panel("Learned", "softmax(Q Kᵀ)", "learned", attend(h.q, h.k, h.v).weights.numpy()),
        Panel("Scaled", "softmax(Q Kᵀ ÷ √d_k)", "scaled", attend(h.q, h.k, h.v, scale).weights.numpy()),
    ]
    if (h.mask != 0).any():
        panels.append(Panel("Masked", "as in the model", "masked", h.weights.numpy()))
    return panels


def _take_cell() -> None:
    query, key = st.session_state["scores stages"]["cell"]
    state.put(scores_query=int(query), scores_key=int(key))


def _formula(shown: HeadOnScreen) -> None:
    """Each way with the singled-out pair: its product, and the weight that the row makes of it."""
    h, i, j = shown.steps, shown.query, shown.key
    layout.equation(r"Y = \mathrm{softmax}(X X^\top)\, X", "Bishop, ch. 12; Palaskos (2022), eqs. 3.15-3.17")
    layout.caption("A token takes most from the tokens that it resembles. Nothing is learned.")
    pair = f"{layout.quote(shown.queries[i])} (i = {i}) and {layout.quote(shown.keys[j])} (j = {j})"
    resembling = h.x[i] @ h.memory.T  # (keys,)
    layout.work_out(
        f"For {pair}, in {shown.place}, the product of what the attention reads:",
        rf"x_i \cdot x_j = {sums.product(h.x[i], h.memory[j])}",
        rf"A_{{ij}} = {sums.softmax(resembling, j)}",
    )
    layout.equation(
        r"Y = \mathrm{softmax}(Q K^\top)\, V, \qquad Q = X W_Q,\; K = X W_K,\; V = X W_V",
        "Bishop, ch. 12; Palaskos (2022), eqs. 3.29-3.32",
    )
    layout.caption("Three learned matrices decide what resembling means, and what is taken.")
    learned = h.q[i] @ h.k.T  # (keys,)
    layout.work_out(
        "The same two as query and key:",
        rf"q_i \cdot k_j = {sums.product(h.q[i], h.k[j])}",
        rf"A_{{ij}} = {sums.softmax(learned, j)}",
    )
    layout.equation(
        r"Y = \mathrm{softmax}\!\left(\frac{Q K^\top}{\sqrt{d_k}}\right) V",
        "Vaswani et al. (2017), eq. 1; encoder notes, eqs. 0.1.3-0.1.5; Palaskos (2022), eq. 3.42",
    )
    layout.caption("The scale keeps the softmax where it has a gradient.")
    width = h.q.shape[-1]
    score, hidden = float(learned[j] / math.sqrt(width)), bool((h.mask[i] != 0).any())
    layout.work_out(
        "Divided by the root of the head's width" + (", with the model's mask added:" if hidden else ":"),
        rf"S_{{ij}} = \frac{{{layout.tex(float(learned[j]))}}}{{\sqrt{{{width}}}}} = {layout.tex(score)}",
        rf"A_{{ij}} = {sums.softmax(learned / math.sqrt(width) + h.mask[i], j)}",
    )


def _cells(shown: HeadOnScreen, panels: list[Panel]) -> list[dict[str, Any]]:
    """One row a query and key, with the weight of every stage."""
    return [
        {"query_index": i, "query": query, "key_index": j, "key": key}
        | {panel.short: float(panel.values[i, j]) for panel in panels}
        for i, query in enumerate(shown.queries)
        for j, key in enumerate(shown.keys)
    ]


def _numbers(shown: HeadOnScreen, panels: list[Panel]) -> None:
    row = shown.query
    table = {panel.title: panel.values[row].round(4) for panel in panels}
    st.dataframe(pd.DataFrame(table, index=[f"{i} {word}" for i, word in enumerate(shown.keys)]))
    layout.caption(f"The row of **{markdown_text(shown.queries[row])}** at every stage.")


def _what_to_see(shown: HeadOnScreen, panels: list[Panel]) -> str:
    first, learned, scaled = panels[0].values, panels[1].values, panels[2].values
    query = markdown_text(shown.queries[shown.query])
    best = markdown_text(shown.keys[int(panels[-1].values[shown.query].argmax())])
    largest = [percent(float(np.mean(panel.max(-1)))) for panel in (learned, scaled)]
    if shown.at.part == "self_attn":
        itself = percent(float(np.mean(np.diag(first))))
        start = f"By similarity alone a token gives {itself} of its attention to itself, on average. "
    else:
        start = "By similarity alone, decoder and encoder vectors are compared as they are. "
    return (
        f"{start}The learned projections change that; without the scale the largest weight of a row is {largest[0]} on "
        f"average, with it {largest[1]}. In the end **{query}** looks most at **{best}**."
    )
