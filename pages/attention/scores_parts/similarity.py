"""Attention built up: similarity alone, then with learned projections, then scaled, then masked as in the model."""

from __future__ import annotations

import math
from functools import partial

import numpy as np
import pandas as pd
import streamlit as st

from model.analysis import scores
from model.analysis.scores import attend
from pages.components import matrix_mounts
from pages.shared.elements import claims, figures, head_controls, layout
from pages.shared.elements.claims import Claim
from pages.shared.session import state, token_window
from views.head_of_run import HeadOfRun
from views.shared import quotes, score_formula, sums, windows
from views.shared.matrix_tables import cell_rows, number_words
from viz.print import panel_pictures
from viz.print.files import npz, rows_csv
from viz.shared.panels import Panel, cut, pack_panels
from viz.shared.style import percent

HEAD = "the head"
AT_EQUALS = "what the query gives to words like itself without learning"
PROMPTS = (
    layout.Prompt(
        "Another head",
        "Similarity is the same for all heads of a layer; the learned steps are those of head 0.",
        {"head": 0},
        claim=Claim(HEAD, "is", 0),
        at="scores stages",
    ),
    layout.Prompt(
        "Two banks",
        "Without learning, the second “bank” looks at the first and at itself; a head can learn to look elsewhere.",
        {"text": "The river bank is near the bank", "query": -1, "key": 2},
        claim=Claim(AT_EQUALS, "over", 0.5),
        at="scores stages",
    ),
)


def show(depth: str) -> None:
    screen = head_controls.choose()
    if depth == "Code":
        layout.code(scores.attend)
        return
    if depth == "Formula":
        _show_formula(screen)
        return
    stages, shape = _stages(screen), screen.weights.shape
    claims.tell(HEAD, screen.head)
    equal = [key for key, word in enumerate(screen.keys) if word == screen.queries[screen.query]]
    claims.tell(AT_EQUALS, float(stages[0].values[screen.query, equal].sum()))
    part = token_window.choose_part("stages", shape, (screen.query, screen.key))
    shown, queries, keys = cut(stages, part), screen.queries[part[0]], screen.keys[part[1]]
    selected = windows.nearest_in(part, (screen.query, screen.key))
    if depth == "Numbers":
        _show_row(screen, stages)
    else:
        packed = pack_panels(
            shown,
            queries,
            keys,
            identity=f"{screen.identity} {part[0].start} {part[1].start}",
            title="Attention built up from similarity",
            selected=selected,
        )
        on_cell = partial(_take_cell, part[0].start, part[1].start)
        matrix_mounts.panels(packed, key="scores stages", on_cell=on_cell)
    layout.caption(_describe(screen, stages) + windows.say_part(part, shape))
    cells = {stage.short: stage.values for stage in shown}
    figures.files(
        f"{screen.file_name}-stages",
        partial(panel_pictures.panels_picture, shown, queries, keys, screen.place, across=2, selected=selected),
        CSV=lambda: rows_csv(cell_rows(queries, keys, cells)),
        NPZ=partial(npz, **{stage.short: stage.values for stage in stages}),
    )
    layout.try_this(*PROMPTS)


def _stages(screen: HeadOfRun) -> list[Panel]:
    """The weights (queries, keys) of every stage. The last stage is the model's own."""
    h, has_mask = screen.steps, bool((screen.steps.mask != 0).any())
    scale = math.sqrt(h.q.shape[-1])
    stages = [
        Panel("Similarity", "softmax(X Xᵀ)", "similarity", attend(h.x, h.memory, h.memory).weights.numpy()),
        Panel("Learned", "softmax(Q Kᵀ)", "learned", attend(h.q, h.k, h.v).weights.numpy()),
        Panel("Scaled", "softmax(Q Kᵀ ÷ √d_k)", "scaled", attend(h.q, h.k, h.v, scale).weights.numpy()),
    ]
    own = "Masked" if score_formula.is_usual(screen.config, screen.at.is_cross) else "This model"
    if own != "Masked":  # its scores are not those of the paper, with a mask or without
        scores = score_formula.in_words(screen.config, screen.at.is_cross)
        stages.append(Panel(own, f"softmax({scores}{' + M' * has_mask})", "masked", h.weights.numpy()))
    elif has_mask:
        stages.append(Panel(own, "as in the model", "masked", h.weights.numpy()))
    return stages


def _take_cell(first_query: int, first_key: int) -> None:
    query, key = st.session_state["scores stages"]["cell"]
    state.put(query=first_query + int(query), key=first_key + int(key))


def _show_formula(screen: HeadOfRun) -> None:
    """Each stage with the singled-out pair: its product, and the weight that the row makes of it."""
    h, i, j = screen.steps, screen.query, screen.key
    layout.equation(r"Y = \mathrm{softmax}(X X^\top)\, X", "Bishop, ch. 12; Palaskos (2022), eqs. 3.15-3.17")
    layout.caption("A token takes most from the tokens that it resembles. Nothing is learned.")
    pair = f"{quotes.quote(screen.queries[i])} (i = {i}) and {quotes.quote(screen.keys[j])} (j = {j})"
    similarities = h.x[i] @ h.memory.T  # (keys,)
    layout.work_out(
        f"For {pair}, in {screen.place}, the product of what the attention reads:",
        rf"x_i \cdot x_j = {sums.product(h.x[i], h.memory[j])}",
        rf"A_{{ij}} = {sums.softmax(similarities, j)}",
    )
    layout.equation(
        r"Y = \mathrm{softmax}(Q K^\top)\, V, \qquad Q = X W_Q,\; K = X W_K,\; V = X W_V",
        "Bishop, ch. 12; Palaskos (2022), eqs. 3.29-3.32",
    )
    layout.caption("Three learned matrices decide what resembling means, and what is taken.")
    products = h.q[i] @ h.k.T  # (keys,)
    layout.work_out(
        "The same two as query and key:",
        rf"q_i \cdot k_j = {sums.product(h.q[i], h.k[j])}",
        rf"A_{{ij}} = {sums.softmax(products, j)}",
    )
    layout.equation(
        r"Y = \mathrm{softmax}\!\left(\frac{Q K^\top}{\sqrt{d_k}}\right) V",
        "Vaswani et al. (2017), eq. 1; encoder notes, eqs. 0.1.3-0.1.5; Palaskos (2022), eq. 3.42",
    )
    layout.caption("The scale keeps the softmax where it has a gradient.")
    width = h.q.shape[-1]
    score, has_mask = float(products[j] / math.sqrt(width)), bool((h.mask[i] != 0).any())
    layout.work_out(
        "Divided by the root of the head's width" + (", with the model's mask added:" if has_mask else ":"),
        rf"S_{{ij}} = \frac{{{quotes.tex(float(products[j]))}}}{{\sqrt{{{width}}}}} = {quotes.tex(score)}",
        rf"A_{{ij}} = {sums.softmax(products / math.sqrt(width) + h.mask[i], j)}",
    )
    if not score_formula.is_usual(screen.config, screen.at.is_cross):
        _show_own_scores(screen)


def _show_own_scores(screen: HeadOfRun) -> None:
    """The scores of a model that makes them in another way than the paper, with the singled-out pair."""
    h, i, j, config, is_cross = screen.steps, screen.query, screen.key, screen.config, screen.at.is_cross
    layout.equation(
        rf"Y = \mathrm{{softmax}}\!\left({score_formula.in_latex(config, is_cross)} + M\right) V",
        f"This model{score_formula.source(config, is_cross)}",
        score_formula.symbols(config, is_cross),
    )
    bias = "" if h.position_bias is None else f" + {quotes.tex(float(h.position_bias[i, j]))}"
    layout.work_out(
        "As this model has it, with its mask:",
        rf"S_{{ij}} = {quotes.tex(float(h.scores_unbiased[i, j]))}{bias} = {quotes.tex(float(h.scores[i, j]))}",
        rf"A_{{ij}} = {sums.softmax(h.masked[i], j)}",
    )


def _show_row(screen: HeadOfRun, stages: list[Panel]) -> None:
    """The weights of the singled-out query at every stage."""
    weights = {stage.title: stage.values[screen.query] for stage in stages}
    st.dataframe(pd.DataFrame(weights, index=number_words(screen.keys)))
    layout.caption(f"The row of {quotes.quote(screen.queries[screen.query], screen.query)} at every stage.")


def _describe(screen: HeadOfRun, stages: list[Panel]) -> str:
    similarity, learned, scaled = (stage.values for stage in stages[:3])
    key = int(stages[-1].values[screen.query].argmax())
    query, best = quotes.quote(screen.queries[screen.query], screen.query), quotes.quote(screen.keys[key], key)
    largest = [percent(float(np.mean(weights.max(-1)))) for weights in (learned, scaled)]
    if screen.at.is_cross:
        start = "By similarity alone, decoder and encoder vectors are compared as they are. "
    else:
        itself = percent(float(np.mean(np.diag(similarity))))
        start = f"By similarity alone a token gives {itself} of its attention to itself, on average. "
    return (
        f"{start}The learned projections change that; without the scale the largest weight of a row is {largest[0]} on "
        f"average, with it {largest[1]}. In the end {query} looks most at {best}."
    )
