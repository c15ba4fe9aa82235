"""Sums as a notebook shows them: what made one number, and how much each part gave."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from html import escape
from typing import Protocol

from model.notebook.markup import bar, card, code, fold, heading, sentence, table, value

MOST_ROWS = 10  # that are seen before somebody opens the fold of all


class Cell(Protocol):
    """A number of a sum, as `model.graph.operation.Term` is."""

    @property
    def name(self) -> str: ...

    @property
    def index(self) -> tuple[int, ...]: ...

    @property
    def value(self) -> float: ...

    @property
    def part(self) -> float: ...


class Product(Cell, Protocol):
    """A number of a sum that may have a second factor."""

    @property
    def factor(self) -> Cell | None: ...


def account_card(
    title: str, parts: Mapping[str, float], total: float, recorded: float, difference: float, of: str = "logit"
) -> str:
    """The parts of a logit or a score, the largest first, and their sum beside that of the run."""
    ordered = sorted(parts.items(), key=lambda part: -abs(part[1]))
    largest = abs(ordered[0][1]) if ordered else 0.0
    rows = [(code(name), value(part), bar(part, largest)) for name, part in ordered[:MOST_ROWS]]
    rest = ordered[MOST_ROWS:]
    if rest:
        others = sum(part for _, part in rest)
        rows.append((escape(f"the other {len(rest):,} parts"), value(others), bar(others, largest)))
    rows += [("sum of all parts", value(total), ""), (f"{of} of the run", value(recorded), "")]
    rows.append(("difference", value(difference), ""))
    made = [heading(title), table(rows, kinds="-n-", totals=3)]
    if rest:
        every = [(code(name), value(part), bar(part, largest)) for name, part in parts.items()]
        made.append(fold(f"All {len(parts):,} parts, in the order of the run", table(every, kinds="-n-")))
    return card(*made)


def explanation_card(
    name: str, index: Sequence[int], operation: str, words: str, terms: Sequence[Product], total: float, recorded: float
) -> str:
    """Where a number comes from: in words, and by its terms. Those of a sum have bars, the largest first."""
    is_sum = math.isclose(math.fsum(term.part for term in terms), total, rel_tol=1e-6, abs_tol=1e-9)
    ordered = sorted(terms, key=lambda term: -abs(term.part)) if is_sum else terms
    largest = abs(ordered[0].part) if is_sum and ordered else 0.0
    kinds = "n--nn-" if is_sum else "n-nn-"
    rows = [(value(term.part), *([bar(term.part, largest)] if is_sum else []), *_cells(term)) for term in ordered]
    made = [heading(_place(name, index), operation), sentence(words)]
    if rows:
        blank = ("",) if is_sum else ()
        sums = [(value(total), *blank, "is what the terms make"), (value(recorded), *blank, "is what the run has")]
        made.append(table([*rows[:MOST_ROWS], *sums], kinds=kinds, totals=2))
    if len(rows) > MOST_ROWS:
        made.append(fold(f"All {len(rows):,} terms", table(rows, kinds=kinds)))
    return card(*made)


def _cells(term: Product) -> list[str]:
    """The cell of a term; of a product both cells and both numbers."""
    cells = [code(_place(term.name, term.index))]
    if (other := term.factor) is not None:
        cells += [value(term.value), f"× {value(other.value)}", code(_place(other.name, other.index))]
    return cells


def _place(name: str, index: Sequence[int]) -> str:
    return f"{name}[{', '.join(map(str, index))}]" if index else name
