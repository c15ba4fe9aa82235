"""Why sqrt(d_k): random queries and keys, the variance of their products, and the softmax that saturates."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Any

import numpy as np
import pandas as pd

from model.analysis import scores
from model.analysis.scores import ScaleSample, sample_scale
from model.arrays import Array
from views.parts import Chart, Controls, DataTable, Files
from views.shared.quotes import tex
from views.view import View, equation, grey, work_out
from viz.attention.scores import scale_figure, scales_figure, sorted_weights_figure
from viz.documents.page_parts import Group, Text
from viz.shared.style import number, percent

WIDTHS = (1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024)
LARGEST = "the largest weight without the scale, on average,"
CHANGE = "what the scale changes of the largest weight"
VARIANCE = "the variance of the products, divided by d_k,"
MAX_KEPT_SAMPLES = 16
SCALED = "÷ √d_k"


@lru_cache(maxsize=MAX_KEPT_SAMPLES)
def _sample(seed: int) -> ScaleSample:
    return sample_scale(WIDTHS, seed=seed)


def nearest_width(width: int) -> int:
    """The width of `WIDTHS` that is nearest to one."""
    return min(WIDTHS, key=lambda each: abs(each - width))


@dataclass(frozen=True)
class Scale(View):
    """Products of random vectors, at the marked `width` of `WIDTHS` and at all others. `seed`: of the sample."""

    width: int
    seed: int

    @property
    def sample(self) -> ScaleSample:
        return _sample(self.seed)

    @property
    def place(self) -> int:
        """The place of the marked width."""
        return WIDTHS.index(self.width)

    def told(self) -> Mapping[str, float | str]:
        largest, scaled, variance = (
            float(values[self.place])
            for values in (self.sample.largest, self.sample.largest_scaled, self.sample.variance)
        )
        return {LARGEST: largest, CHANGE: abs(largest - scaled), VARIANCE: variance / self.width}

    def picture_parts(self) -> Sequence[Any]:
        return [Controls("sample"), self.picture(), self.files(), *self._one_row(), *grey(self.caption())]

    def number_parts(self) -> Sequence[Any]:
        return [Controls("sample"), self.table(), self.files(), *grey(self.caption())]

    def formula_parts(self) -> Sequence[Any]:
        return [Controls("sample"), *self.formula()]

    def picture(self) -> Group:
        """The pictures side by side."""
        columns = [Group(self._picture_of(title), "column") for title in self._curves()]
        return Group([Group(columns, "row")], key="scores curves")

    def _picture_of(self, title: str) -> list[Any]:
        lines = self._curves()[title]
        draw = partial(scale_figure, np.array(WIDTHS), lines, self.width, variance="theory" in lines)
        alt = f"{title} by width. {self.caption()}"
        return [Text(f"**{title}**"), Chart(draw, alt, key=f"scores {title}", tells_numbers=True)]

    def _curves(self) -> dict[str, dict[str, Array]]:
        """Variance, saturation and gradient over d_k: the lines of each picture, by its title."""
        sample = self.sample
        largest, gradient = (sample.largest, sample.largest_scaled), (sample.gradient, sample.gradient_scaled)
        return {
            "Variance of q · k": {"theory": np.array(WIDTHS), "sample": sample.variance.numpy()},
            "Largest weight of a row": {"without scale": largest[0].numpy(), SCALED: largest[1].numpy()},
            "Size of the softmax's gradient": {"without scale": gradient[0].numpy(), SCALED: gradient[1].numpy()},
        }

    def table(self) -> DataTable:
        return DataTable(self._table)

    def _table(self) -> pd.DataFrame:
        """One row for each width."""
        sample = self.sample
        return pd.DataFrame(
            {
                "d_k (theory of the variance)": WIDTHS,
                "mean of q · k": sample.mean.numpy(),
                "variance of q · k": sample.variance.numpy(),
                "largest weight": sample.largest.numpy(),
                "largest weight, scaled": sample.largest_scaled.numpy(),
                "gradient": sample.gradient.numpy(),
                "gradient, scaled": sample.gradient_scaled.numpy(),
            }
        )

    def files(self) -> Files:
        draw, sample = partial(scales_figure, np.array(WIDTHS), self._curves(), self.width), self.sample
        return Files(
            "why-sqrt-dk", draw, draw, lambda: self._table().to_dict("records"), lambda: vars(sample)
        )  # fmt: skip

    def _one_row(self) -> list[Any]:
        """The weights of one sampled row at the width, and their files."""
        row, scaled = (each[self.place].numpy() for each in (self.sample.row, self.sample.row_scaled))  # (keys,)
        draw = partial(sorted_weights_figure, row, scaled)
        rows = [
            {"key": key, "without scale": float(plain), SCALED: float(divided)}
            for key, (plain, divided) in enumerate(zip(row, scaled, strict=True))
        ]
        return [
            Text(f"**One row of 16 weights at d_k = {self.width}**"),
            Chart(draw, "The weights of one sampled row", key="scores rows"),
            Files("one-row", draw, draw, lambda: rows, lambda: {"without_scale": row, "scaled": scaled}),
        ]

    def formula(self) -> Sequence[Any]:
        sample, at = self.sample, self.place
        variance = float(sample.variance[at])
        derivatives = {"without the scale": sample.row[at], "with it": sample.row_scaled[at]}
        return [
            *equation(
                r"q \cdot k = \sum_{f=1}^{d_k} q_f k_f, \qquad \mathbb{E}[q \cdot k] = 0, \qquad "
                r"\mathrm{Var}[q \cdot k] = d_k",
                "Vaswani et al. (2017), note 4; Palaskos (2022), eq. 3.33 and below",
                {"q_f, k_f": "independent, of mean 0 and variance 1: then each product has mean 0 and variance 1"},
            ),
            *work_out(
                f"In the sample at $d_k = {self.width}$, before the division and after it:",
                rf"\mathrm{{Var}}[q \cdot k] = {tex(variance)}, \qquad "
                rf"\mathrm{{Var}}\!\left[\frac{{q \cdot k}}{{\sqrt{{d_k}}}}\right] = "
                rf"\frac{{{tex(variance)}}}{{{self.width}}} = {tex(variance / self.width)}",
            ),
            *equation(
                r"\frac{\partial A_i}{\partial S_j} = A_i(\delta_{ij} - A_j)",
                "the derivative of the softmax: it is 0 where one weight is 1 and the others are 0",
            ),
            *(part for way, row in derivatives.items() for part in _worked_derivative(way, float(row.max()))),
            *grey("Dividing by √d_k gives the scores variance 1 at every width, and the softmax keeps its gradient."),
        ]

    def code(self) -> Sequence[Any]:
        return [scores.sample_scale, scores.softmax_gradient]

    def caption(self) -> str:
        sample, at = self.sample, self.place
        return (
            f"A sample: 256 random queries with 16 random keys each. At d_k = {self.width} the products have variance "
            f"{number(float(sample.variance[at]))} (theory: {self.width}). Without the scale the largest of 16 weights "
            f"is {percent(float(sample.largest[at]))} on average and the gradient "
            f"{number(float(sample.gradient[at]))}; with it, {percent(float(sample.largest_scaled[at]))} and "
            f"{number(float(sample.gradient_scaled[at]))}."
        )


def _worked_derivative(way: str, largest: float) -> list[Any]:
    return work_out(
        f"The largest weight of one sampled row, {way}, and its derivative by its own score:",
        rf"{tex(largest)} \cdot (1 - {tex(largest)}) = {tex(largest * (1 - largest))}",
    )
