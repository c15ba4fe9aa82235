"""Where one number of a run comes from and what it feeds, as JSON of a bounded size."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any

from model.errors import ModelMismatch
from model.graph.explain import Explanation, explain
from model.graph.nodes import Cells
from model.graph.operation import Operation, Term, place
from model.graph.operations import OPERATIONS
from model.graph.uses import uses
from model.numerals import as_printed, number, result
from viz.home.layout.titles import any_title
from viz.shared.tiles import NoTile

if TYPE_CHECKING:
    from model.tape import Trace

MAX_TERMS = 64
MAX_USES = 32


@dataclass(frozen=True)
class ExplainedNumber:
    """One number with its terms, and the cells that it feeds."""

    made: Explanation
    feeds: Sequence[Cells]
    gated: bool = False  # whether the feed-forwards of the model have a gate

    @property
    def words(self) -> str:
        """How it was made, with the titles that the map prints in the place of the names of tensors and weights."""
        made = self.made
        text = made.words.replace(f"{place(made.name, made.index)} is", "This number is", 1)
        cells = (cell.name for term in made.terms for cell in term.cells)
        for name in sorted({*cells, *(source.name for source in made.sources)}, key=len, reverse=True):
            text = text.replace(name, any_title(name, self.gated))
        return text


def explain_number(trace: Trace, name: str, index: Sequence[int], gated: bool = False) -> ExplainedNumber:
    """The number of a run. Raises `NoTile` for one that there is not."""
    try:
        return ExplainedNumber(explain(trace, name, index), uses(trace, name, index), gated)
    except (KeyError, IndexError, ModelMismatch) as error:
        raise NoTile(f"This run has no {name}{list(index)}.") from error


def describe_number(found: ExplainedNumber) -> dict[str, Any]:
    """The number with its terms, the largest first where there are too many, and its uses.

    A number that JSON cannot have is null, and `not_finite` beside it says which: "-inf", "inf" or "nan". `is_sum`
    says that the terms are added; then `rest` is the sum of those that were left out. `count` has all terms, `cells`
    those that are numbers of the run and not hidden by a mask. In the cells of a use, null stands for every place along
    an axis.
    """
    made = found.made
    chosen = choose_terms(made)
    kept = set(chosen)
    left_out = [term.part for term in made.terms if term not in kept]
    return {
        **_number("value", made.value),
        **_number("total", made.total),
        "words": found.words,
        "is_edited": made.is_edited,
        "is_sum": is_sum(made),
        "count": len(made.terms),
        "cells": _count_cells(made.terms),
        "terms": [_describe_term(term) for term in chosen],
        "rest": math.fsum(left_out) if is_sum(made) else None,
        **_describe_place(found),
    }


def describe_difference(first: ExplainedNumber, second: ExplainedNumber) -> dict[str, Any]:
    """The number of the first run minus that of the second one, as `describe_number` gives one.

    Where both are sums, `terms` are the differences of what each term adds, the largest first. Else there are none.
    """
    a, b = first.made, second.made
    change = a.value - b.value
    adds = is_sum(a) and is_sum(b) and not (a.is_edited or b.is_edited)
    terms = _subtract_terms(a.terms, b.terms) if adds else []
    ends = result(as_printed(a.value) - as_printed(b.value), change)
    words = f"a − b: {number(a.value)} − {number(b.value)} {ends}. "
    if adds and terms:
        words += "The terms show how much more each part adds in a than in b. "
    if a.is_edited != b.is_edited:
        words += f"An edit put the number of {'a' if a.is_edited else 'b'} there. "
    return {
        **_number("value", change),
        **_number("total", change),
        "words": f"{words}In a: {first.words}",
        "is_edited": a.is_edited or b.is_edited,
        "is_sum": adds,
        "count": len(terms),
        "cells": _count_cells(terms),
        "terms": [_describe_term(term) for term in terms[:MAX_TERMS]],
        "rest": math.fsum(term.value for term in terms[MAX_TERMS:]) if adds else None,
        **_describe_place(first),
    }


def _subtract_terms(first: Sequence[Term], second: Sequence[Term]) -> list[Term]:
    """What each term adds in the first sum beyond what it adds in the second one, the largest first."""
    changes: dict[tuple[Any, ...], Term] = {}
    for terms, sign in ((first, 1), (second, -1)):
        for term in terms:
            key = tuple((each.name, each.index) for each in (term, term.factor) if each is not None)
            before = changes[key].value if key in changes else 0.0
            changes[key] = Term(term.name, term.index, before + sign * term.part)
    return sorted(changes.values(), key=lambda term: -abs(term.value))


def _describe_place(found: ExplainedNumber) -> dict[str, Any]:
    """What both runs of a difference have in common: the cell, its sources and its uses."""
    made = found.made
    return {
        "name": made.name,
        "index": list(made.index),
        "operation": made.operation,
        "sources": [_describe_cells(cells) for cells in made.sources],
        "uses": [_describe_cells(cells) for cells in islice(found.feeds, MAX_USES)],
        "use_count": len(found.feeds),
    }


def is_sum(found: Explanation) -> bool:
    """Whether the terms are added, with their factors. Other operations have a formula of their own."""
    operation = OPERATIONS.get(found.operation)
    return operation is not None and type(operation).total is Operation.total


def choose_terms(found: Explanation) -> list[Term]:
    """At most `MAX_TERMS` cells in the order of the operation: the largest. Numbers of the formula itself all stay.

    Of a softmax, the score of the cell itself stays too.
    """
    if len(found.terms) <= MAX_TERMS:
        return list(found.terms)
    cells = sorted((term for term in found.terms if term.index), key=lambda term: _rank(found, term))
    kept = set(cells[:MAX_TERMS])
    return [term for term in found.terms if not term.index or term in kept]


def _count_cells(terms: Sequence[Term]) -> int:
    """How many terms are numbers of the run that count: those of the formula itself do not, nor what is hidden."""
    are_cells = (bool(term.index or (term.factor and term.factor.index)) for term in terms)
    return sum(is_cell and term.value != -math.inf for is_cell, term in zip(are_cells, terms, strict=True))


def _rank(found: Explanation, term: Term) -> tuple[bool, float]:
    """Lowest first. In a softmax, the largest score weighs most, and a hidden one nothing."""
    if found.operation == "softmax":
        return term.index != found.index, -term.value
    return False, -abs(term.part)


def _describe_term(term: Term) -> dict[str, Any]:
    factor = {"factor": _describe_term(term.factor)} if term.factor else {}
    return {"name": term.name, "index": list(term.index), **_number("value", term.value), **factor}


def _describe_cells(cells: Cells) -> dict[str, Any]:
    return {"name": cells.name, "index": [None if isinstance(each, slice) else each for each in cells.index]}


def _number(key: str, value: float) -> dict[str, Any]:
    if math.isfinite(value):
        return {key: value}
    return {key: None, "not_finite": str(value)}
