"""Why this word, Patching: one patching on screen, and its words."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from model.experiments.patching import Patching
from model.experiments.sentence_pair import Site
from pages.models.why_parts.question import Question
from pages.shared.elements import layout, long_text
from viz.shared.style import number, percent
from viz.shared.tokens import labels

TOKENS, HEADS = "token", "head"


@dataclass(frozen=True)
class PatchingView:
    """One patching on screen: its site, the estimate, and what has been measured so far."""

    asked: Question
    patching: Patching
    other: str  # the sentence whose run is patched
    site: Site
    estimate: Tensor  # (layers, rows)
    layers: list[Tensor]  # (rows,) each
    by_token: dict[tuple[Site, int, int], list[Tensor]]  # of each head (site, layer, head) the shares at one token

    @property
    def first(self) -> int:
        """The first row on screen. Of a long text, the tokens that are the same in both runs are left out."""
        pair = self.patching.pair
        return pair.shared if len(pair.clean.ids) > long_text.MOST_TOKENS and not self.site.is_of_heads else 0

    @property
    def measured(self) -> NDArray[Any]:
        """The measured shares (layers, rows), NaN where nothing has been measured."""
        found = np.full(self.patching.shape(self.site), np.nan)
        for layer, shares in enumerate(self.layers):
            found[layer] = shares.numpy()
        return found

    @property
    def columns(self) -> list[str]:
        """The names of the rows on screen: heads, or the tokens of both sentences where they differ. Those of a long
        text have their numbers."""
        if self.site.is_of_heads:
            return [str(head) for head in range(self.patching.shape(self.site)[1])]
        model, pair, first = self.asked.run.model, self.patching.pair, self.first
        writer = model.tokenizer if self.site.stack == "encoder" else model.output_tokenizer
        ids = (prompt.of(self.site.stack)[first:].tolist() for prompt in (pair.clean, pair.corrupted))
        both = zip(*(labels(writer.tokens(each)) for each in ids), strict=True)
        names = [mine if mine == other else f"{mine} / {other}" for mine, other in both]
        return [f"{place}: {name}" for place, name in enumerate(names, start=first)] if first else names

    @property
    def of_tokens(self) -> PatchingView:
        """The same view of tokens, in the place of heads."""
        return replace(self, site=Site(self.site.stack, "resid_in"))

    def word(self, id: int) -> str:
        return layout.quote(self.asked.word(id))

    def rows(self) -> list[dict[str, Any]]:
        """The cells on screen, one after another, for a table."""
        axis, measured = HEADS if self.site.is_of_heads else TOKENS, self.measured
        return [
            {"layer": layer, axis: name, "measured": float(measured[layer, row])}
            | {"estimated": float(self.estimate[layer, row])}
            for layer in range(len(measured))
            for row, name in enumerate(self.columns, start=self.first)
        ]

    def name(self, cell: tuple[int, int]) -> str:
        """A cell in words, in Markdown."""
        layer, row = cell
        if self.site.is_of_heads:
            return f"layer {layer}, head {row}"
        return f"layer {layer}, at {layout.quote(self.columns[row - self.first])}"

    def describe(self) -> str:
        """The caption: what is measured, what brings most back, and how well the estimate agrees."""
        clean, corrupted = self.patching.measures
        answer, against = map(self.word, self.patching.tokens)
        text = (
            f"{answer} leads {against} by {number(clean)} in your sentence, and by {number(corrupted)} in the other. "
            "A cell is the share of that difference which comes back when this one part of your run stands in the "
            "other run."
        )
        if self.first:
            text += (
                f" The {self.first:,} tokens before these are the same in both sentences, and see no later one. So "
                "their numbers are the same in both runs, and bring back exactly 0."
            )
        if not self.layers:
            return f"{text} These are estimates from one gradient. “Patch all layers” measures each cell."
        count, total = len(self.layers), self.patching.shape(self.site)[0]
        measured = torch.stack(self.layers)[:, self.first :]  # (layers, rows)
        estimate = self.estimate[:count, self.first :]
        layer, row = divmod(int(measured.argmax()), measured.shape[1])
        text += f" Most comes back by {self.name((layer, row + self.first))}: {percent(float(measured[layer, row]))}."
        if count > 1 and measured.std() > 0 and estimate.std() > 0:
            agreement = float(torch.corrcoef(torch.stack([measured.flatten(), estimate.flatten()]))[0, 1])
            worst = float((measured - estimate).abs().max())
            text += (
                f" The estimate, from one gradient, agrees with what is measured by a correlation of "
                f"{number(agreement, 2)}; it is off by {number(worst, 2)} at most."
            )
        if count < total:
            text += f" **Partial**: {count} of {total} layers are measured. “Patch all layers” measures the others."
        return text
