"""One line of the benchmarks' table. Every benchmark module has `main()`, which gives its rows."""

from __future__ import annotations

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


def table(rows: list[Row]) -> str:
    """The rows as text, columns aligned."""
    head = ("what", "ours", "against", "", "ratio", "limit", "")
    lines = [head] + [
        (
            row.what,
            f"{row.ours:,.4g} {row.unit}",
            f"{row.against:,.4g} {row.unit}",
            row.against_what,
            f"{row.ratio:.3g}",
            f"{row.limit:.3g}",
            "within" if row.within else "OVER",
        )
        for row in rows
    ]
    widths = [max(len(line[i]) for line in lines) for i in range(len(head))]
    return "\n".join("  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)) for line in lines)
