"""What parts of a model do in several pairs of prompts: the mean over the pairs, and how far the pairs agree."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, ClassVar

import numpy as np
import pandas as pd
import torch

from model.arrays import Array
from model.cached_property import cached_property
from model.experiments import prompt_pairs
from model.experiments.prompt_pairs import OverPairs, PromptPair
from views.call import Call
from views.models.why.opened_part import openable
from views.models.why.pair_numbers import (
    ACCOUNT,
    SITES,
    PairNumbers,
    Result,
    account_for,
    estimate,
    last,
    patch_layers,
)
from views.parts import Chart, Controls, DataTable, Draw, Files
from views.run import Run
from views.shared import quotes
from views.view import Needs, View, cite, equation, existing, grey, work_out
from viz.documents.page_parts import Group, Text
from viz.models.patching import patching_figure
from viz.models.why import bars_figure, part_title
from viz.shared.style import count_noun, markdown_text, number, percent, upper_first

MOST_ON_AVERAGE = "the head that brings most back on average"
TABLE_PIXELS = 420
ANSWER_CHARACTERS = 20  # of an answer beside a bar


@dataclass(frozen=True)
class AveragedPairs(View):
    """The pairs that the model of `run` can take, averaged. `averaged`: a name of `pair_numbers.AVERAGED`.

    `found`: the numbers of the pairs, by their places, as far as they are there. `is_estimated`: they come from one
    gradient of each pair. `cell`: the (row, column) that is chosen; None for the largest.
    """

    run: Run
    pairs: tuple[PromptPair, ...]
    averaged: str
    found: Mapping[int, Result] = field(compare=False)
    is_estimated: bool = False
    cell: tuple[int, int] | None = None

    needs: ClassVar[Needs] = "*embed.tokens"

    def made_by(self) -> Call:
        named: dict[str, Any] = {} if self.cell is None else {"cell": self.cell}
        if self.is_estimated:
            named["is_estimated"] = True
        if set(self.found) != set(usable(self.run, self.pairs)):
            named["places"] = tuple(sorted(self.found))
        return Call(average_pairs, (self.run, self.pairs, self.averaged), named)

    @cached_property
    def numbers(self) -> dict[int, PairNumbers]:
        """Of the pairs that have some, by their places."""
        return {place: each for place, each in sorted(self.found.items()) if isinstance(each, PairNumbers)}

    @cached_property
    def over(self) -> OverPairs:
        """The cells of all pairs: (pairs, rows, columns)."""
        return OverPairs(torch.stack([each.cells for each in self.numbers.values()]))

    @property
    def is_account(self) -> bool:
        return self.averaged == ACCOUNT

    @property
    def chosen(self) -> tuple[int, int]:
        """The chosen (row, column), or else the one with the largest mean."""
        mean = self.over.mean
        if self.cell is not None and self.cell[0] < len(mean) and self.cell[1] < mean.shape[1]:
            return self.largest if mean[self.cell].isnan() else self.cell
        return self.largest

    @property
    def largest(self) -> tuple[int, int]:
        """The (row, column) with the largest mean."""
        mean = self.over.mean.nan_to_num(-torch.inf)
        row, column = divmod(int(mean.argmax()), mean.shape[1])
        return row, column

    @property
    def columns(self) -> list[str]:
        first = next(iter(self.numbers.values()))
        return [str(head) for head in range(first.cells.shape[1])] if first.parts is None else first.parts.columns

    @property
    def row_names(self) -> list[str]:
        """The names of the rows; [] where they are the layers alone."""
        first = next(iter(self.numbers.values()))
        return [] if first.parts is None else first.parts.rows

    @property
    def axis(self) -> str:
        """What the columns are."""
        if self.is_account:
            return "head, feed-forward, other"
        return "key head" if self._shares_keys() else "head"

    def _shares_keys(self) -> bool:
        config = self.run.config
        return SITES[self.averaged].is_of_keys and config.kv_heads < config.n_heads

    def name(self, cell: tuple[int, int]) -> str:
        """A cell in words."""
        row, column = cell
        parts = next(iter(self.numbers.values())).parts
        if parts is None:
            return f"layer {row}, {self.axis} {column}"
        return part_title(parts.names[row][column]) or f"{parts.rows[row]}, {parts.columns[column]}"

    def told(self) -> Mapping[str, float | str]:
        if self.is_account or not self.numbers:
            return {}
        return {MOST_ON_AVERAGE: self.name(self.largest)}

    def picture_parts(self) -> Sequence[Any]:
        return self._below_controls(lambda: [self.picture(), *self._words()])

    def number_parts(self) -> Sequence[Any]:
        return self._below_controls(lambda: [self.table(), *self._words()])

    def formula_parts(self) -> Sequence[Any]:
        return self._below_controls(self.formula)

    def _below_controls(self, make: Callable[[], Sequence[Any]]) -> list[Any]:
        below = make() if self.numbers else self._say_nothing()
        return [Controls("pairs"), *existing(self._complaint()), *below]

    def _complaint(self) -> Text | None:
        """Which pairs are left out, and why: a line each."""
        faults = faults_of(self.run, self.pairs)
        faults |= {place: each for place, each in self.found.items() if isinstance(each, str)}
        if not faults:
            return None
        said = "\n".join(f"- Pair {place + 1}: {markdown_text(fault)}" for place, fault in sorted(faults.items()))
        return Text(f"Left out:\n{said}", "warning", ":material/info:")

    def _say_nothing(self) -> list[Text]:
        if not self.pairs:
            return [Text("Type a pair of prompts into the table, or choose a task.", "info")]
        is_open = set(usable(self.run, self.pairs)) > set(self.found)
        return grey("Nothing is measured yet: press the button.") if is_open else []

    def picture(self) -> Group:
        """The mean and the spread of each cell, and beside them the chosen cell in each pair."""
        row, column = self.chosen
        alt = f"The mean over the pairs of {self._what}, and its spread"
        chart = Chart(partial(self._draw(), selected=(row, column)), alt, key="why averaged", pick=self._pick_cell)
        left = Group([Group([chart], key="why pairs")], "column", 3)
        return Group([left, Group(self._each_pair(), "column", 2)], "row", gap="medium")

    @property
    def _what(self) -> str:
        return "what each part gives" if self.is_account else "the share that each part brings back"

    def _draw(self) -> Draw:
        mean, spread = self.over.mean.numpy(), self.over.spread.numpy()
        limit = float(np.nanmax(np.abs(mean))) if self.is_account else 1.0
        maps = {"mean": mean, "spread over the pairs": spread}
        return partial(patching_figure, maps, self.columns, self.axis, rows=self.row_names, limit=limit or 1.0)

    def _each_pair(self) -> list[Any]:
        row, column = self.chosen
        bars = {self.pair_name(place): float(each.cells[row, column]) for place, each in self.numbers.items()}
        axis = "part of the lead" if self.is_account else "share that comes back"
        name = self.name(self.chosen)
        chart = Chart(
            partial(bars_figure, bars, axis), f"{upper_first(name)} in each pair", "why each pair", self._open
        )
        return [Text(f"**{upper_first(name)}, in each pair**"), chart, Controls("open pair")]

    def pair_name(self, place: int) -> str:
        """A pair by its number and its answers."""
        answer, against = (_short(text) for text in (self.pairs[place].answer, self.pairs[place].against))
        return f"{place + 1}: {answer}, not {against}"

    def _pick_cell(self, point: Mapping[str, Any]) -> dict[str, Any]:
        return {"why_mean_cell": (int(point["y"]), int(point["x"]))}

    def _open(self, point: Mapping[str, Any]) -> dict[str, Any]:
        return self.keys_of_pair(list(self.numbers)[int(point["y"])])

    def keys_of_pair(self, place: int) -> dict[str, Any]:
        """The keys that show one pair alone, with the chosen cell open."""
        pair, (row, column) = self.pairs[place], self.chosen
        answer, against = pair.tokens(self.run.model)
        keys: dict[str, Any] = {"text": pair.clean, "why_answer": answer, "why_against": against, "query": -1}
        keys |= {"why_text2": pair.changed, "why_over": "one pair"}
        parts = next(iter(self.numbers.values())).parts
        if parts is not None:
            name = parts.names[row][column]
            return keys | {"why_part": "account", "why_opened": name if openable(name) else ""}
        site = SITES[self.averaged]
        return keys | {"why_site": f"{site.stack}.{site.part}", "why_cell": (row, column)}

    def _words(self) -> list[Any]:
        works = "Averages over pairs: Wang et al. (2023), arXiv:2211.00593; Zhang and Nanda (2024), arXiv:2309.16042."
        return [*grey(self.caption()), cite(works), self.files()]

    def caption(self) -> str:
        leads = [each.lead for each in self.numbers.values()]
        text = (
            f"The answer leads the other one by {number(float(np.mean(leads)))} after the clean prompts, on average "
            f"over {count_noun(len(leads), 'pair')}. "
        )
        if self.is_account:
            text += "A cell is the mean of what this part gives to that lead."
        else:
            text += (
                "A cell is the share of the lead that comes back in the changed prompt when this part of the clean run "
                "stands there."
            )
        text += " Beside it stands the standard deviation over the pairs."
        if self.is_estimated:
            text += " These are estimates, from one gradient of each pair. “Measure all pairs” patches each cell."
        return text + self._say_largest() + self._say_partial()

    def _say_largest(self) -> str:
        row, column = self.largest
        each = self.over.each[:, row, column].tolist()
        write: Callable[[float], str] = number if self.is_account else percent
        does = "Most is given" if self.is_account else "Most comes back"
        among = f", between {write(min(each))} and {write(max(each))}" if len(each) > 1 else ""
        return f" {does} by {self.name((row, column))}: {write(float(self.over.mean[row, column]))}{among}."

    def _say_partial(self) -> str:
        count, total = len(self.found), len(usable(self.run, self.pairs))
        if count == total:
            return ""
        return f" **Partial**: {count} of {total} pairs are measured. “Measure all pairs” measures the others."

    def table(self) -> DataTable:
        return DataTable(lambda: pd.DataFrame(self.rows()), height=TABLE_PIXELS)

    def rows(self) -> list[dict[str, Any]]:
        """One row for each cell: its mean, its spread, and its number in each pair."""
        mean, spread, each = self.over.mean, self.over.spread, self.over.each
        cells = [(int(row), int(column)) for row, column in (~mean.isnan()).nonzero()]
        return [
            {"part": self.name(cell), "mean": float(mean[cell]), "spread": float(spread[cell])}
            | {f"pair {place + 1}": float(each[index][cell]) for index, place in enumerate(self.numbers)}
            for cell in cells
        ]

    def files(self) -> Files:
        name, draw = f"{self.run.name}-pairs", self._draw()
        return Files(name, draw, draw, self.rows, self._arrays, focus=("why pairs",))

    def _arrays(self) -> dict[str, Array]:
        return {"each": self.over.each.numpy(), "mean": self.over.mean.numpy(), "spread": self.over.spread.numpy()}

    def formula(self) -> Sequence[Any]:
        whole = equation(
            r"\bar s = \frac{1}{n} \sum_{i=1}^{n} s_i, \qquad "
            r"\sigma = \sqrt{\frac{1}{n} \sum_{i=1}^{n} (s_i - \bar s)^2}",
            "Wang et al. (2023), arXiv:2211.00593, average over many prompts of one form.",
            {"s_i": f"of pair i, {self._what}", "n": "the pairs", r"\sigma": "the spread over the pairs"},
        )
        row, column = self.chosen
        each = [float(table[row, column]) for table in self.over.each]
        terms = " + ".join(map(quotes.tex, each))
        mean = quotes.tex(float(self.over.mean[row, column]))
        worked = work_out(
            f"For {self.name(self.chosen)}, over {count_noun(len(each), 'pair')}:",
            rf"\bar s = \frac{{{terms}}}{{{len(each)}}} = {mean}",
        )
        return [*whole, *worked]

    def code(self) -> Sequence[Any]:
        return [prompt_pairs.mean_account if self.is_account else prompt_pairs.mean_patching, OverPairs]


def faults_of(run: Run, pairs: Sequence[PromptPair]) -> dict[int, str]:
    """Why the model cannot take some of the pairs, by their places."""
    found = {place: pair.fault(run.model) for place, pair in enumerate(pairs)}
    return {place: fault for place, fault in found.items() if fault}


def usable(run: Run, pairs: Sequence[PromptPair]) -> list[int]:
    """The places of the pairs that the model can take."""
    faults = faults_of(run, pairs)
    return [place for place in range(len(pairs)) if place not in faults]


def average_pairs(
    run: Run,
    pairs: Sequence[PromptPair],
    averaged: str = "heads",
    cell: tuple[int, int] | None = None,
    *,
    is_estimated: bool = False,
    places: Sequence[int] | None = None,
) -> AveragedPairs:
    """Averages over the pairs that the model of a run can take, or over those of some `places` alone."""
    model = run.model

    def find(pair: PromptPair) -> Result:
        if averaged == ACCOUNT:
            return account_for(model, pair)
        return estimate(model, pair)[averaged] if is_estimated else last(patch_layers(model, pair, averaged))

    found = {place: find(pairs[place]) for place in (usable(run, pairs) if places is None else places)}
    return AveragedPairs(run, tuple(pairs), averaged, found, is_estimated, cell)


def _short(text: str) -> str:
    text = text.strip()
    return text if len(text) <= ANSWER_CHARACTERS else f"{text[: ANSWER_CHARACTERS - 1]}…"
