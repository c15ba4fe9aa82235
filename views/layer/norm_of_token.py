"""LayerNorm and RMSNorm on one token: its features before the norm, standardised, and after gain and bias."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import pandas as pd
import torch
from torch import Tensor

from model.analysis.block_steps import norm_input
from model.analysis.tensor_statistics import measure_tensor
from model.cached_property import cached_property
from model.network import norms
from model.network.norms import divide_by_rms, standardise
from views.layer.view_of_layer import ViewOfLayer
from views.parts import Chart, Controls, DataTable, Draw, Files
from views.shared import quotes
from views.view import equation, work_out
from viz.shared.lines import by_place, lines_figure
from viz.shared.style import number

CHANGE = "the largest change after the norm"


@dataclass(frozen=True)
class NormOfToken(ViewOfLayer):
    """A norm of a layer (`norm`, by its name) on the singled-out token, whose features are times `factor` and plus
    `shift`."""

    norm: str
    factor: float = 1.0
    shift: float = 0.0

    @cached_property
    def given(self) -> Tensor:
        """The token before the norm, as the run has it: (d_model,)."""
        place = self.place
        return place.tensor(norm_input(place.config, place.stack, self.norm))[place.token]

    @property
    def changed(self) -> Tensor:
        """The token as the reader has changed it: (d_model,)."""
        return self.factor * self.given + self.shift

    def after(self, x: Tensor) -> Tensor:
        """A vector after the norm with its gain and bias."""
        with torch.inference_mode():
            return self.place.module(self.norm)(x)

    @property
    def is_rms(self) -> bool:
        return self.place.config.norm == "rms"

    @cached_property
    def lines(self) -> dict[str, Tensor]:
        """The features of the token at each step: (d_model,) each."""
        changed, eps = self.changed, self.place.config.norm_eps
        standardised = divide_by_rms(changed, eps) if self.is_rms else standardise(changed, eps)
        return {
            "what comes in": changed,
            "standardised": standardised,
            "after gain and bias": self.after(changed),
        }

    @property
    def change(self) -> float:
        """The largest difference that the reader's change makes after the norm."""
        return float((self.after(self.given) - self.after(self.changed)).abs().max())

    def told(self) -> Mapping[str, float | str]:
        return {CHANGE: self.change}

    def picture_parts(self) -> Sequence[Any]:
        return [Controls("stack"), Controls("norm"), *super().picture_parts()]

    def number_parts(self) -> Sequence[Any]:
        return [Controls("stack"), Controls("norm"), *super().number_parts()]

    def code_parts(self) -> Sequence[Any]:
        return [Controls("stack"), Controls("norm"), *super().code_parts()]

    def picture(self) -> Chart:
        return Chart(self._draw(), "One token's features before and after the norm")

    def _draw(self) -> Draw:
        values = {name: line.tolist() for name, line in self.lines.items()}
        return partial(lines_figure, by_place(values), "feature", "value")

    def table(self) -> DataTable:
        return DataTable(lambda: pd.DataFrame(self._rows()))

    def _rows(self) -> list[dict[str, Any]]:
        """One row for each feature."""
        columns = [line.tolist() for line in self.lines.values()]
        return [
            dict(zip(("feature", *self.lines), row, strict=True))
            for row in zip(range(len(self.given)), *columns, strict=True)
        ]

    def caption(self) -> str:
        changed = self.changed
        if self.is_rms:
            spread = f"root mean square {number(float(changed.square().mean().sqrt()))}"
        else:
            statistics = measure_tensor(changed)
            spread = f"mean {number(statistics.mean)}, deviation {number(statistics.deviation)}"
        if self.factor == 1 and self.shift == 0:
            return f"The input has {spread}. Scale or shift it, and see which change the norm undoes."
        effect = (
            "RMSNorm undoes a scale, but not a shift." if self.is_rms else "LayerNorm undoes both a scale and a shift."
        )
        return (
            f"The input now has {spread}. After the norm, the result differs from the unchanged one by at most "
            f"{number(self.change, 5)}. {effect} The rest of a scale comes from ε."
        )

    def files(self) -> Files:
        arrays = {name.replace(" ", "_"): line.numpy() for name, line in self.lines.items()}
        draw = self._draw()
        return Files(f"{self.place.run.name}-{self.norm}", draw, draw, self._rows, lambda: arrays)

    def formula(self) -> Sequence[Any]:
        return [
            *equation(
                r"\mathrm{LayerNorm}(x) = g \odot \frac{x - \mu}{\sqrt{\sigma^2 + \varepsilon}} + b",
                "Palaskos (2022), eqs. 3.46-3.48; slides, “Layer Norm Enhances the Stability”.",
                {
                    r"\mu, \sigma^2": "mean and population variance of one token's features",
                    "g, b": "learnt gain and bias",
                },
            ),
            *equation(
                r"\mathrm{RMSNorm}(x) = g \odot \frac{x}{\sqrt{\mathrm{mean}(x^2) + \varepsilon}}",
                "Zhang and Sennrich (2019), arXiv:1910.07467. The mean is not subtracted.",
            ),
            Controls("stack"),
            Controls("norm"),
            *self._work_out(),
        ]

    def _work_out(self) -> list[Any]:
        """The norm of the token's largest feature with the numbers of this model."""
        x, module = self.changed, self.place.module(self.norm)
        feature = int(x.abs().argmax())
        tex, eps = quotes.tex, quotes.tex(self.place.config.norm_eps)
        gain = float(module.gain[feature])  # type: ignore[index]
        if self.is_rms:
            top, inside, bias = tex(float(x[feature])), tex(float(x.square().mean())), ""
        else:
            mean, variance = float(x.mean()), float(x.var(correction=0))
            top, inside = f"{tex(float(x[feature]))} - {tex(mean)}", tex(variance)
            bias = f" + {tex(float(module.bias[feature]))}"  # type: ignore[index]
        return work_out(
            f"For feature {feature} of {quotes.quote(self.place.tokens[self.place.token])}, its largest:",
            rf"{tex(gain)} \cdot \frac{{{top}}}{{\sqrt{{{inside} + {eps}}}}}{bias} = "
            rf"{tex(float(self.after(x)[feature]))}",
        )

    def code(self) -> Sequence[Any]:
        return [norms.standardise, norms.LayerNorm, norms.RMSNorm]
