"""What an operation tells of itself: the numbers that make a cell, their formula in words, and both directions."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from torch import Tensor

from model.graph.nodes import Cells, Index, Input, Node
from model.graph.run_numbers import RunNumbers
from model.numerals import as_printed, number, result

Places = tuple[int | slice, ...]  # an index, or a whole range of them


@dataclass(frozen=True)
class Term:
    """One number that takes part in making another.

    It is the cell `index` of the tensor or weight `name`. A number of the formula itself, such as the mean of a norm,
    has the empty index. In a product of two numbers, `factor` is the second one.
    """

    name: str
    index: Index
    value: float
    factor: Term | None = None

    @property
    def part(self) -> float:
        """What this term adds where terms are added: its value, times the factor where there is one."""
        return self.value if self.factor is None else self.value * self.factor.value

    @property
    def as_printed(self) -> Term:
        """The term with the numbers that a reader of a sentence sees."""
        factor = None if self.factor is None else self.factor.as_printed
        return Term(self.name, self.index, as_printed(self.value), factor)

    @property
    def cells(self) -> tuple[Term, ...]:
        """The numbers of this term that are cells of tensors or weights: itself, its factor, both or none."""
        return tuple(each for each in (self, self.factor) if each is not None and each.index)


class Operation(ABC):
    """One way in which a tensor is made of others. It holds no numbers; `run` has those of a run."""

    prints_all = False  # whether `words` prints all terms

    @abstractmethod
    def terms(self, node: Node, run: RunNumbers, index: Index) -> list[Term]:
        """The numbers that make the cell."""

    def total(self, node: Node, run: RunNumbers, index: Index, terms: Sequence[Term]) -> float:
        """What the terms make by the operation. Here: their sum."""
        return math.fsum(term.part for term in terms)

    def printed_total(self, node: Node, run: RunNumbers, index: Index, terms: Sequence[Term]) -> float | None:
        """What the numbers make that `words` prints. None where `words` does not tell all of them."""
        return self.total(node, run, index, [term.as_printed for term in terms]) if self.prints_all else None

    @abstractmethod
    def words(self, node: Node, run: RunNumbers, index: Index, terms: Sequence[Term]) -> str:
        """One or two plain sentences about how the cell was made."""

    @abstractmethod
    def sources(self, node: Node, run: RunNumbers, index: Index) -> list[Cells]:
        """All cells of the inputs on which this cell depends."""

    @abstractmethod
    def targets(self, node: Node, run: RunNumbers, read: Input, index: Index) -> list[Places]:
        """The cells of the result that depend on the cell `index` of one input. The inverse of `sources`."""

    def make(self, node: Node, run: RunNumbers, lead: Index) -> Tensor:
        """The part of the result below the index `lead`, made from the inputs.

        Only those operations can that lead from queries and keys to scores. Runs often record just these two. Raises
        KeyError for any other.
        """
        assert run.trace is not None, "a graph without a run has no numbers"
        return run.trace[node.name]  # raises: the trace lacks it


class Formula(Operation):
    """A cell depends on its own place alone."""

    def sources(self, node: Node, run: RunNumbers, index: Index) -> list[Cells]:
        return []

    def targets(self, node: Node, run: RunNumbers, read: Input, index: Index) -> list[Places]:
        return []


def place(name: str, index: Places) -> str:
    """A cell in a sentence: "logits[3, 7]"."""
    return f"{name}[{', '.join(':' if isinstance(each, slice) else str(each) for each in index)}]"


def largest_first(terms: Iterable[Term]) -> list[Term]:
    """The terms by the size of what they add."""
    return sorted(terms, key=lambda term: -abs(term.part))


def product(term: Term) -> str:
    """A term in a sentence: "0.5 × 2 = 1", or "3" where it is one number."""
    if term.factor is None:
        return number(term.value)
    shown = f"{number(term.value)} × {number(term.factor.value)}"
    return f"{shown} {result(term.as_printed.part, term.part)}"
