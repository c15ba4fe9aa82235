"""Why sqrt(d_k): random queries and keys, the variance of their products, and the softmax that saturates."""

from __future__ import annotations

from dataclasses import asdict
from functools import partial

import numpy as np
import pandas as pd
import streamlit as st

from model.analysis import scores
from model.analysis.scores import sample_scale
from pages.shared.elements import claims, figures, layout
from pages.shared.elements.claims import Claim
from pages.shared.session import state
from views.shared import quotes
from viz.attention.scores import scale_figure, scales_figure, sorted_weights_figure
from viz.shared.alternative import describe_figure
from viz.shared.style import number, percent

WIDTHS = (1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024)
LARGEST = "the largest weight without the scale, on average,"
CHANGE = "what the scale changes of the largest weight"
VARIANCE = "the variance of the products, divided by d_k,"
PROMPTS = (
    layout.Prompt(
        "The widest",
        "At 1024 the unscaled softmax picks one key.",
        {"scores_width": 1024},
        claim=Claim(LARGEST, "over", 0.9),
        at="scores curves",
    ),
    layout.Prompt(
        "One feature",
        "At width 1 the scale changes nothing: √1 = 1.",
        {"scores_width": 1},
        claim=Claim(CHANGE, "under", 1e-6),
        at="scores curves",
    ),
    layout.Prompt(
        "Another sample",
        "Other random numbers, the same law: the variance is d_k.",
        {"scores_seed": 7},
        claim=Claim(VARIANCE, "over", 0.8),
        at="scores curves",
    ),
)

Sample = dict[str, np.ndarray]  # the fields of `model.analysis.scores.ScaleSample`: (widths,), rows (widths, keys)


def show(depth: str) -> None:
    if depth == "Code":
        layout.code(scores.sample_scale, scores.softmax_gradient)
        return
    width = state.get("scores_width")
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.select_slider("Width d_k", WIDTHS, key="scores_width", width=420)
        st.number_input("Seed of the sample", 0, 9999, key="scores_seed", width=160)
    if width not in WIDTHS:
        width = min(WIDTHS, key=lambda each: abs(each - width))
    sample, at = _draw_sample(state.get("scores_seed")), WIDTHS.index(width)
    if depth == "Formula":
        _show_formula(sample, at)
        return
    if depth == "Numbers":
        st.dataframe(_table(sample), hide_index=True)
    else:
        with st.container(key="scores curves"):
            _show_curves(sample, at)
    draw = partial(scales_figure, np.array(WIDTHS), _curves(sample), width)
    figures.export("why-sqrt-dk", draw, lambda: _table(sample).to_dict("records"), widths=WIDTHS, **sample)
    if depth != "Numbers":
        st.markdown(f"**One row of 16 weights at d_k = {width}**")
        _show_row(sample["row"][at], sample["row_scaled"][at])
    layout.caption(_describe(sample, at))
    layout.try_this(*PROMPTS)


@st.cache_data(show_spinner=False, max_entries=16)
def _draw_sample(seed: int) -> Sample:
    fields = asdict(sample_scale(WIDTHS, seed=seed))
    return {name: tensor.numpy() for name, tensor in fields.items() if name != "widths"}


def _curves(sample: Sample) -> dict[str, dict[str, np.ndarray]]:
    """Variance, saturation and gradient over d_k: the lines of each picture, by its title."""
    scaled = "÷ √d_k"
    return {
        "Variance of q · k": {"theory": np.array(WIDTHS), "sample": sample["variance"]},
        "Largest weight of a row": {"without scale": sample["largest"], scaled: sample["largest_scaled"]},
        "Size of the softmax's gradient": {"without scale": sample["gradient"], scaled: sample["gradient_scaled"]},
    }


def _show_curves(sample: Sample, at: int) -> None:
    """The pictures side by side."""
    for column, (title, lines) in zip(st.columns(3), _curves(sample).items(), strict=True):
        with column:
            st.markdown(f"**{title}**")
            figure = scale_figure(np.array(WIDTHS), lines, WIDTHS[at], state.theme(), variance="theory" in lines)
            figures.chart(figure, key=f"scores {title}", alt=f"{title} by width. {_describe(sample, at)}")


def _show_row(row: np.ndarray, scaled: np.ndarray) -> None:
    draw = partial(sorted_weights_figure, row, scaled)
    figure = draw(theme=state.theme())
    figures.chart(figure, key="scores rows", alt=describe_figure("The weights of one sampled row", figure))
    rows = [
        {"key": i, "without scale": float(a), "÷ √d_k": float(b)}
        for i, (a, b) in enumerate(zip(row, scaled, strict=True))
    ]
    figures.export("one-row", draw, lambda: rows, without_scale=row, scaled=scaled)


def _table(sample: Sample) -> pd.DataFrame:
    """One row for each width."""
    return pd.DataFrame(
        {
            "d_k (theory of the variance)": WIDTHS,
            "mean of q · k": sample["mean"],
            "variance of q · k": sample["variance"],
            "largest weight": sample["largest"],
            "largest weight, scaled": sample["largest_scaled"],
            "gradient": sample["gradient"],
            "gradient, scaled": sample["gradient_scaled"],
        }
    )


def _show_formula(sample: Sample, at: int) -> None:
    variance, width = quotes.tex(float(sample["variance"][at])), WIDTHS[at]
    layout.equation(
        r"q \cdot k = \sum_{f=1}^{d_k} q_f k_f, \qquad \mathbb{E}[q \cdot k] = 0, \qquad \mathrm{Var}[q \cdot k] = d_k",
        "Vaswani et al. (2017), note 4; Palaskos (2022), eq. 3.33 and below",
        {"q_f, k_f": "independent, of mean 0 and variance 1: then each product has mean 0 and variance 1"},
    )
    layout.work_out(
        f"In the sample at $d_k = {width}$, before the division and after it:",
        rf"\mathrm{{Var}}[q \cdot k] = {variance}, \qquad "
        rf"\mathrm{{Var}}\!\left[\frac{{q \cdot k}}{{\sqrt{{d_k}}}}\right] = "
        rf"\frac{{{variance}}}{{{width}}} = {quotes.tex(float(sample['variance'][at] / width))}",
    )
    layout.equation(
        r"\frac{\partial A_i}{\partial S_j} = A_i(\delta_{ij} - A_j)",
        "the derivative of the softmax: it is 0 where one weight is 1 and the others are 0",
    )
    for way, row in {"without the scale": sample["row"][at], "with it": sample["row_scaled"][at]}.items():
        largest = float(row.max())
        layout.work_out(
            f"The largest weight of one sampled row, {way}, and its derivative by its own score:",
            rf"{quotes.tex(largest)} \cdot (1 - {quotes.tex(largest)}) = {quotes.tex(largest * (1 - largest))}",
        )
    layout.caption("Dividing by √d_k gives the scores variance 1 at every width, and the softmax keeps its gradient.")


def _describe(sample: Sample, at: int) -> str:
    here = {name: float(values[at]) for name, values in sample.items() if values.ndim == 1}
    claims.tell(LARGEST, here["largest"])
    claims.tell(CHANGE, abs(here["largest"] - here["largest_scaled"]))
    claims.tell(VARIANCE, here["variance"] / WIDTHS[at])
    return (
        f"A sample: 256 random queries with 16 random keys each. At d_k = {WIDTHS[at]} the products have variance "
        f"{number(here['variance'])} (theory: {WIDTHS[at]}). Without the scale the largest of 16 weights is "
        f"{percent(here['largest'])} on average and the gradient {number(here['gradient'])}; with it, "
        f"{percent(here['largest_scaled'])} and {number(here['gradient_scaled'])}."
    )
