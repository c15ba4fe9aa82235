"""What a bias of relative positions is made of: a row of a table, or a slope, and the distance of query and key."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

from model.graph.nodes import ALL, Cells, Index, Input, Node
from model.graph.operation import Formula, Operation, Places, Term
from model.graph.run_numbers import RunNumbers
from model.network.relative_positions import bucket, slopes
from model.numerals import number


class LookupDistance(Operation):
    """B[i, t, s] = table[b(s - t), i]: Raffel et al. (2020), section 2.1."""

    def buckets(self, node: Node, run: RunNumbers, distances: Tensor) -> Tensor:
        """The row of the table for each distance s - t, in the stack of this tensor: same shape."""
        config = run.config
        return bucket(distances, config.relative_buckets, config.relative_reach, node.stack == "encoder")

    def cell(self, node: Node, run: RunNumbers, index: Index) -> Index:
        """The (bucket, head) of the table."""
        head, query, key = index
        return int(self.buckets(node, run, torch.tensor(key - query))), head

    def terms(self, node: Node, run: RunNumbers, index: Index) -> list[Term]:
        """The cell of the table."""
        table, at = node.one("table"), self.cell(node, run, index)
        return [Term(table, at, run.cell(table, at))]

    def words(self, node: Node, run: RunNumbers, index: Index, terms: Sequence[Term]) -> str:
        """The distance and its bucket."""
        head, query, key = index
        row = terms[0].index[0]
        said = f"which is bucket {row}: it is the number of head {head} in row {row} of {terms[0].name}."
        return f"The key stands {say_distance(key - query)} the query, {said}"

    def sources(self, node: Node, run: RunNumbers, index: Index) -> list[Cells]:
        """The cell of the table."""
        return [Cells(node.one("table"), self.cell(node, run, index))]

    def targets(self, node: Node, run: RunNumbers, read: Input, index: Index) -> list[Places]:
        """The pairs of this bucket's distances. Without a run, any pair may be one."""
        row, head = index
        shape = run.shape(node.name)
        if shape is None:
            return [(head, ALL, ALL)]
        places = torch.arange(shape[1])
        found = self.buckets(node, run, places[None, :] - places[:, None]) == row  # (queries, keys)
        return [(head, query, key) for query, key in found.nonzero().tolist()]

    def make(self, node: Node, run: RunNumbers, lead: Index) -> Tensor:
        """The biases of a head's query (head, query), or of all its pairs (head,)."""
        shape = run.shape(node.name)
        assert shape is not None, "a graph without a run has no numbers"
        places = torch.arange(shape[1])
        found = self.buckets(node, run, places[None, :] - places[:, None])  # (queries, keys)
        return run.read(node.one("table"))[found, lead[0]][lead[1:]]


class SlopeOfDistance(Formula):
    """B[i, t, s] = -m_i |t - s|: Press et al. (2022), section 3."""

    prints_all = True

    def terms(self, node: Node, run: RunNumbers, index: Index) -> list[Term]:
        """The slope of the head, times the distance."""
        head, query, key = index
        distance = Term("distance", (), float(abs(query - key)))
        return [Term("slope", (), -slopes(run.config.n_heads)[head], distance)]

    def words(self, node: Node, run: RunNumbers, index: Index, terms: Sequence[Term]) -> str:
        """The distance and the slope."""
        head, query, key = index
        (term,) = terms
        assert term.factor is not None
        times = f"{number(term.value)}, the slope of head {head}, × {term.factor.value:g}, the distance"
        return f"The key stands {say_distance(key - query)} the query: {times}."

    def make(self, node: Node, run: RunNumbers, lead: Index) -> Tensor:
        """The biases of a head's query (head, query), or of all its pairs (head,)."""
        shape = run.shape(node.name)
        assert shape is not None, "a graph without a run has no numbers"
        places = torch.arange(shape[1])
        distances = (places[None, :] - places[:, None]).abs()  # (queries, keys)
        return (-slopes(run.config.n_heads)[lead[0]] * distances)[lead[1:]]


def say_distance(distance: int) -> str:
    """Where a key stands, by its distance s - t from the query: "2 places before"."""
    if distance == 0:
        return "at the place of"
    places = "1 place" if abs(distance) == 1 else f"{abs(distance)} places"
    return f"{places} {'after' if distance > 0 else 'before'}"
