"""Exact match against the length of the sentence, by the cards' measures on held-out sentences."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from model.analysis.confidence import CONFIDENT_DEVIATIONS, wilson_interval
from model.numerals import large
from model.train.en_ur import EnglishUrdu
from model.train.samples import held_out_by_length
from model.zoo import cards
from model.zoo.card_values import RECURRENT_KIND, TEXT_KINDS
from pages.learning.before_attention_parts import told
from pages.learning.before_attention_parts.translators import TRANSLATORS
from pages.shared.elements import claims, figures, layout
from pages.shared.elements.claims import Claim
from pages.shared.session import bar_notes, state
from views.shared import quotes
from viz.learning.before_attention import length_figure
from viz.shared.style import number, percent

SHORT_WORDS, MANY_WORDS, LONG_WORDS = 6, 12, 17  # in a sentence
MAX_WORDS = 99  # more than any held-out sentence has
PROMPTS = (
    layout.Prompt(
        "Look at one",
        "The three on one sentence.",
        {"before_attention_part": "sentence", "before_attention_step": -1},
        claim=Claim(told.TRANSLATORS, "is", 3),
        at="before attention outputs",
    ),
    layout.Prompt(
        "Why is it hard?",
        "How little of a far word arrives at the end of a recurrent network.",
        {"before_attention_part": "memory", "before_attention_relative": True},
        claim=Claim(told.RNN_LEFT, "under", 0.01),
    ),
)


def show(depth: str) -> None:
    titles = [title for title, _ in TRANSLATORS.values()]
    bar_notes.say_nothing_taken("It shows measures of three translators on held-out sentences.", models=titles)
    if depth == "Formula":
        layout.equation(
            r"\text{exact match}(n) = \frac{\#\{\text{sentences of } n \text{ words whose translation is the "
            r"reference}\}}{\#\{\text{sentences of } n \text{ words}\}}",
            "A sentence with one wrong word counts as wrong.",
        )
        layout.equation(
            r"\frac{\hat p + \frac{z^2}{2N}}{1 + \frac{z^2}{N}} \pm \frac{z}{1 + \frac{z^2}{N}}"
            r"\sqrt{\frac{\hat p(1-\hat p)}{N} + \frac{z^2}{4N^2}}, \qquad z = 1.96",
            "The shaded interval: Wilson (1927)",
            {r"\hat p": "the share measured on $N$ sentences"},
        )
        _work_out_intervals()
    elif depth == "Code":
        layout.code(held_out_by_length, EnglishUrdu.by_length, EnglishUrdu.share_right)
    else:
        _show_curves(depth == "Numbers")
    layout.try_this(*PROMPTS)


def _details() -> dict[str, Mapping[str, Any]]:
    """The details of the three translators' cards, by their titles on this page."""
    kinds = (*TEXT_KINDS, RECURRENT_KIND)
    return {title: cards.card(name, *kinds).details for name, (title, _) in TRANSLATORS.items()}


def _work_out_intervals() -> None:
    """The share of each translator on long sentences, with its interval."""
    for title, details in _details().items():
        row = max(details["by_length"], key=lambda row: (row["words"] <= LONG_WORDS, row["words"]))
        share, count = row["exact_match"], row["sentences"]
        low, high = wilson_interval(share, count)
        p, right = quotes.tex(share), round(share * count)
        z_squared = CONFIDENT_DEVIATIONS**2
        layout.work_out(
            f"**{title}**, sentences of {row['words']} words: the share, and its interval from {number(low)} to "
            f"{number(high)}:",
            rf"\hat p = \frac{{{right}}}{{{count}}} = {p}, \qquad "
            rf"\frac{{{p} + \frac{{{quotes.tex(z_squared)}}}{{2 \cdot {count}}}}}"
            rf"{{1 + \frac{{{quotes.tex(z_squared)}}}{{{count}}}}} \pm {quotes.tex((high - low) / 2)}",
        )


def _show_curves(numbers: bool) -> None:
    details_of = _details()
    table = {title: details["by_length"] for title, details in details_of.items()}
    curves = {
        title: [
            (row["words"], row["exact_match"], *wilson_interval(row["exact_match"], row["sentences"])) for row in rows
        ]
        for title, rows in table.items()
    }
    figure = length_figure(curves, state.theme())
    rows = rows_by_length(table)
    figures.show_or_list(numbers, figure, "Share of exact translations by sentence length, three models", lambda: rows)
    figures.export("exact-match-by-length", figure, lambda: rows)
    layout.caption(describe_lengths(table))
    exact_matches = ", ".join(
        f"{title} {percent(details['metrics']['exact_match'])}" for title, details in details_of.items()
    )
    trainings = ", ".join(
        f"{title} {details['training']['steps']:,} steps, {large(details['parameters'])} parameters"
        for title, details in details_of.items()
    )
    layout.caption(
        f"Over all lengths, on 2,000 held-out sentences: {exact_matches}. Trained on the same generated sentences: "
        f"{trainings}. The shade is the 95% interval: 95 of 100 such intervals hold the true share."
    )


def rows_by_length(table: dict[str, list[dict[str, Any]]]) -> list[dict[str, Any]]:
    """One row for each length: the number of sentences, and every model's share."""
    first = next(iter(table.values()))
    shares = {title: {row["words"]: row["exact_match"] for row in rows} for title, rows in table.items()}
    return [
        {"words": row["words"], "sentences": row["sentences"]}
        | {title: by_words.get(row["words"]) for title, by_words in shares.items()}
        for row in first
    ]


def describe_lengths(table: dict[str, list[dict[str, Any]]]) -> str:
    """The shares of short and long sentences, and the largest and least loss with length, in words."""
    parts = []
    for title, rows in table.items():
        short, long = _share(rows, 2, SHORT_WORDS), _share(rows, MANY_WORDS, MAX_WORDS)
        parts.append(
            f"{title}: {percent(short)} of those with up to {SHORT_WORDS} words, "
            f"{percent(long)} of those with {MANY_WORDS} or more"
        )
    lost = {title: _share(rows, 2, SHORT_WORDS) - _share(rows, MANY_WORDS, MAX_WORDS) for title, rows in table.items()}
    worst = max(lost, key=lost.__getitem__)
    claims.tell(told.LOSES_MOST, worst)
    least = min(lost, key=lost.__getitem__)
    return (
        "; ".join(parts)
        + f". With length **{worst}** loses most, {number(100 * lost[worst], 0)} points; {least} least, "
        + f"{number(100 * lost[least], 0)}. {_describe_longest(table)}"
    )


def _describe_longest(table: dict[str, list[dict[str, Any]]]) -> str:
    """The shares of the longest sentences, which are rare in training, from the best translator down."""
    shares = {title: _share(rows, LONG_WORDS, MAX_WORDS) for title, rows in table.items()}
    ordered = sorted(shares, key=lambda title: -shares[title])
    text = ", ".join(f"{title} {percent(shares[title])}" for title in ordered)
    return f"From {LONG_WORDS} words on, which are rare in training too: {text}."


def _share(rows: list[dict[str, Any]], low: int, high: int) -> float:
    chosen = [row for row in rows if low <= row["words"] <= high]
    return sum(row["exact_match"] * row["sentences"] for row in chosen) / sum(row["sentences"] for row in chosen)
