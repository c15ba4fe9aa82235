"""Resident memory of a process with both real models loaded, and whether it stays flat over many traces."""

from __future__ import annotations

import json
import subprocess
import sys

import psutil

from tests.benchmarks.row import Row, table

BUDGET = 1.7  # GB
TRACES = 40
TEXT = "The dog drove to the bank of the river because it was cool and very efficient. "
LENGTHS = range(1, 11)  # times the text


def main() -> list[Row]:
    """Measured in a fresh process: this one has the references loaded."""
    command = [sys.executable, "-m", "tests.benchmarks.memory", "measure"]
    loaded, traced, end = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    return [
        Row("resident memory, SmolLM2 and MiniLM loaded", loaded, BUDGET, "budget", "GB"),
        Row("... and one trace of each length", traced, BUDGET, "budget", "GB"),
        Row(f"... after {TRACES} more traces of each", end, traced, "before them", "GB", limit=1.05),
    ]


def measure() -> list[float]:
    """GB after loading, after a trace of each length, and after many more. No trace is kept."""
    from model import load

    models = [load("smollm2-135m"), load("minilm-l6")]
    marks = [resident()]
    for traces in (len(LENGTHS), TRACES):
        for number in range(traces):
            for model in models:
                model.trace(TEXT * LENGTHS[number % len(LENGTHS)])
        marks.append(resident())
    return marks


def resident() -> float:
    return psutil.Process().memory_info().rss / 1e9


if __name__ == "__main__":
    if sys.argv[1:] == ["measure"]:
        print(json.dumps(measure()))
    else:
        print(table(main()))
