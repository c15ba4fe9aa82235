"""One line of the benchmarks' table. Every benchmark module has `main()`, which gives its rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Row:
    """A measured quantity, of which less is better, beside what it is compared with.

    `against` is a reference measured in the same run, or a budget; `limit` is the largest ratio ours / against that
    is within the budget (1 for a budget itself).
    """

    what: str
    ours: float
    against: float
    against_what: str
    unit: str
    limit: float = 1.0

    @property
    def ratio(self) -> float:
        return self.ours / self.against

    @property
    def within(self) -> bool:
        return self.ratio <= self.limit

    @property
    def cells(self) -> tuple[str, ...]:
        return (
            self.what,
            f"{self.ours:,.4g} {self.unit}",
            f"{self.against:,.4g} {self.unit}",
            self.against_what,
            f"{self.ratio:.3g}",
            f"{self.limit:.3g}",
            "within" if self.within else "OVER",
        )


@dataclass(frozen=True)
class Unmeasured:
    """What cannot be measured on this machine, and why. It is over no budget."""

    what: str
    why: str
    within: bool = True

    @property
    def cells(self) -> tuple[str, ...]:
        return (self.what, "", "", self.why, "", "", "")


def table(rows: Sequence[Row | Unmeasured]) -> str:
    """The rows as text, columns aligned."""
    lines = [("what", "ours", "against", "", "ratio", "limit", ""), *(row.cells for row in rows)]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return "\n".join("  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)) for line in lines)
