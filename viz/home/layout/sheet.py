"""The lists of a layout as they are collected: groups, matrices and links, as JSON has them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from viz.home.layout.boxes import Box
from viz.home.layout.facts import TensorFacts
from viz.home.layout.levels import list_scales
from viz.shared.tiles import count_halvings, level_count

Span = tuple[int, int]  # first and end


@dataclass
class Sheet:
    """Groups, matrices and links of the whole model, or of a template. `kinds` describe its matrices."""

    kinds: Mapping[str, Any]
    groups: list[dict[str, Any]] = field(default_factory=list)
    matrices: list[dict[str, Any]] = field(default_factory=list)
    links: list[dict[str, Any]] = field(default_factory=list)
    _widths: dict[str, float] = field(default_factory=dict)  # of the groups

    def group(
        self, id: str, title: str, kind: str, parent: str | None, box: Box, go: dict[str, Any] | None = None
    ) -> str:
        """A part of the model that can be entered. `go` names the page that explains it. Returns the id."""
        entry: dict[str, Any] = {"id": id, "title": title, "kind": kind, "parent": parent, "box": box.rounded()}
        self.groups.append(entry | ({"go": go} if go else {}))
        self._widths[id] = entry["box"][2]
        return id

    def matrix(
        self,
        kind: str,
        tensor: str,
        group: str,
        box: Box,
        *,
        number: int = 0,
        rows: Span | None = None,
        columns: Span | None = None,
        nearer_than: float = 0.0,
        until: float = math.inf,
    ) -> None:
        """A matrix of a tensor, or the part of it with these rows and columns.

        It is drawn while its group is at least `nearer_than` and less than `until` pixels wide.
        """
        entry: dict[str, Any] = {"kind": kind, "tensor": tensor, "group": group, "box": box.rounded()}
        more = {"matrix": number or None, "rows": rows, "columns": columns}
        entry |= {name: value for name, value in more.items() if value is not None}
        shape, width = self.kinds[kind]["shape"], self._widths[group]
        self.matrices.append(entry | list_scales(shape, cell_of(entry, shape), nearer_than / width, until / width))

    def link(self, kind: str, *points: tuple[float, float]) -> None:
        """A line of the flow: "residual", "adds" or "reads"."""
        self.links.append({"kind": kind, "points": [[round(x, 3), round(y, 3)] for x, y in points]})

    def as_json(self) -> dict[str, Any]:
        """The three lists."""
        return {"groups": self.groups, "matrices": self.matrices, "links": self.links}


def spans_of(matrix: Mapping[str, Any], shape: Sequence[int]) -> tuple[Sequence[int], Sequence[int]]:
    """The drawn rows and columns, each its first and its end."""
    return matrix.get("rows", (0, shape[0])), matrix.get("columns", (0, shape[1]))


def cell_of(matrix: Mapping[str, Any], shape: Sequence[int]) -> tuple[float, float]:
    """The width and the height of a cell, in world units."""
    rows, columns = spans_of(matrix, shape)
    return matrix["box"][2] / (columns[1] - columns[0]), matrix["box"][3] / (rows[1] - rows[0])


def describe_kind(facts: TensorFacts, title: str, meaning: str, tokens: Sequence[str | None]) -> dict[str, Any]:
    """What all matrices of a kind have in common. `tokens` say whose tokens the rows and the columns are.

    `halvings`: how often the rows and the columns are halved up to the last level.
    """
    rows, columns = facts.matrix
    axes: tuple[str | None, ...] = (None, None, *facts.axes)[-2:]
    return {
        "title": title,
        "symbol": facts.symbol,
        "meaning": meaning,
        "shape": [rows, columns],
        "halvings": [count_halvings(cells, level_count((rows, columns))) for cells in (rows, columns)],
        "axes": list(facts.axes),
        "row_axis": axes[0],
        "column_axis": axes[1],
        "row_tokens": tokens[0],
        "column_tokens": tokens[1],
        "scale": "sequential" if facts.is_share else "diverging",
        "weight": facts.is_weight,
    }
