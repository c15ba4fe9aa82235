"""The table of the lecture notes for the reader's own words, d and n: each entry with its formula and its number."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import pandas as pd
import torch

from model.arrays import Array
from model.cached_property import cached_property
from model.network import positions
from views.parts import Controls, DataTable, Files, Source
from views.shared import quotes
from views.view import View, equation, grey
from viz.documents.page_parts import Code, Group, Text
from viz.print import position_pictures
from viz.shared.style import markdown_text, number

MAX_WORDS = 12
SLOW = "the sine of the slow pair in the last row"
TABLE = "positions table"  # the key of the table


@dataclass(frozen=True)
class WorkedPositions(View):
    """The positions of the words that the reader has typed: `d` features with the base `base`."""

    typed: tuple[str, ...]
    d: int
    base: float

    @property
    def words(self) -> list[str]:
        return list(self.typed[:MAX_WORDS])

    @cached_property
    def values(self) -> Array:
        """(words, d)"""
        return positions.sinusoidal(torch.arange(len(self.words)), self.d, self.base).numpy()

    def told(self) -> Mapping[str, float | str]:
        return {SLOW: float(self.values[-1, -2])} if self.typed else {}

    def picture_parts(self) -> Sequence[Any]:
        return self._below_controls(lambda: [Group([Text(self._write_table())], key=TABLE)])

    def number_parts(self) -> Sequence[Any]:
        return self._below_controls(lambda: [self.table()])

    def formula_parts(self) -> Sequence[Any]:
        return self._below_controls(self.formula)

    def code_parts(self) -> Sequence[Any]:
        return self._below_controls(lambda: [Source(positions.sinusoidal), Code(self._write_snippet(), "python")])

    def _below_controls(self, show: Any) -> list[Any]:
        above = [
            *grey("Shamsi's example, entry by entry. Change the words, the width and the base."),
            Controls("words"),
        ]
        if not self.typed:
            return [*above, Text("Type at least one word: each word gets a row.", "error", ":material/error:")]
        room = f"The table has room for {MAX_WORDS} words, and you typed {len(self.typed)}. It shows the first ones."
        warned = [Text(room, "warning")] if len(self.typed) > MAX_WORDS else []
        return [*above, *warned, *show(), *grey(self.caption()), self.files()]

    def table(self) -> DataTable:
        return DataTable(self._table, 8, has_index=True)

    def _table(self) -> pd.DataFrame:
        frame = pd.DataFrame(self.values, columns=[f"{_wave(j)}, pair {j // 2}" for j in range(self.d)])
        frame.insert(0, "word", self.words)
        return frame

    def _write_table(self) -> str:
        """The table as Markdown. Every entry is an equation, formula = number, which a phone may break at the sign."""
        d, n = self.d, int(self.base) if self.base == int(self.base) else self.base
        head = [rf"$j={j}$, $\{_wave(j)}$, $k={j // 2}$" for j in range(d)]
        lines = [["$t$", "word", *head], ["---:", ":---", *["---"] * d]]
        for t, word in enumerate(self.words):
            entries = [
                rf"$\{_wave(j)}\!\left(\tfrac{{{t}}}{{{n}^{{{2 * (j // 2)}/{d}}}}}\right)$ $= {quotes.tex(value, 4)}$"
                for j, value in enumerate(self.values[t])
            ]
            lines.append([str(t), f"**{markdown_text(word)}**", *entries])
        return "\n".join("| " + " | ".join(line) + " |" for line in lines)

    def _write_snippet(self) -> str:
        """Python that computes the table with the library, and checks two of its entries."""
        count, d, base = len(self.words), self.d, self.base
        t = count - 1
        return (
            "import math, torch\nfrom glassformer.model.network.positions import sinusoidal\n\n"
            f"P = sinusoidal(torch.arange({count}), d={d}, base={base:g})  # ({count}, {d})\n"
            f"assert abs(P[{t}, 0] - math.sin({t})) < 1e-12\n"
            f"assert abs(P[{t}, {d - 1}] - math.cos({t} / {base:g} ** ({d - 2} / {d}))) < 1e-12  "
            f"# {self.values[t, -1]:.4f}"
        )

    def formula(self) -> Sequence[Any]:
        return equation(
            r"P_{t,2k} = \sin\!\left(\frac{t}{n^{2k/d}}\right), \qquad "
            r"P_{t,2k+1} = \cos\!\left(\frac{t}{n^{2k/d}}\right)",
            "Shamsi (2024), eqs. 1-2, with the example “I am a robot”, d = 4, n = 100",
        )

    def caption(self) -> str:
        row = len(self.words) - 1
        fast, slow = (
            ", ".join(number(value, 2) for value in pair) for pair in (self.values[row, :2], self.values[row, -2:])
        )
        return (
            f"The row of {quotes.quote(self.words[row], row)}: the fast pair stands at ({fast}), the slow one at "
            f"({slow}). Row 0 is always 0, 1, 0, 1: sin 0 and cos 0."
        )

    def files(self) -> Files:
        values, words = self.values, self.words
        title = f"Positions of {len(words)} words, d = {self.d}, n = {self.base:g}"
        return Files(
            "worked-table",
            partial(position_pictures.heatmap_picture, values, words, title),
            arrays=lambda: {"positions": values, "words": words},
            others={"CSV": partial(position_pictures.table_csv, values, words)},
        )


def _wave(j: int) -> str:
    return "cos" if j % 2 else "sin"
