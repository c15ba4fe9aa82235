"""What an embedding is made of: rows of tables, sines and cosines, and the patches of a picture."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Literal

import torch

from model.graph.nodes import ALL, Cells, Index, Input, Node
from model.graph.operation import Formula, Operation, Places, Term, largest_first, place
from model.graph.run_numbers import RunNumbers
from model.network.positions import frequencies
from model.network.segments import segments_of
from model.numerals import number


def scale_of(run: RunNumbers) -> list[Term]:
    """sqrt(d_model), or another number by which token embeddings are multiplied; [] where they are not.

    Vaswani et al., section 3.4.
    """
    return [] if run.config.token_factor == 1 else [Term("scale", (), run.config.token_factor)]


def say_scale(run: RunNumbers) -> str:
    """That factor in words."""
    return "√d_model" if run.config.token_scale is None else "the scale of this model"


class Lookup(Operation):
    """A row of a table: a token's, a position's or a segment's. Rows of tokens may be scaled."""

    prints_all = True

    def __init__(self, by: Literal["token", "position", "segment"]) -> None:
        self.by = by

    def row(self, node: Node, run: RunNumbers, at: int) -> int:
        """The row of the table that stands at the place `at`."""
        ids = run.ids(node.stack)
        assert ids is not None, "a graph without a run has no tokens"
        if self.by == "segment":
            return int(segments_of(torch.tensor(ids), run.config)[at])
        return ids[at] if self.by == "token" else at

    def terms(self, node: Node, run: RunNumbers, index: Index) -> list[Term]:
        """The cell of the table, with its factor where there is one."""
        cell = (self.row(node, run, index[0]), index[1])
        factor = next(iter(scale_of(run) if self.by == "token" else []), None)
        table = node.one("table")
        return [Term(table, cell, run.cell(table, cell), factor)]

    def words(self, node: Node, run: RunNumbers, index: Index, terms: Sequence[Term]) -> str:
        """Which row, and its factor."""
        (term,) = terms
        row, feature = term.index
        said = f"It is feature {feature} of row {row} of {term.name}, the row of this {self.by}"
        if term.factor is None:
            return f"{said}."
        return f"{said}, times {say_scale(run)}: {number(term.value)} × {number(term.factor.value)}."

    def sources(self, node: Node, run: RunNumbers, index: Index) -> list[Cells]:
        """The cell of the table."""
        return [Cells(node.one("table"), (self.row(node, run, index[0]), index[1]))]

    def targets(self, node: Node, run: RunNumbers, read: Input, index: Index) -> list[Places]:
        """The places that read this row. Without a run, a token may stand anywhere."""
        row, feature = index
        ids = run.ids(node.stack)
        if self.by == "segment":
            return self._of_segment(run, ids, row, feature)
        if self.by == "position":
            return [(row, feature)] if ids is None or row < self._length(node, run) else []
        if ids is None:
            return [(ALL, feature)]
        return [(at, feature) for at, id in enumerate(ids) if id == row]

    def _of_segment(self, run: RunNumbers, ids: Sequence[int] | None, row: int, feature: int) -> list[Places]:
        has_one = run.config.segment_border is None
        if ids is None or has_one:
            return [(ALL, feature)] if row == 0 or not has_one else []
        segments = segments_of(torch.tensor(ids), run.config).tolist()
        return [(at, feature) for at, segment in enumerate(segments) if segment == row]

    def _length(self, node: Node, run: RunNumbers) -> int:
        shape = run.shape(node.name)
        assert shape is not None, "a run has shapes"
        return shape[0]


class Sinusoid(Formula):
    """sin(w_k t) of even features and cos(w_k t) of odd ones: Vaswani et al., section 3.5.

    With `sines_first`, the sines are the first half of the features.
    """

    def terms(self, node: Node, run: RunNumbers, index: Index) -> list[Term]:
        """The position t and the frequency w_k."""
        speeds = frequencies(run.config.position_width, run.config.position_base)
        pair, _ = self.wave(run, index)
        return [Term("position", (), index[0]), Term("frequency", (), float(speeds[pair]))]

    def wave(self, run: RunNumbers, index: Index) -> tuple[int, bool]:
        """The pair that a feature belongs to, and whether it is the cosine of it."""
        feature, half = index[1], run.config.position_width // 2
        if run.config.sines_first:
            return feature % half, feature >= half
        return feature // 2, feature % 2 == 1

    def total(self, node: Node, run: RunNumbers, index: Index, terms: Sequence[Term]) -> float:
        """The sine or cosine of their product."""
        t, speed = terms
        return (math.cos if self.wave(run, index)[1] else math.sin)(t.value * speed.value)

    def printed_total(self, node: Node, run: RunNumbers, index: Index, terms: Sequence[Term]) -> float | None:
        """The wave of the printed angle. A position is whole."""
        t, speed = terms
        return self.total(node, run, index, [t, speed.as_printed])

    def words(self, node: Node, run: RunNumbers, index: Index, terms: Sequence[Term]) -> str:
        """The angle."""
        t, speed = terms
        wave = "cosine" if self.wave(run, index)[1] else "sine"
        return f"It is the {wave} of {t.value:g} × {number(speed.value)}: the position times the frequency."


class Patch(Operation):
    """A picture cut into flattened patches: every cell is one pixel (`model.network.patches.patchify`)."""

    def pixel(self, run: RunNumbers, index: Index) -> Index:
        """The (channel, row, column) of feature `index[1]` of patch `index[0]`."""
        size, columns = run.config.patch_size, run.config.patches_a_side
        patch, feature = index
        channel, inside = divmod(feature, size * size)
        return channel, patch // columns * size + inside // size, patch % columns * size + inside % size

    def terms(self, node: Node, run: RunNumbers, index: Index) -> list[Term]:
        """The pixel."""
        pixels, at = node.one("pixels"), self.pixel(run, index)
        return [Term(pixels, at, run.cell(pixels, at))]

    def words(self, node: Node, run: RunNumbers, index: Index, terms: Sequence[Term]) -> str:
        """Where the pixel is."""
        channel, row, column = terms[0].index
        return f"It is the pixel in row {row} and column {column} of channel {channel} of the prepared picture."

    def sources(self, node: Node, run: RunNumbers, index: Index) -> list[Cells]:
        """The pixel."""
        return [Cells(node.one("pixels"), self.pixel(run, index))]

    def targets(self, node: Node, run: RunNumbers, read: Input, index: Index) -> list[Places]:
        """The one cell of the one patch that holds the pixel."""
        size, columns = run.config.patch_size, run.config.patches_a_side
        channel, row, column = index
        feature = channel * size * size + row % size * size + column % size
        return [(row // size * columns + column // size, feature)]


class PatchTokens(Operation):
    """The learnt tokens first, then every patch times a matrix, plus a bias: Dosovitskiy et al. (2021), eq. 1."""

    VECTORS = (
        "first",
        "second",
    )  # the roles of learnt tokens that are weights by themselves; "registers" are one weight

    def learnt(self, node: Node, index: Index) -> tuple[str, Index]:
        """The weight that holds a feature of a learnt token, and its place there."""
        at, feature = index
        vectors = node.named(*self.VECTORS)
        return (vectors[at], (feature,)) if at < len(vectors) else (node.one("registers"), (at - len(vectors), feature))

    def terms(self, node: Node, run: RunNumbers, index: Index) -> list[Term]:
        """The feature of a learnt token; or the products and the bias. Then the scale, where there is one."""
        at, feature = index
        if at < run.config.n_special_tokens:
            learnt, cell = self.learnt(node, index)
            return [Term(learnt, cell, run.cell(learnt, cell)), *scale_of(run)]
        patch = at - run.config.n_special_tokens
        x, weight = node.one("x"), node.one("weight")
        pairs = zip(run.read(x, (patch,)).tolist(), run.read(weight, (feature,)).tolist(), strict=True)
        terms = [
            Term(x, (patch, place), value, Term(weight, (feature, place), factor))
            for place, (value, factor) in enumerate(pairs)
        ]
        terms += [Term(bias, (feature,), run.cell(bias, (feature,))) for bias in node.named("bias")]
        return [*largest_first(terms), *scale_of(run)]

    def total(self, node: Node, run: RunNumbers, index: Index, terms: Sequence[Term]) -> float:
        """The sum of the cells, times the scale."""
        scale = math.prod(term.value for term in terms if not term.index)
        return scale * math.fsum(term.part for term in terms if term.index)

    def words(self, node: Node, run: RunNumbers, index: Index, terms: Sequence[Term]) -> str:
        """Which patch."""
        at, feature = index
        scaled = f", times {say_scale(run)}" if scale_of(run) else ""
        if at < run.config.n_special_tokens:
            token = run.config.special_tokens[at]
            return f"It is feature {feature} of {token}, which is learnt and shows no part of the picture{scaled}."
        row = place(node.one("weight"), (feature, ALL))
        patch = at - run.config.n_special_tokens
        bias = ", plus a bias" if node.named("bias") else ""
        return f"It is patch {patch} times {row}{bias}{scaled}: {len(terms)} numbers that are added."

    def sources(self, node: Node, run: RunNumbers, index: Index) -> list[Cells]:
        """The learnt token's feature; or the patch, a row of the matrix and the bias."""
        at, feature = index
        if at < run.config.n_special_tokens:
            return [Cells(*self.learnt(node, index))]
        return [
            Cells(node.one("x"), (at - run.config.n_special_tokens, ALL)),
            Cells(node.one("weight"), (feature, ALL)),
            *(Cells(bias, (feature,)) for bias in node.named("bias")),
        ]

    def targets(self, node: Node, run: RunNumbers, read: Input, index: Index) -> list[Places]:
        """A row of the result; or one feature of every patch."""
        special = run.config.n_special_tokens
        vectors = node.named(*self.VECTORS)
        if read.role == "registers":
            return [(len(vectors) + index[0], index[1])]
        if read.name in vectors:
            return [(vectors.index(read.name), index[0])]
        if read.role == "x":
            return [(index[0] + special, ALL)]
        return [(at, index[0]) for at in range(special, special + run.config.n_patches)]
