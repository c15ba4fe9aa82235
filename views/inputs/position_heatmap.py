"""The positions P[t, j] as a heatmap, with the reader's tokens on the rows, and the waves of chosen pairs."""

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
from model.network import positions
from views.inputs.placed_sentence import NEEDS, PlacedSentence
from views.parts import Canvas, Controls, DataTable, Files
from views.shared import quotes
from views.view import View, equation, grey, work_out
from viz.documents.page_parts import Text
from viz.inputs.position_bytes import pack_heatmap
from viz.print import position_pictures
from viz.shared.style import markdown_text, number

MAX_TABLE_FEATURES = 64  # columns of the table of numbers. The CSV file has all.
LAST_TURN = "the turn of the last pair over all rows, in degrees,"
ROWS = "the number of rows"
WHOSE = "the picture"


@dataclass(frozen=True)
class Encoding:
    """Position vectors: values (rows, width), and the frequencies and the base if they are sinusoidal.

    `note`: what is to be known of them before they are seen.
    """

    values: Array
    formula: tuple[Array, float] | None
    title: str
    note: str = ""

    def explain(self) -> str:
        """The caption of its picture."""
        rows, width = self.values.shape
        hint = "Point at a cell to read its numbers. Click it to see the waves of its pair."
        if self.formula is None:
            size = positions.row_lengths(torch.from_numpy(self.values))
            least, most = number(float(size.min()), 2), number(float(size.max()), 2)
            return (
                f"Each row is a trained vector of {width} numbers; their lengths run from {least} to {most}. "
                f"No formula made them. {hint}"
            )
        speeds = self.formula[0]
        slow = positions.count_slow_pairs(torch.from_numpy(speeds), rows)
        fast, slowest = (number(2 * math.pi / speed, 1) for speed in (speeds[0], speeds[-1]))
        return (
            f"Pair 0 turns once in {fast} words, pair {len(speeds) - 1} once in {slowest}. Over these "
            f"{rows} rows, {slow} of {len(speeds)} pairs turn less than a quarter. These tell far from near, and the "
            f"fast ones tell neighbours apart. {hint}"
        )


@dataclass(frozen=True)
class PositionHeatmap(View):
    """So many `rows` of positions: of the sentence's model, or of the formula with the width `d` and the base `base`.

    `pairs`: the pairs of features whose waves are drawn.
    """

    sentence: PlacedSentence
    of_model: bool
    rows: int
    d: int
    base: float
    pairs: tuple[int, ...] = ()

    needs = NEEDS

    @cached_property
    def encoding(self) -> Encoding | None:
        """The positions; None of a model without positions."""
        if not self.of_model:
            return sinusoidal(self.rows, self.d, self.base, f"Sinusoidal positions, d = {self.d}, n = {self.base:g}")
        return of_model(self.sentence, self.rows)

    @property
    def labels(self) -> list[str]:
        return self.sentence.labels[: self.rows]

    def told(self) -> Mapping[str, float | str]:
        if self.encoding is None:
            return {}
        told: dict[str, float | str] = {ROWS: self.rows, WHOSE: "the model's" if self.of_model else "the formula's"}
        if self.encoding.formula is not None:
            told[LAST_TURN] = math.degrees(self.encoding.formula[0][-1] * self.rows)
        return told

    def picture_parts(self) -> Sequence[Any]:
        return self._below_controls(self.picture, *grey("" if self.encoding is None else self.encoding.explain()))

    def number_parts(self) -> Sequence[Any]:
        return self._below_controls(self.table, *grey(self._say_columns()))

    def _below_controls(self, show: Any, *words: Any) -> list[Any]:
        if self.encoding is None:
            name = self.sentence.model.card.title
            missing = f"{name} was trained without positions: there is nothing to show. Choose “The formula”."
            return [Controls("positions"), Text(missing, "info")]
        note = [Text(self.encoding.note, "caption")] if self.encoding.note else []
        return [Controls("positions"), *note, show(), *words, self.files()]

    @property
    def _shown(self) -> Encoding:
        assert self.encoding is not None
        return self.encoding

    def picture(self) -> Canvas:
        picks = {"pairs": lambda pairs: {"positions_pairs": tuple(pairs)}}
        return Canvas("inputs/position_heatmap", self._pack, "positions heatmap", picks)

    def _pack(self) -> bytes:
        shown = self._shown
        pairs = [pair for pair in self.pairs if pair < shown.values.shape[1] // 2]
        token = min(self.sentence.token, self.rows - 1)
        return pack_heatmap(shown.values, self.labels, pairs, title=shown.title, formula=shown.formula, token=token)

    def table(self) -> DataTable:
        return DataTable(self._table, 4, has_index=True, height=min(560, 38 + 35 * self.rows))

    def _table(self) -> pd.DataFrame:
        frame = pd.DataFrame(self._shown.values[:, :MAX_TABLE_FEATURES].astype(np.float32))
        frame.columns = [str(j) for j in frame.columns]
        frame.insert(0, "token", self.labels + [""] * (self.rows - len(self.labels)))
        return frame

    def _say_columns(self) -> str:
        width = 0 if self.encoding is None else self.encoding.values.shape[1]
        more = f" The first {MAX_TABLE_FEATURES} of {width} features; the CSV file has all."
        said = "Rows are positions t, columns features j: even ones sine, odd ones cosine."
        return said + (more if width > MAX_TABLE_FEATURES else "")

    def files(self) -> Files:
        values, labels = self._shown.values, self.labels
        return Files(
            "positions",
            partial(position_pictures.heatmap_picture, values, labels, self._shown.title),
            arrays=lambda: {"positions": values, "tokens": labels},
            others={"CSV": partial(position_pictures.table_csv, values, labels)},
        )

    def formula(self) -> Sequence[Any]:
        d, base, t, k = self.d, self.base, self.sentence.token, min(1, self.d // 2 - 1)
        speeds = positions.frequencies(d, base)
        speed = float(speeds[k])
        waves = equation(
            r"P_{t,2k} = \sin(\omega_k t), \qquad P_{t,2k+1} = \cos(\omega_k t), \qquad \omega_k = n^{-2k/d}",
            "Vaswani et al. (2017), section 3.5; encoder notes, eq. 0.1.1; Shamsi (2024), eqs. 1-2; "
            "Palaskos (2022), eqs. 3.3-3.4",
            {
                "t": "the position, counted from 0",
                "k": f"the pair of features, 0 to {d // 2 - 1} here",
                "n": f"the base, {base:g} here",
                r"\omega_k": f"radians per word: from {number(speeds[0], 4)} down to {number(speeds[-1], 4)}",
            },
        )
        worked = work_out(
            f"The token {self.sentence.name_token(t)} at place {t}, at pair {k}:",
            rf"\omega_{{{k}}} = {base:g}^{{-{2 * k}/{d}}} = {quotes.tex(speed, 5)}, \qquad "
            rf"P_{{{t},{2 * k}}} = \sin({quotes.tex(speed * t)}) = {quotes.tex(math.sin(speed * t))}, \qquad "
            rf"P_{{{t},{2 * k + 1}}} = \cos({quotes.tex(speed * t)}) = {quotes.tex(math.cos(speed * t))}",
        )
        return [Controls("waves"), *waves, *worked]

    def code(self) -> Sequence[Any]:
        return [positions.frequencies, positions.sinusoidal]


def sinusoidal(rows: int, d: int, base: float, title: str, note: str = "") -> Encoding:
    return _waves(rows, positions.frequencies(d, base), base, title, note)


def _waves(rows: int, speeds: torch.Tensor, base: float, title: str, note: str) -> Encoding:
    values = positions.waves(torch.arange(rows), speeds)
    return Encoding(values.numpy(), (speeds.numpy(), base), title, note)


def of_model(sentence: PlacedSentence, rows: int) -> Encoding | None:
    """The positions that the model adds, or by which it turns; None where it has none."""
    config, name = sentence.model.config, sentence.model.card.title
    if not config.has_positions:
        return None
    base = config.position_base
    if config.positions == "rotary":
        speeds = positions.rotary_speeds(config)
        return _waves(rows, speeds[speeds > 0], base, f"Rotary angles of {name}", _say_rotary(sentence))
    if config.positions == "sinusoidal":
        note = (
            f"{markdown_text(name)} has all sines first, and then all cosines. Here the two of a pair stand side by "
            "side, as in the formula."
        )
        title = f"Sinusoidal positions of {name}"
        return sinusoidal(rows, config.position_width, base, title, note if config.sines_first else "")
    embedding = getattr(sentence.model.on_cpu.network, config.stacks[0]).embed
    with torch.inference_mode():
        table = embedding.position_vectors(torch.arange(rows))
    return Encoding(table.numpy(), None, f"Learned positions of {name}")


def _say_rotary(sentence: PlacedSentence) -> str:
    """What a rotary model does with these sines and cosines."""
    config, name = sentence.model.config, sentence.model.card.title
    turning = 2 * int((positions.rotary_speeds(config) > 0).sum())
    whole = f"one head's {config.head_width} features"
    said = f"{turning} of {whole}" if turning < config.head_width else whole
    slower = ", slower for long texts" if config.rotary_scaling else ""
    return (
        f"{markdown_text(name)} adds nothing to its embeddings: these sines and cosines ({said}, "
        f"n = {config.position_base:g}{slower}) turn its queries and keys. See “Rotary”."
    )
