"""One patching of two sentences: its shares, its words, and which tokens of a long text it shows and patches."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Any

import numpy as np
import torch
from torch import Tensor

from model.arrays import Array
from model.experiments.patching import Patching, of_tokens
from model.experiments.sentence_pair import Site
from views.models.why.both_sentences import patching_of, record_both
from views.models.why.question import Question
from views.shared import long_text, quotes
from viz.shared.asked_number import AskedNumber
from viz.shared.style import count_noun, number, percent, upper_first
from viz.shared.tokens import labels

MOST_MEASURED = 64  # tokens of a window: each is patched in a run of its own, in every layer


@dataclass(frozen=True)
class Patched:
    """One patching: its site, the estimate, and what has been measured so far."""

    asked: Question
    patching: Patching = field(compare=False)
    other: str  # the sentence whose run is patched
    site: Site
    rows: slice  # the heads or the tokens that are shown
    estimate: Tensor | None = field(compare=False)  # (layers, rows); None if it is not made yet
    layers: tuple[Tensor, ...] = field(compare=False)  # (rows,) each

    @property
    def is_part(self) -> bool:
        """Whether only some rows are on screen."""
        return self.rows != all_rows(self.patching, self.site)

    @property
    def first(self) -> int:
        """The first row on screen."""
        return int(self.rows.start)

    @property
    def count(self) -> int:
        """The layers."""
        return self.patching.shape(self.site)[0]

    @property
    def axis(self) -> str:
        """What the rows are."""
        if not self.site.is_of_heads:
            return "token"
        return "key head" if self.group > 1 else "head"

    @property
    def group(self) -> int:
        """The heads that a row changes. Several share a key head, and so its keys and values."""
        config = self.asked.config
        return config.n_heads // config.kv_heads if self.site.is_of_keys and self.site.is_of_heads else 1

    @property
    def measured(self) -> Array:
        """The measured shares (layers, rows), NaN where nothing has been measured."""
        found = np.full((self.count, self.rows.stop - self.first), np.nan)
        for layer, shares in enumerate(self.layers):
            found[layer] = shares.numpy()
        return found

    @property
    def estimated(self) -> Array:
        """The estimates (layers, rows), NaN if they are not made yet."""
        return np.full_like(self.measured, np.nan) if self.estimate is None else self.estimate.numpy()

    @property
    def best(self) -> tuple[int, int] | None:
        """The (layer, row) that brings most back, as far as it is known. Rows that bring all back at once tell little,
        so of the residual stream that is the highest layer's."""
        is_whole = len(self.layers) == self.count or self.estimate is None
        shares = self.measured if is_whole else self.estimated
        if np.isnan(shares).all():
            return None
        layer, row = np.unravel_index(int(np.nanargmax(shares)), shares.shape)
        return int(layer), int(row) + self.first

    @property
    def columns(self) -> list[str]:
        """The names of the rows on screen: heads, or the tokens of both sentences where they differ. Those of a long
        text have their numbers."""
        if self.site.is_of_heads:
            return [str(head) for head in range(self.patching.shape(self.site)[1])]
        model, pair, first = self.asked.run.model, self.patching.pair, self.first
        stack = self.site.token_stack
        writer = model.tokenizer if stack == "encoder" else model.output_tokenizer
        ids = (prompt.of(stack)[self.rows].tolist() for prompt in (pair.clean, pair.corrupted))
        both = zip(*(labels(writer.tokens(each)) for each in ids), strict=True)
        names = [mine if mine == other else f"{mine} / {other}" for mine, other in both]
        if (first, self.rows.stop) == (0, self.patching.shape(self.site)[1]):
            return names
        return [f"{place}: {name}" for place, name in enumerate(names, start=first)]

    def of_tokens(self, rows: slice) -> Patched:
        """The same patching of tokens, in the place of heads."""
        return replace(self, site=of_tokens(self.site), rows=rows)

    @property
    def number(self) -> AskedNumber:
        """What is measured. Without a rival of the reader's, the answer of the other sentence is one."""
        return self.asked.number_of(*self.patching.tokens)

    def table(self) -> list[dict[str, Any]]:
        """The cells on screen, one after another."""
        axis, measured, estimated = self.axis, self.measured, self.estimated
        return [
            {"layer": layer, axis: name, "measured": float(measured[layer, column])}
            | {"estimated": float(estimated[layer, column])}
            for layer in range(self.count)
            for column, name in enumerate(self.columns)
        ]

    def name(self, cell: tuple[int, int]) -> str:
        """A cell in words, in Markdown."""
        layer, row = cell
        if self.group > 1:
            return f"layer {layer}, key head {row} (heads {row * self.group} to {(row + 1) * self.group - 1})"
        if self.site.is_of_heads:
            return f"layer {layer}, head {row}"
        return f"layer {layer}, at {quotes.quote(self.columns[row - self.first])}"

    def describe(self) -> str:
        """The caption: what is measured, what brings most back, and how well the estimate agrees."""
        clean, corrupted = self.patching.measures
        by = "by " if self.number.rival else ""
        text = (
            f"{upper_first(self.number.statement)} {number(clean)} in your sentence, and {by}{number(corrupted)} in "
            "the other. "
            "A cell is the share of that difference which comes back when this one part of your run stands in the "
            "other run."
        )
        return (
            text
            + self._say_group()
            + self._say_tokens()
            + (self._say_measured() if self.layers else self._say_pending())
        )

    def _say_group(self) -> str:
        """Which heads a key head changes."""
        if self.group == 1:
            return ""
        return f" {self.group} heads share the keys and the values of a key head, so to patch it changes all of these."

    def _say_tokens(self) -> str:
        """Which tokens of a long text are on screen, and what the others would bring back."""
        first, total = first_token(self.patching, self.site), self.patching.shape(self.site)[1]
        is_part = (self.first, self.rows.stop) != (first, total)
        text = f" Shown: tokens {self.first:,} to {self.rows.stop - 1:,} of {total:,}." if is_part else ""
        if first:
            before = f"The {first:,} tokens before these" if not is_part else f"The first {first:,} tokens"
            text += (
                f" {before} are the same in both sentences, and see no later one. So their numbers are the same in "
                "both runs, and bring back exactly 0."
            )
        return text

    def _say_pending(self) -> str:
        """What the reader can measure."""
        text = ""
        if self.estimate is not None:
            text = " These are estimates from one gradient."
        elif is_far(self.patching):
            text = " No cell is measured yet. “Estimate each cell” makes one gradient for all of them."
        if is_too_wide(self.patching, self.site, self.rows):
            return f"{text} {say_too_wide()}"
        return f"{text} “Patch all layers” measures each cell{self._say_work()}."

    def _say_work(self) -> str:
        """How long all cells of a long text take, as the end of a sentence."""
        if not is_far(self.patching):
            return ""
        runs = max(round(self.patching.count_runs(self.site, self.rows)), 1)
        return f", which takes as long as about {count_noun(runs, 'run')} of the text"

    def _say_measured(self) -> str:
        """What brings most back, and how well the estimate agrees."""
        count, total = len(self.layers), self.count
        measured = torch.stack(self.layers)  # (layers, rows)
        layer, row = divmod(int(measured.argmax()), measured.shape[1])
        text = f" Most comes back by {self.name((layer, row + self.first))}: {percent(float(measured[layer, row]))}."
        estimate = None if self.estimate is None else self.estimate[:count]
        if estimate is not None and count > 1 and measured.std() > 0 and estimate.std() > 0:
            agreement = float(torch.corrcoef(torch.stack([measured.flatten(), estimate.flatten()]))[0, 1])
            worst = float((measured - estimate).abs().max())
            text += (
                f" The estimate, from one gradient, agrees with what is measured by a correlation of "
                f"{number(agreement, 2)}; it is off by {number(worst, 2)} at most."
            )
        if count < total:
            text += f" **Partial**: {count} of {total} layers are measured. “Go on” measures the others."
        return text


def patch(
    asked: Question,
    other: str,
    site: Site,
    rows: slice | None = None,
    *,
    layers: int | None = None,
    is_estimated: bool = True,
) -> Patched:
    """Patches each part of a `site` of the run of a question into the run of the `other` sentence.

    `rows`: the heads or tokens, by default all; `layers`: the lowest ones, by default all. `is_estimated`: whether one
    gradient estimates the shares, too. Raises `GlassformerError`.
    """
    patching = patching_of(asked, record_both(asked, other))
    patching.check(site)
    rows = all_rows(patching, site) if rows is None else rows
    estimate = patching.estimates[site][:, rows] if is_estimated else None
    return Patched(asked, patching, other, site, rows, estimate, tuple(islice(patching.run(site, rows), layers)))


def all_rows(patching: Patching, site: Site) -> slice:
    """The rows that may be on screen."""
    return slice(first_token(patching, site), patching.shape(site)[1])


def first_token(patching: Patching, site: Site) -> int:
    """The first row that may be on screen."""
    pair = patching.pair
    return pair.shared if len(pair.clean.ids) > long_text.MOST_TOKENS and not site.is_of_heads else 0


def is_far(patching: Patching) -> bool:
    """Whether the first difference stands more than `long_text.MOST_TOKENS` tokens before the end. All tokens of an
    encoder see it."""
    pair, stacks = patching.pair, patching.network.config.stacks
    return max(len(pair.clean.of(stack)) for stack in stacks) - pair.shared > long_text.MOST_TOKENS


def is_too_wide(patching: Patching, site: Site, rows: slice) -> bool:
    """Whether a window has more tokens than are measured. Without a window, all are."""
    count = patching.shape(site)[1] - first_token(patching, site)
    return not site.is_of_heads and count > long_text.MOST_TOKENS and rows.stop - rows.start > MOST_MEASURED


def say_too_wide() -> str:
    return f"Each is patched in a run of its own: choose a window of at most {MOST_MEASURED} tokens to measure them."
