"""Operations of a mixture of experts: which experts a token takes, with what weight, and what they give together."""

from __future__ import annotations

import math
from collections.abc import Sequence

from model.graph.nodes import ALL, Cells, Index, Input, Node
from model.graph.operation import Operation, Places, Term, largest_first, place, product
from model.graph.products import Linear, say_sum
from model.graph.rows import softmax_shift
from model.graph.run_numbers import RunNumbers
from model.numerals import as_printed, number


def taken_expert(node: Node, run: RunNumbers, index: Index) -> int:
    """The expert of a cell (taken, tokens, features): the one that the token has at that place of its choice."""
    return int(run.cell(node.one("chosen"), (index[1], index[0])))


class OfRow(Operation):
    """A cell that depends on the whole row of its token, in each of its inputs."""

    def sources(self, node: Node, run: RunNumbers, index: Index) -> list[Cells]:
        """The rows of the token."""
        return [Cells(read.name, (index[0], ALL)) for read in node.inputs]

    def targets(self, node: Node, run: RunNumbers, read: Input, index: Index) -> list[Places]:
        """The row of the token."""
        return [(index[0], ALL)]


class Choose(OfRow):
    """The experts with the largest logits of the router, the largest first."""

    def terms(self, node: Node, run: RunNumbers, index: Index) -> list[Term]:
        """The logits of the router, the largest first."""
        x, token = node.one("x"), index[0]
        row = run.read(x, (token,)).tolist()
        return sorted((Term(x, (token, expert), logit) for expert, logit in enumerate(row)), key=lambda t: -t.value)

    def total(self, node: Node, run: RunNumbers, index: Index, terms: Sequence[Term]) -> float:
        """The number of the expert."""
        return float(terms[index[1]].index[1])

    def words(self, node: Node, run: RunNumbers, index: Index, terms: Sequence[Term]) -> str:
        """Its place among all experts."""
        found = terms[index[1]]
        return (
            f"It is the number of the expert whose logit, {number(found.value)}, is number {index[1] + 1} of the "
            f"{len(terms)} logits of the router, from the largest on."
        )


class Gates(OfRow):
    """The softmax of the router's logits over the taken experts, or over all; 0 of an expert that is not taken."""

    def terms(self, node: Node, run: RunNumbers, index: Index) -> list[Term]:
        """The expert's logit, what is subtracted before exp, and the sum of exp. For an expert not taken, its logit."""
        x, (token, expert) = node.one("x"), index
        row, taken = run.read(x, (token,)), run.read(node.one("chosen"), (token,)).long()
        own = Term(x, index, float(row[expert]))
        if expert not in taken.tolist():
            return [own]
        shift, summed = softmax_shift(row), row[taken] if run.config.normalise_taken else row
        total = math.fsum(math.exp(score - shift) for score in summed.tolist())
        return [own, Term("shift", (), shift), Term("sum", (), total)]

    def total(self, node: Node, run: RunNumbers, index: Index, terms: Sequence[Term]) -> float:
        """The share."""
        return _share([term.value for term in terms])

    def printed_total(self, node: Node, run: RunNumbers, index: Index, terms: Sequence[Term]) -> float | None:
        """The share of the numbers that a reader sees."""
        return _share([as_printed(term.value) for term in terms])

    def words(self, node: Node, run: RunNumbers, index: Index, terms: Sequence[Term]) -> str:
        """The share with its numbers."""
        own, *rest = terms
        if not rest:
            return f"The token does not take expert {index[1]}: its logit, {number(own.value)}, is too small."
        shift, total = rest
        off = f" − {number(shift.value)}" if shift.value else ""
        which = f"{run.config.n_taken} experts that the token takes" if run.config.normalise_taken else "experts"
        return f"It is exp({number(own.value)}{off}) ÷ {number(total.value)}, the sum of exp over the {which}."


def _share(numbers: Sequence[float]) -> float:
    if len(numbers) == 1:
        return 0.0
    score, shift, total = numbers
    return math.exp(score - shift) / total if total else 0.0


class LinearOfExperts(Operation):
    """x W^T + b with the matrix of the taken expert: (taken, tokens, outputs).

    x is the token's row, the same for all experts, or that of the expert, (taken, tokens, inputs).
    """

    def row(self, node: Node, run: RunNumbers, index: Index) -> Index:
        """The row of x that is multiplied."""
        return index[:2] if len(run.graph[node.one("x")].axes) == 3 else index[1:2]

    def weights(self, node: Node, run: RunNumbers, index: Index) -> tuple[str, ...]:
        """The matrix of the expert, and its bias where it has one."""
        expert = taken_expert(node, run, index)
        return tuple(node.named(role)[expert] for role in ("weight", "bias") if node.named(role))

    def terms(self, node: Node, run: RunNumbers, index: Index) -> list[Term]:
        """The products of the row's features and the matrix's row, and the bias: the largest first."""
        (weight, *biases), lead, output = self.weights(node, run, index), self.row(node, run, index), index[2]
        x = node.one("x")
        pairs = zip(run.read(x, lead).tolist(), run.read(weight, (output,)).tolist(), strict=True)
        terms = [
            Term(x, (*lead, feature), value, Term(weight, (output, feature), factor))
            for feature, (value, factor) in enumerate(pairs)
        ]
        return largest_first([*terms, *(Term(bias, (output,), run.cell(bias, (output,))) for bias in biases)])

    def words(self, node: Node, run: RunNumbers, index: Index, terms: Sequence[Term]) -> str:
        """Which expert, and what is multiplied with what."""
        weight, *biases = self.weights(node, run, index)
        pair = f"{place(node.one('x'), (*self.row(node, run, index), ALL))} times {place(weight, (index[2], ALL))}"
        bias = "".join(f", plus {place(name, (index[2],))}" for name in biases)
        expert = taken_expert(node, run, index)
        return f"Token {index[1]} takes expert {expert}. {say_sum(terms, f'{pair}, feature by feature{bias}')}"

    def sources(self, node: Node, run: RunNumbers, index: Index) -> list[Cells]:
        """The row, the choice, the row of the expert's matrix, and its bias."""
        row = Cells(node.one("x"), (*self.row(node, run, index), ALL))
        weight, *biases = self.weights(node, run, index)
        own = [Cells(weight, (index[2], ALL)), *(Cells(bias, (index[2],)) for bias in biases)]
        return [row, Cells(node.one("chosen"), (index[1], index[0])), *own]

    def targets(self, node: Node, run: RunNumbers, read: Input, index: Index) -> list[Places]:
        """All outputs of a row or of a choice; of a weight, one output of each token that takes its expert."""
        if read.role == "x":
            return [(*index[:-1], ALL)] if len(index) == 3 else [(ALL, index[0], ALL)]
        if read.role == "chosen":
            return [(index[1], index[0], ALL)]
        expert = node.named(read.role).index(read.name)
        takers = (run.read(node.one("chosen")) == expert).nonzero().tolist()
        return [(slot, token, index[0]) for token, slot in takers]


class MixExperts(Operation):
    """sum over the taken experts of their weights times what they give: (tokens, d_model)."""

    def terms(self, node: Node, run: RunNumbers, index: Index) -> list[Term]:
        """What each taken expert gives, times its weight, the largest first."""
        x, gates, (token, feature) = node.one("x"), node.one("gates"), index
        chosen = run.read(node.one("chosen"), (token,)).long().tolist()
        given = run.read(x)[:, token, feature].tolist()
        return largest_first(
            Term(x, (slot, token, feature), value, Term(gates, (token, expert), run.cell(gates, (token, expert))))
            for slot, (expert, value) in enumerate(zip(chosen, given, strict=True))
        )

    def words(self, node: Node, run: RunNumbers, index: Index, terms: Sequence[Term]) -> str:
        """The strongest expert."""
        assert terms[0].factor is not None, "each term has its weight"
        expert = terms[0].factor.index[1]
        return (
            f"It is the sum of what {len(terms)} experts give, each times its weight. Expert {expert} gives most: "
            f"{product(terms[0])}."
        )

    def sources(self, node: Node, run: RunNumbers, index: Index) -> list[Cells]:
        """One feature of all taken experts, the token's weights, and its choice."""
        token, feature = index
        rows = [Cells(node.one(role), (token, ALL)) for role in ("gates", "chosen")]
        return [Cells(node.one("x"), (ALL, token, feature)), *rows]

    def targets(self, node: Node, run: RunNumbers, read: Input, index: Index) -> list[Places]:
        """The feature of the token; of a weight or a choice, all its features."""
        return [index[1:]] if read.role == "x" else [(index[0], ALL)]


class GateOfShared(Linear):
    """sigmoid(w x): the share of the shared expert that a token takes, (tokens,)."""

    def token_and_row(self, run: RunNumbers, index: Index) -> tuple[int, int]:
        """The token, and the one row."""
        return index[0], 0

    def total(self, node: Node, run: RunNumbers, index: Index, terms: Sequence[Term]) -> float:
        """The sigmoid of the sum."""
        return 1 / (1 + math.exp(-super().total(node, run, index, terms)))

    def words(self, node: Node, run: RunNumbers, index: Index, terms: Sequence[Term]) -> str:
        """What is multiplied with what, and the curve."""
        said, u = super().words(node, run, index, terms), number(math.fsum(term.part for term in terms))
        return f"{said} Of the sum u = {u}, 1 ÷ (1 + exp(−u)) is taken."

    def targets(self, node: Node, run: RunNumbers, read: Input, index: Index) -> list[Places]:
        """The token's share; of a weight, that of all tokens."""
        return [(index[0],)] if read.role == "x" else [(ALL,)]


class AddGated(Operation):
    """What the taken experts give, and what the shared one gives times its gate."""

    prints_all = True

    def terms(self, node: Node, run: RunNumbers, index: Index) -> list[Term]:
        """The two, the second with its gate."""
        x, shared, gate = node.one("x"), node.one("shared"), node.one("gate")
        factor = Term(gate, index[:1], run.cell(gate, index[:1]))
        return [Term(x, index, run.cell(x, index)), Term(shared, index, run.cell(shared, index), factor)]

    def words(self, node: Node, run: RunNumbers, index: Index, terms: Sequence[Term]) -> str:
        """The sum."""
        routed, shared = terms
        return f"It is {number(routed.value)} of the taken experts, plus {product(shared)} of the shared one."

    def sources(self, node: Node, run: RunNumbers, index: Index) -> list[Cells]:
        """The two cells and the gate."""
        return [Cells(node.one("x"), index), Cells(node.one("shared"), index), Cells(node.one("gate"), index[:1])]

    def targets(self, node: Node, run: RunNumbers, read: Input, index: Index) -> list[Places]:
        """The same cell; of a gate, all features of its token."""
        return [(index[0], ALL)] if read.role == "gate" else [index]
