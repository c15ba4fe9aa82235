"""Products of matrices: linear maps, scores of queries and keys, and weighted means of values."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Literal

from torch import Tensor

from model.graph.nodes import ALL, Cells, Index, Input, Node
from model.graph.operation import Operation, Places, Term, largest_first, place, product
from model.graph.run_numbers import RunNumbers
from model.numerals import number


def say_sum(terms: Sequence[Term], made_of: str) -> str:
    """The largest term of a long sum in a sentence."""
    return f"It is the sum of {made_of}. The largest of its {len(terms)} parts is {product(terms[0])}."


class Linear(Operation):
    """x W^T + b, token by token.

    The result keeps the shape (tokens, outputs), or it is split into heads (heads, tokens, d_head), or it is made for
    one token alone, (outputs,): the first one, or that at the place `token`.
    """

    def __init__(self, shape: Literal["plain", "heads", "one token"] = "plain", token: int = 0) -> None:
        self.shape, self.token = shape, token

    def token_and_row(self, run: RunNumbers, index: Index) -> tuple[int, int]:
        """The token that a cell of the result belongs to, and the row of the matrix."""
        if self.shape == "heads":
            head, token, feature = index
            return token, head * run.config.head_width + feature
        return (self.token, index[0]) if self.shape == "one token" else (index[0], index[1])

    def terms(self, node: Node, run: RunNumbers, index: Index) -> list[Term]:
        """The products of the token's features and the matrix's row, and the bias: the largest first."""
        token, row = self.token_and_row(run, index)
        x, weight = node.one("x"), node.one("weight")
        pairs = zip(run.read(x, (token,)).tolist(), run.read(weight, (row,)).tolist(), strict=True)
        terms = [
            Term(x, (token, feature), value, Term(weight, (row, feature), factor))
            for feature, (value, factor) in enumerate(pairs)
        ]
        terms += [Term(bias, (row,), run.cell(bias, (row,))) for bias in node.named("bias")]
        return largest_first(terms)

    def words(self, node: Node, run: RunNumbers, index: Index, terms: Sequence[Term]) -> str:
        """What is multiplied with what."""
        token, row = self.token_and_row(run, index)
        bias = "".join(f", plus {place(name, (row,))}" for name in node.named("bias"))
        pair = f"{place(node.one('x'), (token, ALL))} times {place(node.one('weight'), (row, ALL))}"
        return say_sum(terms, f"{pair}, feature by feature{bias}")

    def sources(self, node: Node, run: RunNumbers, index: Index) -> list[Cells]:
        """The token's features, the row of the matrix, and the bias."""
        token, row = self.token_and_row(run, index)
        cells = [Cells(node.one("x"), (token, ALL)), Cells(node.one("weight"), (row, ALL))]
        return [*cells, *(Cells(bias, (row,)) for bias in node.named("bias"))]

    def targets(self, node: Node, run: RunNumbers, read: Input, index: Index) -> list[Places]:
        """All outputs of one token; or one output of all tokens."""
        token, row = (index[0], None) if read.role == "x" else (ALL, index[0])
        if self.shape == "one token":
            return [(ALL if row is None else row,)] if token in (self.token, ALL) else []
        if self.shape == "plain":
            return [(token, ALL if row is None else row)]
        if row is None:
            return [(ALL, token, ALL)]
        head, feature = divmod(row, run.config.head_width)
        return [(head, token, feature)]


class ScaledLogits(Linear):
    """The scores of the vocabulary of a model that multiplies h by a number first, such as 1 / sqrt(d_model) in T5."""

    def terms(self, node: Node, run: RunNumbers, index: Index) -> list[Term]:
        """As of any linear map; and the scale."""
        return [*super().terms(node, run, index), Term("scale", (), run.config.logit_factor)]

    def total(self, node: Node, run: RunNumbers, index: Index, terms: Sequence[Term]) -> float:
        """The sum of the products times the scale, and the bias."""
        scale, cap = math.prod(term.value for term in terms if not term.index), run.config.logit_cap
        u = math.fsum(term.part * (scale if term.factor else 1) for term in terms if term.index)
        return u if cap is None else cap * math.tanh(u / cap)

    def words(self, node: Node, run: RunNumbers, index: Index, terms: Sequence[Term]) -> str:
        """What is multiplied with what, and the scale."""
        said = super().words(node, run, index, [term for term in terms if term.index])
        if run.config.logit_scale is not None:
            said += f" The products are multiplied by {number(run.config.logit_scale)}."
        elif run.config.scale_logits:
            said += f" The products are divided by √{run.config.d_model}."
        cap = run.config.logit_cap
        return said if cap is None else f"{said} Of the sum u, {number(cap)} × tanh(u ÷ {number(cap)}) is the logit."


def heads_that_share(run: RunNumbers, kv_head: int) -> list[int]:
    """The query heads that read one key and value head."""
    return [head for head in range(run.config.n_heads) if run.config.kv_head_of(head) == kv_head]


class Scores(Operation):
    """q k^T for every head: the product of one query and one key, feature by feature."""

    def terms(self, node: Node, run: RunNumbers, index: Index) -> list[Term]:
        """The products of the query's and the key's features, the largest first."""
        head, query, key = index
        q, k, shared = node.one("q"), node.one("k"), run.config.kv_head_of(head)
        pairs = zip(run.read(q, (head, query)).tolist(), run.read(k, (shared, key)).tolist(), strict=True)
        return largest_first(
            Term(q, (head, query, feature), value, Term(k, (shared, key, feature), factor))
            for feature, (value, factor) in enumerate(pairs)
        )

    def words(self, node: Node, run: RunNumbers, index: Index, terms: Sequence[Term]) -> str:
        """Which query and which key."""
        head, query, key = index
        return say_sum(terms, f"query {query} times key {key} of head {head}, feature by feature")

    def sources(self, node: Node, run: RunNumbers, index: Index) -> list[Cells]:
        """The query and the key."""
        head, query, key = index
        shared = run.config.kv_head_of(head)
        return [Cells(node.one("q"), (head, query, ALL)), Cells(node.one("k"), (shared, key, ALL))]

    def targets(self, node: Node, run: RunNumbers, read: Input, index: Index) -> list[Places]:
        """A query's row; or a key's column of every head that shares the key."""
        head, at, _ = index
        if read.role == "q":
            return [(head, at, ALL)]
        return [(each, ALL, at) for each in heads_that_share(run, head)]

    def make(self, node: Node, run: RunNumbers, lead: Index) -> Tensor:
        """The row of a query (head, query), or the matrix of a head (head,)."""
        head = lead[0]
        return run.read(node.one("q"), lead) @ run.read(node.one("k"), (run.config.kv_head_of(head),)).mT


class MixValues(Operation):
    """A V for every head: the mean of all values, weighted by the attention."""

    def terms(self, node: Node, run: RunNumbers, index: Index) -> list[Term]:
        """The products of a weight and a value, one for each key, the largest first."""
        head, query, feature = index
        weights, v, shared = node.one("weights"), node.one("v"), run.config.kv_head_of(head)
        values = run.read(v, (shared,))[:, feature].tolist()
        pairs = zip(run.read(weights, (head, query)).tolist(), values, strict=True)
        return largest_first(
            Term(weights, (head, query, key), weight, Term(v, (shared, key, feature), value))
            for key, (weight, value) in enumerate(pairs)
        )

    def words(self, node: Node, run: RunNumbers, index: Index, terms: Sequence[Term]) -> str:
        """The strongest key."""
        _, query, feature = index
        best = terms[0].index[2]
        return (
            f"It is the mean of feature {feature} of {len(terms)} values, weighted by the attention of query {query}. "
            f"Key {best} gives most: {product(terms[0])}."
        )

    def sources(self, node: Node, run: RunNumbers, index: Index) -> list[Cells]:
        """The row of weights, and one feature of all values."""
        head, query, feature = index
        shared = run.config.kv_head_of(head)
        return [Cells(node.one("weights"), (head, query, ALL)), Cells(node.one("v"), (shared, ALL, feature))]

    def targets(self, node: Node, run: RunNumbers, read: Input, index: Index) -> list[Places]:
        """A query's mean; or one feature of all queries, in every head that shares the value."""
        head, at, feature = index
        if read.role == "weights":
            return [(head, at, ALL)]
        return [(each, ALL, feature) for each in heads_that_share(run, head)]


class JoinHeads(Operation):
    """All heads side by side: (heads, tokens, d_head) -> (tokens, heads x d_head)."""

    def cell(self, run: RunNumbers, index: Index) -> Index:
        """The cell of the heads that stands in this place."""
        head, feature = divmod(index[1], run.config.head_width)
        return head, index[0], feature

    def terms(self, node: Node, run: RunNumbers, index: Index) -> list[Term]:
        """The one number."""
        x, at = node.one("x"), self.cell(run, index)
        return [Term(x, at, run.cell(x, at))]

    def words(self, node: Node, run: RunNumbers, index: Index, terms: Sequence[Term]) -> str:
        """Which head."""
        head, _, feature = terms[0].index
        return f"It is feature {feature} of head {head}, {number(terms[0].value)}: the heads stand side by side."

    def sources(self, node: Node, run: RunNumbers, index: Index) -> list[Cells]:
        """The one cell."""
        return [Cells(node.one("x"), self.cell(run, index))]

    def targets(self, node: Node, run: RunNumbers, read: Input, index: Index) -> list[Places]:
        """The one cell."""
        head, token, feature = index
        return [(token, head * run.config.head_width + feature)]
