"""One row of scores of a real head, at another temperature."""

from __future__ import annotations

import math
from functools import partial

import numpy as np
import pandas as pd
import streamlit as st

from model.analysis import scores
from model.analysis.scores import entropy, softmax_at
from pages.shared.elements import claims, figures, head_controls, layout
from pages.shared.elements.claims import Claim
from pages.shared.session import state, token_window
from views.head_of_run import HeadOfRun
from views.shared import quotes, windows
from views.shared.matrix_tables import named_rows, number_words
from viz.attention.scores import temperature_figure
from viz.shared.alternative import describe_figure
from viz.shared.style import number, percent

COLDEST, HOTTEST, STEP = 0.05, 5.0, 0.025  # of the slider
LARGEST = "the largest weight of the row at this temperature"
ENTROPY = "the row's entropy, as a share of that of equal weights,"
UNDONE = "this temperature times √d_k"
PROMPTS = (
    layout.Prompt(
        "Cold",
        "Near 0 the largest score takes nearly all.",
        {"scores_temperature": 0.05},
        claim=Claim(LARGEST, "over", 0.8),
    ),
    layout.Prompt(
        "Hot",
        "At 5 all visible keys get nearly the same.",
        {"scores_temperature": 5.0},
        claim=Claim(ENTROPY, "over", 0.9),
    ),
)


def show(depth: str) -> None:
    if depth == "Formula":
        layout.equation(
            r"A_{ij} = \frac{e^{S_{ij} / \tau}}{\sum_{j'} e^{S_{ij'} / \tau}}",
            "the softmax at temperature τ; with τ = 1 it is Palaskos (2022), eq. 3.41",
            {r"\tau": "small: the largest score takes all; large: all keys get the same"},
        )
    screen = head_controls.choose()
    st.slider("Temperature", COLDEST, HOTTEST, key="scores_temperature", step=STEP)
    temperature = state.get("scores_temperature")
    if depth == "Code":
        layout.code(scores.softmax_at, scores.entropy)
        return
    if depth == "Formula":
        _work_out_largest(screen, temperature)
        return
    _show_weights(screen, temperature, depth == "Numbers")
    layout.try_this(*PROMPTS, *([_prompt_to_undo_scale(screen)] if screen.config.scale_scores else []))


def _show_weights(screen: HeadOfRun, temperature: float, numbers: bool) -> None:
    """The weights of the query at the model's own temperature, 1, and at the chosen one."""
    row = screen.steps.masked[screen.query]  # (keys,)
    usual, tempered = softmax_at(row, 1.0), softmax_at(row, temperature)
    keys = slice(0, len(row))
    if len(row) > windows.MAX_TOKENS:
        keys = token_window.choose("temperature", len(row), key="columns", at=screen.key, title="Keys")
    figure = temperature_figure(
        screen.keys[keys], usual[keys].numpy(), tempered[keys].numpy(), f"temperature {temperature:g}", state.theme()
    )
    table = pd.DataFrame(
        {
            "score + mask": row.where(row.isfinite(), math.nan).numpy(),
            "weight": usual.numpy(),
            f"weight at temperature {temperature:g}": tempered.numpy(),
        },
        index=number_words(screen.keys),
    )
    if numbers:
        st.dataframe(table)
    else:
        alt = describe_figure("One row of weights at two temperatures", figure)
        figures.chart(figure, key="scores temperature chart", alt=alt)
    claims.tell(LARGEST, float(tempered.max()))
    claims.tell(UNDONE, temperature * math.sqrt(screen.config.head_width))
    n_visible = int(row.isfinite().sum())
    if n_visible > 1:
        claims.tell(ENTROPY, float(entropy(tempered)) / math.log2(n_visible))
    best = int(tempered.argmax())
    layout.caption(
        f"{quotes.quote(screen.queries[screen.query], screen.query)} gives {quotes.quote(screen.keys[best], best)} "
        f"{percent(float(usual[best]))} in the model and {percent(float(tempered[best]))} at temperature "
        f"{temperature:g}. The row's entropy goes from {number(float(entropy(usual)), 2)} to "
        f"{number(float(entropy(tempered)), 2)} bits."
    )
    figures.export(
        f"{screen.file_name}-temperature",
        figure,
        partial(named_rows, table, "key"),
        scores=row,
        weights=usual,
        tempered=tempered,
        temperature=temperature,
    )


def _work_out_largest(screen: HeadOfRun, temperature: float) -> None:
    """The row's largest weight with its numbers. The largest score is subtracted, so that no exponential overflows."""
    row = screen.steps.masked[screen.query].numpy()  # (keys,)
    best = int(row.argmax())
    total = float(np.exp((row - row[best]) / temperature).sum())
    layout.work_out(
        f"For {quotes.quote(screen.queries[screen.query])} (i = {screen.query}) and "
        f"{quotes.quote(screen.keys[best])} (j = {best}), whose score is the row's largest:",
        rf"A_{{{screen.query},{best}}} = \frac{{1}}{{\sum_{{j'}} e^{{(S_{{ij'}} - {quotes.tex(float(row[best]))}) / "
        rf"{temperature:g}}}}} = \frac{{1}}{{{quotes.tex(total)}}} = {quotes.tex(1 / total)}",
    )


def _prompt_to_undo_scale(screen: HeadOfRun) -> layout.Prompt:
    """The temperature that undoes the division of the scores by √d_k in this model, or the nearest on the slider."""
    width = screen.config.head_width
    temperature = max(round(1 / math.sqrt(width) / STEP) * STEP, COLDEST)
    return layout.Prompt(
        "Without the scale",
        f"Dividing by √d_k is a temperature: 1/√{width} = {number(1 / math.sqrt(width))} takes it back.",
        {"scores_temperature": temperature},
        claim=Claim(UNDONE, "over", 0.9),
    )
