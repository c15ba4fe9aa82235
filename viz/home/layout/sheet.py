"""The lists of a layout as they are collected: groups, matrices and links, as JSON has them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from viz.home.layout.boxes import Box
from viz.home.layout.facts import TensorFacts

Span = tuple[int, int]  # first and end


@dataclass
class Sheet:
    """Groups, matrices and links of the whole model, or of a template."""

    groups: list[dict[str, Any]] = field(default_factory=list)
    matrices: list[dict[str, Any]] = field(default_factory=list)
    links: list[dict[str, Any]] = field(default_factory=list)

    def group(
        self, id: str, title: str, kind: str, parent: str | None, box: Box, go: dict[str, Any] | None = None
    ) -> str:
        """A part of the model that can be entered. `go` names the page that explains it. Returns the id."""
        entry = {"id": id, "title": title, "kind": kind, "parent": parent, "box": box.rounded()}
        self.groups.append(entry | ({"go": go} if go else {}))
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
        nearer_than: float | None = None,
        until: float | None = None,
    ) -> None:
        """A matrix of a tensor, or the part of it with these rows and columns.

        It is drawn while its group is at least `nearer_than` and less than `until` pixels wide.
        """
        entry: dict[str, Any] = {"kind": kind, "tensor": tensor, "group": group, "box": box.rounded()}
        more = {"matrix": number or None, "rows": rows, "columns": columns, "from": nearer_than, "until": until}
        self.matrices.append(entry | {name: value for name, value in more.items() if value is not None})

    def link(self, kind: str, *points: tuple[float, float]) -> None:
        """A line of the flow: "residual", "adds" or "reads"."""
        self.links.append({"kind": kind, "points": [[round(x, 3), round(y, 3)] for x, y in points]})

    def as_json(self) -> dict[str, Any]:
        """The three lists."""
        return {"groups": self.groups, "matrices": self.matrices, "links": self.links}


def describe_kind(facts: TensorFacts, title: str, meaning: str, tokens: Sequence[str | None]) -> dict[str, Any]:
    """What all matrices of a kind have in common. `tokens` say whose tokens the rows and the columns are."""
    rows, columns = facts.matrix
    axes: tuple[str | None, ...] = (None, None, *facts.axes)[-2:]
    return {
        "title": title,
        "symbol": facts.symbol,
        "meaning": meaning,
        "shape": [rows, columns],
        "axes": list(facts.axes),
        "row_axis": axes[0],
        "column_axis": axes[1],
        "row_tokens": tokens[0],
        "column_tokens": tokens[1],
        "scale": "sequential" if facts.is_share else "diverging",
        "weight": facts.is_weight,
    }
