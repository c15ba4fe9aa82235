"""Rotation: a shift by φ turns the hand of pair k by ω_k φ. Drawn as clocks, and as circles round the embeddings."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import torch

from model.arrays import Array
from model.cached_property import cached_property
from model.experiments.position_mix import embedding_scale
from model.network import positions
from views.inputs.placed_sentence import NEEDS, PlacedSentence
from views.parts import Canvas, Controls, DataTable, Files, Pick, Print, Source
from views.view import View, equation, grey
from viz.inputs.position_bytes import MAX_CLOCKS, pack_circles
from viz.print import circle_pictures, position_pictures
from viz.print.files import rows_csv
from viz.shared.style import markdown_text, number

COMPONENT = "positions circles"
FROM_START = "how far the fast hand is from its start, in degrees,"
VIEW = "the view"


@dataclass(frozen=True)
class PositionCircles(View):
    """The positions of a sentence, moved on by `phi`: as "clocks", or round the embeddings in a "plane" or in "space".

    `d` and `base`: of the formula. `pair`: that of the plane.
    """

    sentence: PlacedSentence
    drawn: str
    d: int
    base: float
    phi: float
    pair: int = 0

    needs = NEEDS

    @property
    def limit(self) -> float:
        """The largest shift."""
        return largest_shift(self.sentence)

    @cached_property
    def frequencies(self) -> Array:
        """(pairs,)"""
        return positions.frequencies(self.d, self.base).numpy()

    @property
    def pairs(self) -> int:
        """The number of pairs that a plane may show."""
        return min(self.embeddings.shape[1], self.d) // 2

    @cached_property
    def embeddings(self) -> Array:
        """The embeddings e of all tokens in the paper's scale, a pair's features as neighbours: (tokens, d_model)."""
        config = self.sentence.model.config
        e = self.sentence.recorded("tokens").float() * embedding_scale(config)
        return (positions.side_by_side(e) if config.sines_first else e).numpy()

    @property
    def points(self) -> Array | None:
        """What the circles stand round: (tokens, 2) or (tokens, 3); None for clocks."""
        if self.drawn == "clocks":
            return None
        return (
            self.embeddings[:, 2 * self.pair : 2 * self.pair + 2] if self.drawn == "plane" else self.embeddings[:, :3]
        )

    @property
    def hands(self) -> list[int]:
        """Three pairs with clearly different speeds: the first, and two slower ones."""
        pairs = len(self.frequencies)
        return sorted({0, pairs // 8 or min(1, pairs - 1), pairs // 4 or min(2, pairs - 1)})

    def told(self) -> Mapping[str, float | str]:
        turns = self.phi * float(self.frequencies[0]) / (2 * math.pi)
        return {VIEW: self.drawn, FROM_START: 360 * abs(turns - round(turns))}

    def picture_parts(self) -> Sequence[Any]:
        pair = [Controls("pair")] if self.drawn == "plane" else []
        return [Controls("view"), *pair, *super().picture_parts()]

    def number_parts(self) -> Sequence[Any]:
        return [Controls("formula"), Controls("shift"), self.table(), *grey(self._say_error()), self._table_files()]

    def formula_parts(self) -> Sequence[Any]:
        return [Controls("formula"), *self.formula()]

    def code_parts(self) -> Sequence[Any]:
        return [Source(positions.shift_matrix), Source(positions.shift_error)]

    def picture(self) -> Canvas:
        picks: dict[str, Pick] = {
            "phi": lambda phi: {"positions_phi": float(phi)},
            "token": lambda token: {"query": int(token)},
        }
        return Canvas("inputs/position_circles", self._pack, COMPONENT, picks)

    def _pack(self) -> bytes:
        return pack_circles(
            self.frequencies,
            self.sentence.labels,
            view=self.drawn,
            phi=self.phi,
            limit=self.limit,
            token=self.sentence.token,
            points=self.points,
            pair=self.pair,
            hands=self.hands,
        )

    def caption(self) -> str:
        return self._explain_clocks() if self.drawn == "clocks" else self._explain_circles()

    def _explain_clocks(self) -> str:
        sentence, d = self.sentence, self.d
        places = torch.arange(len(sentence.labels))
        error = positions.shift_error(places, self.phi, d, self.base)
        left_out = f" {MAX_CLOCKS} of the {d // 2} pairs are drawn." if d // 2 > MAX_CLOCKS else ""
        return (
            f"Moving {sentence.name_token(sentence.token)} by φ = {number(self.phi, 2)} words turns every hand by its "
            "own fixed angle ωφ, wherever it started: **p(t + φ) = T(φ) p(t)**. The library's T(φ) and p agree to "
            f"{number(error, 2)} over all {len(places)} tokens.{left_out}"
        )

    def _explain_circles(self) -> str:
        config, name = self.sentence.model.config, markdown_text(self.sentence.model.card.title)
        has_scale = config.embed_scale and config.token_scale is None
        scaled = "" if has_scale else " Its embeddings are scaled by √d_model, as in the paper (section 3.4)."
        added = (
            f"{name} adds these very circles."
            if config.positions == "sinusoidal" and config.adds_positions
            else f"{name} has {config.positions} positions. The circles show the effect of sinusoidal ones."
        )
        height = number(float(self.embeddings[self.sentence.token][2]), 2)
        circles = (
            "Every word has a unit circle round its own embedding; its place says where on the circle it is."
            if self.drawn == "plane"
            else f"The circle lies at height {height}, parallel to the plane of features 0 and 1. The three hands, "
            "each of length 1, belong to three planes, which are drawn as one here."
        )
        return f"{circles} {added}{scaled} Palaskos (2022), figs. 3.2-3.3."

    def files(self) -> Files:
        """The picture, and the vectors of all tokens after the shift."""
        labels, phi = self.sentence.labels, self.phi
        turned = positions.sinusoidal(torch.arange(len(labels)) + phi, self.d, self.base).numpy()
        return Files(
            f"position-{self.drawn}",
            self._print(),
            arrays=lambda: {"frequencies": self.frequencies, "turned": turned, "tokens": labels, "shift": phi},
            others={"CSV": partial(position_pictures.table_csv, turned, labels)},
        )

    def _print(self) -> Print:
        arguments = (self.frequencies, self.sentence.labels, self.phi, self.sentence.token)
        if self.points is None:
            return partial(circle_pictures.clocks_picture, *arguments)
        if self.drawn == "plane":
            return partial(circle_pictures.plane_picture, *arguments, self.points, self.pair)
        return partial(circle_pictures.space_picture, *arguments, self.points, self.hands)

    @cached_property
    def shifted(self) -> tuple[Array, Array]:
        """T(φ) p(t) and p(t + φ) of the chosen token: (pairs, 2) each."""
        turned, shifted = positions.shift_pairs(self.sentence.token, self.phi, self.d, self.base)
        return turned.numpy(), shifted.numpy()

    def table(self) -> DataTable:
        return DataTable(self._table)

    def _table(self) -> pd.DataFrame:
        speeds, (turned, shifted) = self.frequencies, self.shifted
        return pd.DataFrame(
            {
                "pair": range(len(speeds)),
                "ω": speeds,
                "ωφ, degrees": np.degrees(speeds * self.phi),
                "T(φ) p(t): sin": turned[:, 0],
                "T(φ) p(t): cos": turned[:, 1],
                "p(t + φ): sin": shifted[:, 0],
                "p(t + φ): cos": shifted[:, 1],
            }
        )

    def _say_error(self) -> str:
        token = self.sentence.token
        error = positions.shift_error(torch.tensor([token]), self.phi, self.d, self.base)
        name = self.sentence.name_token(token)
        return f"{name}, φ = {number(self.phi, 2)}: the largest difference is {number(error, 2)}."

    def _table_files(self) -> Files:
        speeds, (turned, shifted), phi = self.frequencies, self.shifted, self.phi
        return Files(
            "position-shift",
            partial(circle_pictures.clocks_picture, speeds, self.sentence.labels, phi, self.sentence.token),
            arrays=lambda: {"frequencies": speeds, "turned": turned, "shifted": shifted, "shift": phi},
            others={"CSV": lambda: rows_csv(self._table().to_dict("records"))},
        )

    def formula(self) -> Sequence[Any]:
        phi, d, sentence = self.phi, self.d, self.sentence
        product = float(positions.product_terms(phi, d, self.base).sum())
        embedding = f"the embedding of {sentence.name_token(sentence.token)}: the centre, which does not move"
        return [
            *equation(
                r"p(t+\varphi) = T(\varphi)\,p(t), \qquad T(\varphi) = \mathrm{diag}\begin{bmatrix} "
                r"\cos\omega_k\varphi & \sin\omega_k\varphi \\ -\sin\omega_k\varphi & \cos\omega_k\varphi "
                r"\end{bmatrix}",
                "Palaskos (2022), eqs. 3.6-3.8: each block is R(−ωφ), a clockwise turn of the pair (sin, cos)",
                {
                    r"\varphi": f"the shift, {number(phi, 2)} words",
                    r"\omega_k": "the speed of pair k",
                    "T": f"{d} × {d}, without t in it",
                },
            ),
            *equation(
                r"p(t) \cdot p(t+\varphi) = \sum_k \cos(\omega_k\varphi), \qquad |p(t)|^2 = d/2",
                "The dot product depends on the shift alone.",
                {r"\sum_k \cos(\omega_k\varphi)": f"{number(product)} for φ = {number(phi, 2)}", "d/2": str(d // 2)},
            ),
            *equation(
                r"x = e + p(t), \qquad e + p(t+\varphi) = e + R(-\varphi)\,p(t)",
                "Palaskos (2022), eqs. 3.9-3.10: circles of radius 1 round the embedding",
                {"e": embedding},
            ),
        ]


def largest_shift(sentence: PlacedSentence) -> float:
    """The largest shift of a sentence's positions, to either side."""
    return float(max(8, len(sentence.labels)))
