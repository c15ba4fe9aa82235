"""One real row of scores at another temperature."""

from __future__ import annotations

import math
from functools import partial

import numpy as np
import pandas as pd
import streamlit as st

from pages.shared import figures, head_controls, layout, state
from pages.shared.head_on_screen import HeadOnScreen
from viz.attention.scores import temperature_figure
from viz.shared.alternative import describe_figure
from viz.shared.style import isolate, markdown_text, number, percent

COLDEST, STEP = 0.05, 0.025  # of the slider
PROMPTS = (
    layout.Prompt("Cold", "Near 0 the largest score takes all.", {"scores_temperature": 0.05}),
    layout.Prompt("Hot", "At 5 all visible keys get nearly the same.", {"scores_temperature": 5.0}),
)


def show(depth: str) -> None:
    from model.analysis import scores
    from model.analysis.scores import entropy, softmax_at

    if depth == "Code":
        layout.code(scores.softmax_at, scores.entropy)
        return
    if depth == "Formula":
        layout.equation(
            r"A_{ij} = \frac{e^{S_{ij} / \tau}}{\sum_{j'} e^{S_{ij'} / \tau}}",
            "the softmax at temperature τ; with τ = 1 it is Palaskos (2022), eq. 3.41",
            {r"\tau": "small: the largest score takes all; large: all keys get the same"},
        )
    shown = head_controls.choose("scores", row=True)
    st.slider("Temperature", COLDEST, 5.0, key="scores_temperature", step=STEP)
    temperature = state.get("scores_temperature")
    row = shown.steps.masked[shown.query]
    usual, tempered = softmax_at(row, 1.0), softmax_at(row, temperature)
    if depth == "Formula":
        _worked(shown, row.numpy(), temperature)
        return
    figure = temperature_figure(
        shown.keys, usual.numpy(), tempered.numpy(), f"temperature {temperature:g}", state.theme()
    )
    table = partial(_table, shown, row.numpy(), usual.numpy(), tempered.numpy(), temperature)
    if depth == "Numbers":
        st.dataframe(table())
    else:
        alt = describe_figure("One row of weights at two temperatures", figure)
        figures.chart(figure, key="scores temperature chart", alt=alt)
    best = int(tempered.argmax())
    layout.caption(
        f"**{markdown_text(shown.queries[shown.query])}** gives **{isolate(markdown_text(shown.keys[best]))}** "
        f"{percent(float(usual[best]))} in the model and {percent(float(tempered[best]))} at temperature "
        f"{temperature:g}. The row's entropy goes from {number(float(entropy(usual)), 2)} to "
        f"{number(float(entropy(tempered)), 2)} bits."
    )
    figures.export(
        f"{shown.file_name}-temperature",
        figure,
        lambda: figures.named_rows(table(), "key"),
        scores=row,
        weights=usual,
        tempered=tempered,
        temperature=temperature,
    )
    layout.try_this(*PROMPTS, _unscaled(shown))


def _worked(shown: HeadOnScreen, row: np.ndarray, temperature: float) -> None:
    """The row's largest weight with its numbers, over the largest score, so that no exponential overflows."""
    best = int(row.argmax())
    total = float(np.exp((row - row[best]) / temperature).sum())
    layout.work_out(
        f"For {layout.quote(shown.queries[shown.query])} (i = {shown.query}) and "
        f"{layout.quote(shown.keys[best])} (j = {best}), whose score is the row's largest:",
        rf"A_{{{shown.query},{best}}} = \frac{{1}}{{\sum_{{j'}} e^{{(S_{{ij'}} - {layout.tex(float(row[best]))}) / "
        rf"{temperature:g}}}}} = \frac{{1}}{{{layout.tex(total)}}} = {layout.tex(1 / total)}",
    )


def _unscaled(shown: HeadOnScreen) -> layout.Prompt:
    """What takes the scale back in this model: the scores were divided by the root of its heads' width."""
    width = shown.config.head_width
    back = max(round(1 / math.sqrt(width) / STEP) * STEP, COLDEST)
    return layout.Prompt(
        "Without the scale",
        f"Dividing by √d_k is a temperature: 1/√{width} = {1 / math.sqrt(width):.3g} takes it back.",
        {"scores_temperature": back},
    )


def _table(
    shown: HeadOnScreen, row: np.ndarray, usual: np.ndarray, tempered: np.ndarray, temperature: float
) -> pd.DataFrame:
    return pd.DataFrame(
        {
            "score + mask": np.where(np.isfinite(row), row, np.nan),
            "weight": usual,
            f"weight at temperature {temperature:g}": tempered,
        },
        index=[f"{i} {word}" for i, word in enumerate(shown.keys)],
    )
