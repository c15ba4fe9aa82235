"""Exact match against the length of the sentence, by the measures of the translators' cards on held-out sentences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import plotly.graph_objects as go

from model import Card
from model.analysis.confidence import CONFIDENT_DEVIATIONS, wilson_interval
from model.numerals import large
from model.train.en_ur import EnglishUrdu
from model.train.samples import held_out_by_length
from model.zoo import cards
from model.zoo.card_values import RECURRENT_KIND, TEXT_KINDS
from views.chart_view import ChartView
from views.learning.before_attention import told
from views.learning.before_attention.translators import TRANSLATORS
from views.shared.quotes import tex
from views.view import equation, grey, work_out
from viz.learning.before_attention import length_figure
from viz.shared.style import Theme, number, percent

SHORT_WORDS, MANY_WORDS, LONG_WORDS = 6, 12, 17  # in a sentence
MAX_WORDS = 99  # more than any held-out sentence has
Measures = Sequence[Mapping[str, Any]]  # of each length: its words, its sentences, the share of exact translations


@dataclass(frozen=True)
class Lengths(ChartView):
    """Three translators, by their titles."""

    cards: Mapping[str, Card]

    @property
    def details(self) -> dict[str, Mapping[str, Any]]:
        """How each was trained, and its measures."""
        return {title: card.details for title, card in self.cards.items()}

    @property
    def by_length(self) -> dict[str, Measures]:
        return {title: details["by_length"] for title, details in self.details.items()}

    def told(self) -> Mapping[str, float | str]:
        lost = self._losses()
        return {told.LOSES_MOST: max(lost, key=lost.__getitem__)}

    def draw(self, theme: Theme = "light") -> go.Figure:
        curves = {
            title: [
                (row["words"], row["exact_match"], *wilson_interval(row["exact_match"], row["sentences"]))
                for row in rows
            ]
            for title, rows in self.by_length.items()
        }
        return length_figure(curves, theme)

    def alt(self) -> str:
        return "Share of exact translations by sentence length, three models"

    def rows(self) -> list[dict[str, Any]]:
        """One row for each length: the number of sentences, and every model's share."""
        table = self.by_length
        first = next(iter(table.values()))
        shares = {title: {row["words"]: row["exact_match"] for row in rows} for title, rows in table.items()}
        return [
            {"words": row["words"], "sentences": row["sentences"]}
            | {title: by_words.get(row["words"]) for title, by_words in shares.items()}
            for row in first
        ]

    def file_name(self) -> str:
        return "exact-match-by-length"

    def picture_parts(self) -> Sequence[Any]:
        return [self.picture(), *grey(self.caption()), *grey(self._say_all_lengths()), self.files()]

    def number_parts(self) -> Sequence[Any]:
        return [self.table(), *grey(self.caption()), *grey(self._say_all_lengths()), self.files()]

    def caption(self) -> str:
        """The shares of short and long sentences, and the largest and least loss with length, in words."""
        parts = [
            f"{title}: {percent(_share(rows, 2, SHORT_WORDS))} of those with up to {SHORT_WORDS} words, "
            f"{percent(_share(rows, MANY_WORDS, MAX_WORDS))} of those with {MANY_WORDS} or more"
            for title, rows in self.by_length.items()
        ]
        lost = self._losses()
        worst, least = max(lost, key=lost.__getitem__), min(lost, key=lost.__getitem__)
        return (
            "; ".join(parts)
            + f". With length **{worst}** loses most, {number(100 * lost[worst], 0)} points; {least} least, "
            + f"{number(100 * lost[least], 0)}. {self._describe_longest()}"
        )

    def _losses(self) -> dict[str, float]:
        """How much less of the long sentences than of the short ones each translator gets right."""
        return {
            title: _share(rows, 2, SHORT_WORDS) - _share(rows, MANY_WORDS, MAX_WORDS)
            for title, rows in self.by_length.items()
        }

    def _describe_longest(self) -> str:
        """The shares of the longest sentences, which are rare in training, from the best translator down."""
        shares = {title: _share(rows, LONG_WORDS, MAX_WORDS) for title, rows in self.by_length.items()}
        ordered = sorted(shares, key=lambda title: -shares[title])
        text = ", ".join(f"{title} {percent(shares[title])}" for title in ordered)
        return f"From {LONG_WORDS} words on, which are rare in training too: {text}."

    def _say_all_lengths(self) -> str:
        exact_matches = ", ".join(
            f"{title} {percent(details['metrics']['exact_match'])}" for title, details in self.details.items()
        )
        trainings = ", ".join(
            f"{title} {details['training']['steps']:,} steps, {large(details['parameters'])} parameters"
            for title, details in self.details.items()
        )
        return (
            f"Over all lengths, on 2,000 held-out sentences: {exact_matches}. Trained on the same generated sentences: "
            f"{trainings}. The shade is the 95% interval: 95 of 100 such intervals hold the true share."
        )

    def formula(self) -> Sequence[Any]:
        return [
            *equation(
                r"\text{exact match}(n) = \frac{\#\{\text{sentences of } n \text{ words whose translation is the "
                r"reference}\}}{\#\{\text{sentences of } n \text{ words}\}}",
                "A sentence with one wrong word counts as wrong.",
            ),
            *equation(
                r"\frac{\hat p + \frac{z^2}{2N}}{1 + \frac{z^2}{N}} \pm \frac{z}{1 + \frac{z^2}{N}}"
                r"\sqrt{\frac{\hat p(1-\hat p)}{N} + \frac{z^2}{4N^2}}, \qquad z = 1.96",
                "The shaded interval: Wilson (1927)",
                {r"\hat p": "the share measured on $N$ sentences"},
            ),
            *(part for title, rows in self.by_length.items() for part in _work_out_interval(title, rows)),
        ]

    def code(self) -> Sequence[Any]:
        return [held_out_by_length, EnglishUrdu.by_length, EnglishUrdu.share_right]


def _work_out_interval(title: str, rows: Measures) -> list[Any]:
    """The share of a translator on long sentences, with its interval."""
    row = max(rows, key=lambda row: (row["words"] <= LONG_WORDS, row["words"]))
    share, count = row["exact_match"], row["sentences"]
    low, high = wilson_interval(share, count)
    p, right = tex(share), round(share * count)
    z_squared = tex(CONFIDENT_DEVIATIONS**2)
    return work_out(
        f"**{title}**, sentences of {row['words']} words: the share, and its interval from {number(low)} to "
        f"{number(high)}:",
        rf"\hat p = \frac{{{right}}}{{{count}}} = {p}, \qquad "
        rf"\frac{{{p} + \frac{{{z_squared}}}{{2 \cdot {count}}}}}"
        rf"{{1 + \frac{{{z_squared}}}{{{count}}}}} \pm {tex((high - low) / 2)}",
    )


def _share(rows: Measures, low: int, high: int) -> float:
    chosen = [row for row in rows if low <= row["words"] <= high]
    return float(sum(row["exact_match"] * row["sentences"] for row in chosen) / sum(row["sentences"] for row in chosen))


def compare_lengths() -> Lengths:
    """The measures of the three translators that come with the project."""
    kinds = (*TEXT_KINDS, RECURRENT_KIND)
    return Lengths({title: cards.card(name, *kinds) for name, (title, _) in TRANSLATORS.items()})
