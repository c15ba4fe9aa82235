"""Sums of tensors: what is added, what stands side by side, and tensors that go on as they are."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

from model.graph.nodes import ALL, Cells, Index, Input, Node
from model.graph.operation import Operation, Places, Term, place
from model.graph.run_numbers import RunNumbers
from model.numerals import number

SUMMANDS = ("x", "left", "right")  # x is added; left and right stand side by side, (e, p)


def summands(node: Node, run: RunNumbers, index: Index) -> list[tuple[str, Index]]:
    """The cells that are added to make one cell. An input with fewer axes, a mask, is the same for every head."""
    found, width = [], run.config.token_width
    for read in node.inputs:
        if read.role == "x":
            found.append((read.name, index[-len(run.graph[read.name].axes) :]))
        elif read.role == "left" and index[-1] < width:
            found.append((read.name, index))
        elif read.role == "right" and index[-1] >= width:
            found.append((read.name, (*index[:-1], index[-1] - width)))
    return found


def summed(node: Node, run: RunNumbers, read: Input, index: Index) -> Places:
    """The cells of the sum to which one cell of an input is added: the inverse of `summands`."""
    shift = run.config.token_width if read.role == "right" else 0
    every = (ALL,) * (len(node.axes) - len(index))
    return (*every, *index[:-1], index[-1] + shift)


def summed_row(node: Node, run: RunNumbers, lead: Index) -> Tensor:
    """The sum itself below the index `lead`, in float32 as the network adds."""
    pieces = [run.read(name, lead) for name in node.named("left", "right")]
    rows = [torch.cat(pieces, dim=-1)] if pieces else []
    for name in node.named("x"):
        missing = len(node.axes) - len(run.graph[name].axes)  # a mask has no axis of heads
        rows.append(run.read(name, lead[missing:]))
    return sum(rows[1:], start=rows[0])


class Sum(Operation):
    """Every cell is the sum of the same cell of each input: additions, masks, copies, and (e, p) side by side."""

    prints_all = True

    def terms(self, node: Node, run: RunNumbers, index: Index) -> list[Term]:
        """The summands, in the order in which the network adds them."""
        return [Term(name, at, run.cell(name, at)) for name, at in summands(node, run, index)]

    def words(self, node: Node, run: RunNumbers, index: Index, terms: Sequence[Term]) -> str:
        """The summands, or the one cell that is taken over."""
        if len(terms) == 1:
            return f"It is the same number as {place(terms[0].name, terms[0].index)}."
        said = " + ".join(f"{number(term.value)} ({term.name})" for term in terms)
        return f"It is the sum of {len(terms)} numbers: {said}."

    def sources(self, node: Node, run: RunNumbers, index: Index) -> list[Cells]:
        """The summands."""
        return [Cells(name, at) for name, at in summands(node, run, index)]

    def targets(self, node: Node, run: RunNumbers, read: Input, index: Index) -> list[Places]:
        """The one cell of the sum, or that cell for every head."""
        return [summed(node, run, read, index)]

    def make(self, node: Node, run: RunNumbers, lead: Index) -> Tensor:
        """The sum."""
        return summed_row(node, run, lead)
