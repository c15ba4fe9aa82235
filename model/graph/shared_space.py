"""How a picture's vector is made and compared with those of sentences (`model.network.shared_space`)."""

from __future__ import annotations

import math
from collections.abc import Sequence

from model.graph.nodes import ALL, Cells, Index, Input, Node
from model.graph.operation import Operation, Places, Term, largest_first
from model.graph.products import say_sum
from model.graph.run_numbers import RunNumbers
from model.numerals import number


class Row(Operation):
    """The vector of one token, the first or the last one, as a matrix of one row."""

    prints_all = True

    def __init__(self, first: bool) -> None:
        self.first = first

    def token(self, node: Node, run: RunNumbers) -> int | None:
        """The token; None for the last one of a graph without a run, which has no length."""
        shape = run.shape(node.one("x"))
        return 0 if self.first else None if shape is None else shape[0] - 1

    def terms(self, node: Node, run: RunNumbers, index: Index) -> list[Term]:
        """The feature of the token."""
        (cells,) = self.sources(node, run, index)
        at = (run.shape(cells.name) or (0,))[0] - 1 if cells.index[0] == ALL else cells.index[0]
        assert isinstance(at, int)
        return [Term(cells.name, (at, index[1]), run.cell(cells.name, (at, index[1])))]

    def words(self, node: Node, run: RunNumbers, index: Index, terms: Sequence[Term]) -> str:
        """Which token."""
        return f"It is feature {index[1]} of the {'first' if self.first else 'last'} token, which stands for all."

    def sources(self, node: Node, run: RunNumbers, index: Index) -> list[Cells]:
        """The feature of the token."""
        token = self.token(node, run)
        return [Cells(node.one("x"), (ALL if token is None else token, index[1]))]

    def targets(self, node: Node, run: RunNumbers, read: Input, index: Index) -> list[Places]:
        """The same feature, of that token alone."""
        return [(0, index[1])] if self.token(node, run) in (None, index[0]) else []


class UnitLength(Operation):
    """x / |x|: the vector made one unit long, so that a product of two is the cosine of their angle."""

    prints_all = True

    def terms(self, node: Node, run: RunNumbers, index: Index) -> list[Term]:
        """The feature, and the length of the vector."""
        x = node.one("x")
        length = float(run.read(x, index[:1]).double().norm())
        return [Term(x, index, run.cell(x, index)), Term("length", (), length)]

    def total(self, node: Node, run: RunNumbers, index: Index, terms: Sequence[Term]) -> float:
        """The quotient."""
        x, length = (term.value for term in terms)
        return x / length if length else 0.0

    def words(self, node: Node, run: RunNumbers, index: Index, terms: Sequence[Term]) -> str:
        """The quotient in numbers."""
        x, length = (number(term.value) for term in terms)
        return f"It is {x} ÷ {length}, the length of the vector."

    def sources(self, node: Node, run: RunNumbers, index: Index) -> list[Cells]:
        """The whole vector, since its length counts."""
        return [Cells(node.one("x"), (index[0], ALL))]

    def targets(self, node: Node, run: RunNumbers, read: Input, index: Index) -> list[Places]:
        """The whole vector."""
        return [(index[0], ALL)]


class Similarity(Operation):
    """e^log_scale v . t_i + b: the cosine of a picture's vector and a sentence's, scaled."""

    def terms(self, node: Node, run: RunNumbers, index: Index) -> list[Term]:
        """The products of both vectors, feature by feature, the largest first; the logarithm of the scale; the bias."""
        x, weight = node.one("x"), node.one("weight")
        pairs = zip(run.read(x, (0,)).tolist(), run.read(weight, index).tolist(), strict=True)
        products = [
            Term(x, (0, feature), value, Term(weight, (*index, feature), factor))
            for feature, (value, factor) in enumerate(pairs)
        ]
        return [
            *largest_first(products),
            *(Term(name, (0,), run.cell(name, (0,))) for name in node.named("scale", "bias")),
        ]

    def total(self, node: Node, run: RunNumbers, index: Index, terms: Sequence[Term]) -> float:
        """The formula."""
        cosine, log_scale, bias = self._numbers(node, terms)
        return math.exp(log_scale) * cosine + bias

    def _numbers(self, node: Node, terms: Sequence[Term]) -> tuple[float, float, float]:
        of = {term.name: term.value for term in terms if term.factor is None}
        cosine = math.fsum(term.part for term in terms if term.factor is not None)
        return cosine, of[node.one("scale")], math.fsum(of[name] for name in node.named("bias"))

    def words(self, node: Node, run: RunNumbers, index: Index, terms: Sequence[Term]) -> str:
        """The cosine, its scale and the bias."""
        cosine, log_scale, bias = self._numbers(node, terms)
        said = say_sum(
            terms[: -len(node.named("scale", "bias"))], f"the products of the picture and sentence {index[0]}"
        )
        added = f" + {number(bias)}" if node.named("bias") else ""
        return f"The cosine is {number(cosine)}. {said} The logit is {number(math.exp(log_scale))} × the cosine{added}."

    def sources(self, node: Node, run: RunNumbers, index: Index) -> list[Cells]:
        """Both vectors, the scale and the bias."""
        vectors = [Cells(node.one("x"), (0, ALL)), Cells(node.one("weight"), (*index, ALL))]
        return [*vectors, *(Cells(name, (0,)) for name in node.named("scale", "bias"))]

    def targets(self, node: Node, run: RunNumbers, read: Input, index: Index) -> list[Places]:
        """The logit of a sentence; of all sentences."""
        return [(index[0],)] if read.role == "weight" else [(ALL,)]
