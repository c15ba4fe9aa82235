"""Questions about attention: the words that it looks at, its heads, its scale."""

from __future__ import annotations

import math

from torch import Tensor

from model.analysis.head_measures import spread
from model.numerals import as_printed, number, percent, result
from model.questions.question import (
    LARGEST_SHARE,
    Choice,
    Labels,
    NoQuestion,
    Question,
    check_tie,
    distinct,
    largest,
    make_question,
)


def most_attended(
    weights: Tensor, query: int, queries: Labels, keys: Labels, where: str, text: str = "", who: str = ""
) -> Question:
    """Asks which key a query looks at most. `weights` (queries, keys) are those of one head; `where` names it.

    Wrong answers: the two next strongest keys, and the nearest other one. A key of weight 0 is hidden, and is no
    choice. `text` and `who` replace the usual wording of the question and of the query. Raises `NoQuestion` for fewer
    than two visible keys and for a tie.
    """
    row, names = weights[query].double().clamp(max=LARGEST_SHARE), distinct(keys)
    visible = [key for key in range(len(names)) if row[key] > 0]
    asking = distinct(queries)[query]
    if len(visible) < 2:
        raise NoQuestion(f"“{asking}” sees one token only: there is nothing to choose from.")
    order = sorted(visible, key=lambda key: -float(row[key]))
    best = order[0]
    beside = sorted(visible, key=lambda key: abs(key - best))
    ranked = [*order[:3], *beside, *order[3:]]
    first, second = Choice(names[best], float(row[best]), percent(row[best])), order[1]
    check_tie(float(row[best]), float(row[second]), names[best], names[second])
    return make_question(
        "attention",
        f"{text or f'Which word does “{asking}” look at most?'} ({where})",
        first,
        (Choice(names[key], float(row[key]), percent(row[key])) for key in ranked),
        f"{who or f'“{asking}”'} gives {percent(row[best])} of its attention to “{names[best]}”, and "
        f"{percent(row[second])} to the next, “{names[second]}”.",
    )


def strongest_head(weights: Tensor, query: int, key: int, queries: Labels, keys: Labels, where: str) -> Question:
    """Asks which head of a layer gives a pair of words most weight. `weights` (heads, queries, keys).

    Raises `NoQuestion` for fewer than two visible keys and for a tie.
    """
    asking, asked = distinct(queries)[query], distinct(keys)[key]
    if int((weights[:, query] > 0).any(0).sum()) < 2:
        raise NoQuestion(f"“{asking}” sees one token only: every head looks there.")
    return largest(
        "head",
        f"Which head lets “{asking}” look at “{asked}” most? ({where})",
        weights[:, query, key].double().clamp(max=LARGEST_SHARE),
        [f"Head {head}" for head in range(len(weights))],
        lambda best, value: f"{best} gives “{asked}” {value} of the attention of “{asking}”, more than any other.",
    )


def widest_head(weights: Tensor, where: str) -> Question:
    """Asks which head of a layer spreads its attention most (`model.analysis.head_measures.spread`).

    `weights` (heads, queries, keys). Raises `NoQuestion` for a single token and for a tie.
    """
    if weights.shape[-1] < 2:
        raise NoQuestion("There is one token only: every head looks at it.")
    return largest(
        "spread",
        f"Which head spreads its attention most evenly? ({where})",
        spread(weights.float()),
        [f"Head {head}" for head in range(len(weights))],
        lambda best, value: (
            f"The entropy of its rows is {value} of the largest possible, on average, in {best[0].lower() + best[1:]}: "
            "100% would be the same weight for every visible word, 0% all on one."
        ),
    )


def scaled_score(raw: float, scaled: float, d_head: int, d_model: int, keys: int, pair: str) -> Question:
    """Asks for the scaled score of a dot product. `raw` and `scaled` are recorded. Raises `NoQuestion` for 0."""
    wrong = {
        "divided by d_k": raw / d_head,
        "divided by the root of d_model": raw / math.sqrt(d_model),
        "divided by the root of the number of keys": raw / math.sqrt(keys),
        "not divided": raw,
    }
    root = math.sqrt(d_head)
    ends = result(as_printed(raw) / as_printed(root), scaled)
    return make_question(
        "scale",
        f"Query and key of {pair} have the dot product {number(raw)}; each has {d_head} features. What is the "
        "score that the softmax gets?",
        Choice(number(scaled), scaled, "divided by the root of d_k"),
        (Choice(number(value), value, note) for note, value in wrong.items()),
        f"{number(raw)} ÷ √{d_head} = {number(raw)} ÷ {number(root)} {ends}. "
        f"A sum of {d_head} products grows with the root of their number; dividing by it keeps the softmax from "
        "deciding too early.",
    )
