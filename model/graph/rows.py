"""Operations for which a whole row counts: norms and the softmax."""

from __future__ import annotations

import math
from collections.abc import Sequence

from torch import Tensor

from model.graph.nodes import ALL, Cells, Index, Input, Node
from model.graph.operation import Operation, Places, Term
from model.graph.run_numbers import RunNumbers
from model.graph.sums import SUMMANDS, summands, summed_row
from model.numerals import as_printed, number

LARGE = 12.0  # exp of a larger score is no number to look at


class Norm(Operation):
    """g (x - mu) / sigma + b over the features of a token, or g x / rms (`model.network.norms`).

    x may be a sum: BERT's norm stands right after the sum of its embeddings. The norm of a head's queries or keys is
    of a kind of its own; any other is of the kind of the configuration.
    """

    def __init__(self, kind: str = "") -> None:
        self.kind = kind

    def kind_in(self, run: RunNumbers) -> str:
        """ "layer" or "rms"."""
        return self.kind or run.config.norm

    def terms(self, node: Node, run: RunNumbers, index: Index) -> list[Term]:
        """The feature x, the mean of the token's features where it is taken off, the spread, the gain, the bias."""
        row = self.row(node, run, index).double()  # (d_model,)
        terms = [Term(name, at, run.cell(name, at)) for name, at in summands(node, run, index)]
        subtracts_mean = self.kind_in(run) == "layer"
        mean = float(row.mean()) if subtracts_mean else 0.0
        if subtracts_mean:
            terms.append(Term("mean", (), mean))
        spread = math.sqrt(float(((row - mean) ** 2).mean()) + run.config.norm_eps)
        terms.append(Term("spread", (), spread))
        feature = self.feature(run, index)
        return [*terms, *(Term(name, feature, run.cell(name, feature)) for name in node.named("gain", "bias"))]

    def row(self, node: Node, run: RunNumbers, index: Index) -> Tensor:
        """The features that are normalised together: (features,)."""
        return summed_row(node, run, index[:-1])

    def feature(self, run: RunNumbers, index: Index) -> Index:
        """The place of a cell's gain and bias."""
        return index[-1:]

    def total(self, node: Node, run: RunNumbers, index: Index, terms: Sequence[Term]) -> float:
        """The formula."""
        return _normalise(*self._numbers(node, terms))

    def printed_total(self, node: Node, run: RunNumbers, index: Index, terms: Sequence[Term]) -> float | None:
        """The formula with the numbers that a reader sees."""
        return _normalise(*map(as_printed, self._numbers(node, terms)))

    def words(self, node: Node, run: RunNumbers, index: Index, terms: Sequence[Term]) -> str:
        """The formula with its numbers."""
        x, mean, spread, gain, bias = self._numbers(node, terms)
        if self.kind_in(run) == "rms":
            return (
                f"It is {number(x)} ÷ {number(spread)}, the root of the token's mean square, × the gain {number(gain)}."
            )
        added = f" + the bias {number(bias)}" if node.named("bias") else ""
        return (
            f"It is ({number(x)} − the mean {number(mean)}) ÷ the spread {number(spread)} of the token's features, "
            f"× the gain {number(gain)}{added}."
        )

    def _numbers(self, node: Node, terms: Sequence[Term]) -> tuple[float, float, float, float, float]:
        """x, mean, spread, gain and bias, with 0 for a mean or bias that the norm lacks."""
        of = {term.name: term.value for term in terms}
        x = math.fsum(of[name] for name in node.named(*SUMMANDS) if name in of)
        bias = math.fsum(of[name] for name in node.named("bias"))
        return x, of.get("mean", 0.0), of["spread"], of[node.one("gain")], bias

    def sources(self, node: Node, run: RunNumbers, index: Index) -> list[Cells]:
        """The whole row, since its mean and spread count, and the feature's gain and bias."""
        rows = [Cells(name, (*index[:-1], ALL)) for name in node.named(*SUMMANDS)]
        return [*rows, *(Cells(name, self.feature(run, index)) for name in node.named("gain", "bias"))]

    def targets(self, node: Node, run: RunNumbers, read: Input, index: Index) -> list[Places]:
        """The token's whole row; of a gain or bias, one feature of every token and head."""
        return [(*index[:-1], ALL)] if read.role in SUMMANDS else [(*[ALL] * (len(node.axes) - 1), *index)]


class NormOfAllHeads(Norm):
    """The same of queries or keys (heads, tokens, d_head) whose features of all heads have one norm, as in OLMo 2."""

    def row(self, node: Node, run: RunNumbers, index: Index) -> Tensor:
        """The features of a token in all heads: (heads * d_head,)."""
        return run.read(node.one("x"), ())[:, index[1]].flatten()

    def feature(self, run: RunNumbers, index: Index) -> Index:
        """The features of one head stand after those of the head before it."""
        return (index[0] * run.config.head_width + index[2],)

    def sources(self, node: Node, run: RunNumbers, index: Index) -> list[Cells]:
        """The token's features in all heads, and the gain."""
        return [Cells(node.one("x"), (ALL, index[1], ALL)), Cells(node.one("gain"), self.feature(run, index))]

    def targets(self, node: Node, run: RunNumbers, read: Input, index: Index) -> list[Places]:
        """The token's features in all heads; of a gain, one feature of every token."""
        if read.role == "x":
            return [(ALL, index[1], ALL)]
        head, feature = divmod(index[0], run.config.head_width)
        return [(head, ALL, feature)]


def _normalise(x: float, mean: float, spread: float, gain: float, bias: float) -> float:
    return gain * (x - mean) / spread + bias


class Softmax(Operation):
    """exp(s) over the row's sum of exp(s). A row without a visible key is 0 (`model.network.masks`)."""

    def terms(self, node: Node, run: RunNumbers, index: Index) -> list[Term]:
        """The row of scores, key by key; then the shift and the sum of the row.

        The shift is 0 where exp stays in range, else the row's largest score: subtracting it everywhere changes no
        weight. The sum is that of exp(score - shift).
        """
        x, (head, query, _) = node.one("x"), index
        row = run.read(x, (head, query))  # (keys,)
        shift = softmax_shift(row)
        terms = [Term(x, (head, query, key), score) for key, score in enumerate(row.tolist())]
        total = math.fsum(math.exp(term.value - shift) for term in terms)
        return [*terms, Term("shift", (), shift), Term("sum", (), total)]

    def total(self, node: Node, run: RunNumbers, index: Index, terms: Sequence[Term]) -> float:
        """The share of exp(score - shift) in the sum."""
        *row, shift, total = terms
        return math.exp(row[index[-1]].value - shift.value) / total.value if total.value else 0.0

    def printed_total(self, node: Node, run: RunNumbers, index: Index, terms: Sequence[Term]) -> float | None:
        """The share of the numbers that a reader sees."""
        *row, shift, total = terms
        power = math.exp(as_printed(row[index[-1]].value) - as_printed(shift.value))
        return power / as_printed(total.value) if as_printed(total.value) else 0.0

    def words(self, node: Node, run: RunNumbers, index: Index, terms: Sequence[Term]) -> str:
        """The score among the scores of the row."""
        *row, shift, total = terms
        score, visible = row[index[-1]].value, sum(math.isfinite(term.value) for term in row)
        if score == -math.inf:
            return f"Key {index[-1]} is hidden from query {index[-2]}: its score is −∞, so its weight is 0."
        off = f" − {number(shift.value)}" if shift.value else ""
        return (
            f"It is exp({number(score)}{off}) ÷ {number(total.value)}, the sum of exp over the {visible} keys that "
            f"query {index[-2]} can see."
        )

    def sources(self, node: Node, run: RunNumbers, index: Index) -> list[Cells]:
        """The whole row."""
        return [Cells(node.one("x"), (*index[:-1], ALL))]

    def targets(self, node: Node, run: RunNumbers, read: Input, index: Index) -> list[Places]:
        """The whole row."""
        return [(*index[:-1], ALL)]


def softmax_shift(row: Tensor) -> float:
    """What to subtract from a row of scores (keys,) before exp: its peak where exp would leave the range, else 0."""
    peak = float(row.max())
    return peak if math.isfinite(peak) and abs(peak) > LARGE else 0.0
