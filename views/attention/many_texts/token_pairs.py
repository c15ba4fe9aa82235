"""The pairs of tokens, query and key, that get most of the chosen head's weight in all texts together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import pandas as pd

from model.cached_property import cached_property
from model.surveys.pairs import FrequentPairs
from model.surveys.reading import Reading, TokenPair
from views.attention.many_texts.head_view import ViewOfOneHead
from views.parts import Chart, DataTable, Draw, Files
from views.shared.quotes import quote, tex
from views.view import equation, work_out
from viz.attention.many_texts_head import bars_figure
from viz.shared.style import count_noun, number, percent
from viz.shared.tokens import labels

SHOWN, LISTED = 20, 200  # pairs in the picture, and in the table
LARGEST_PAIR = "the query and the key of the pair with most weight"


@dataclass(frozen=True)
class PairsOfTokens(ViewOfOneHead):
    """Pairs of tokens by weight. Places of the first token and of the query itself are left out."""

    @cached_property
    def pairs(self) -> list[TokenPair]:
        """The pairs with the most weight, the largest first."""
        return self.reading.pairs(self.attention, self.head.at.layer, self.head.head, LISTED)

    @cached_property
    def words(self) -> list[tuple[str, str]]:
        """The labels of query and key of each pair."""
        model, at = self.head.run.model, self.head.at
        writes = model.output_tokenizer if at.stack == model.config.stacks[-1] else model.tokenizer
        queries = labels(writes.tokens(pair.query_id for pair in self.pairs))
        keys = labels((model.tokenizer if at.is_cross else writes).tokens(pair.key_id for pair in self.pairs))
        return list(zip(queries, keys, strict=True))

    @property
    def total(self) -> float:
        """The weight on all pairs."""
        return float(self.tally.by_pair[self.head.at.layer, self.head.head].sum())

    def told(self) -> Mapping[str, float | str]:
        return {LARGEST_PAIR: " → ".join(self.words[0])} if self.pairs else {}

    def picture(self) -> Chart:
        return Chart(self._draw(), f"The pairs of tokens with most weight in {self.head.place}", "heads token pairs")

    def _draw(self) -> Draw:
        names = [" → ".join(words) for words in self.words[:SHOWN]]
        return partial(bars_figure, names, [pair.weight for pair in self.pairs[:SHOWN]], "weight", mono=True)

    def table(self) -> DataTable:
        return DataTable(lambda: pd.DataFrame(self._rows()), {"weight": 2, "share": 4}, height=560)

    def _rows(self) -> list[dict[str, Any]]:
        return [
            {"query": query, "key": key, "weight": pair.weight, "share": pair.weight / self.total}
            for (query, key), pair in zip(self.words, self.pairs, strict=True)
        ]

    def caption(self) -> str:
        if not self.pairs:
            return self.none_found()
        first, shown, (query, key) = self.pairs[0], self.pairs[:SHOWN], map(quote, self.words[0])
        share = percent(sum(pair.weight for pair in shown) / self.total)
        said = (
            f"From {query} to {key}: {number(first.weight, 2)}, summed over all texts. "
            f"The {count_noun(len(shown), 'pair')} shown have {share} of the weight of {self.head.place}. "
        )
        bound = self.tally.frequent.bound
        if not bound:
            return f"{said}All pairs of the texts were followed."
        most = count_noun(bound, "place")
        return f"{said}A pair that was not followed has at most {most}, and so a weight of at most {bound:,}."

    def formula(self) -> Sequence[Any]:
        pairs = equation(
            r"W(a, b) = \sum_t \; \sum_{i, j \,:\, x_i = a, \; y_j = b} A_{ij}",
            "A sum over all texts, of which each pair is one term for each of its places.",
            {
                "A": f"the weights of {self.head.place} on text t",
                "x_i, y_j": "the token of a query and of a key",
                "a, b": "two tokens of the vocabulary",
            },
        )
        return [*pairs, *(self._worked_share() if self.pairs else [])]

    def _worked_share(self) -> list[Any]:
        first = self.pairs[0]
        query, key = map(quote, self.words[0])
        weight, total, share = map(tex, (first.weight, self.total, first.weight / self.total))
        worked = rf"\frac{{W(a, b)}}{{\sum W}} = \frac{{{weight}}}{{{total}}} = {share}"
        return work_out(f"Of all weight, {query} and {key} have this share:", worked)

    def code(self) -> Sequence[Any]:
        return [Reading.pairs, FrequentPairs]

    def files(self) -> Files:
        draw = self._draw()
        return Files(f"{self.head.file_name}-pairs", draw, draw, self._rows)
