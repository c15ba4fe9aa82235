"""`python -m tests.benchmarks [NAME ...]`: run the benchmarks, print one table of ratios, exit 1 if one is over budget.

Times depend on the machine and on what else it does: the ratios are what counts.
"""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path

from tests.benchmarks.row import Row, Unmeasured, table

NOT_BENCHMARKS = {"__init__", "__main__", "crowd", "processor", "row"}
ONLY_BY_NAME = {"endure"}  # half an hour


def names() -> list[str]:
    return sorted(path.stem for path in Path(__file__).parent.glob("*.py") if path.stem not in NOT_BENCHMARKS)


def main(chosen: list[str]) -> int:
    unknown = set(chosen) - set(names())
    if unknown:
        print(f"No benchmark called {', '.join(sorted(unknown))}. There are: {', '.join(names())}.", file=sys.stderr)
        return 2
    rows: list[Row | Unmeasured] = []
    for name in chosen or sorted(set(names()) - ONLY_BY_NAME):
        print(f"{name} ...", file=sys.stderr, flush=True)
        rows += import_module(f"tests.benchmarks.{name}").main()
    print(table(rows))
    return 0 if all(row.within for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
