"""Resident memory of a process with both real models loaded, whether it stays flat over many traces, and one run.

`.venv/bin/python -m tests.benchmarks.memory` alone, or `.venv/bin/python -m tests.benchmarks memory`.
"""

from __future__ import annotations

import json
import subprocess
import sys

import psutil
import torch

from model.process_memory import give_back_memory
from tests.benchmarks.row import Row, table

BUDGET = 1.7  # GB
TRACES = 40
TEXT = "The dog drove to the bank of the river because it was cool and very efficient. "
LENGTHS = range(1, 11)  # times the text
RUN_BUDGET = 150  # MB, of one run of SmolLM2 whose tensors are made on demand
RUN_TOKENS = 256


def main() -> list[Row]:
    """Measured in fresh processes: this one has the references loaded."""
    loaded, traced, end = in_fresh_process("measure")
    kept, _ = in_fresh_process("kept")
    made, made_resident = in_fresh_process("made")
    run = f"one run of SmolLM2, {RUN_TOKENS} tokens, every tensor looked at"
    return [
        Row("resident memory, SmolLM2 and MiniLM loaded", loaded, BUDGET, "budget", "GB"),
        Row("... and one trace of each length", traced, BUDGET, "budget", "GB"),
        Row(f"... after {TRACES} more traces of each", end, traced, "before them", "GB", limit=1.05),
        Row(f"{run}, on demand", made, kept, "all kept", "MB", limit=0.2),
        Row("... resident", made_resident, RUN_BUDGET, "budget", "MB"),
    ]


def in_fresh_process(what: str) -> list[float]:
    command = [sys.executable, "-m", "tests.benchmarks.memory", what]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


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


def one_run(on_demand: bool) -> list[float]:
    """MB of the tensors of one run after each was looked at, and by how much the process grew."""
    from model import load

    model = load("smollm2-135m")
    tokens = model.tokens_of(TEXT * 20)[:RUN_TOKENS]
    model.trace_tokens(tokens[:16])  # what the first run of all needs is not counted
    before = resident()
    trace = model.trace_tokens_on_demand(tokens) if on_demand else model.trace_tokens(tokens)
    assert all(torch.is_tensor(trace[name]) for name in trace.tensors)
    give_back_memory()  # what is free for the next run
    return [trace.nbytes / 1e6, (resident() - before) * 1e3]


def resident() -> float:
    return psutil.Process().memory_info().rss / 1e9


if __name__ == "__main__":
    if sys.argv[1:] == ["measure"]:
        print(json.dumps(measure()))
    elif sys.argv[1:] in (["kept"], ["made"]):
        print(json.dumps(one_run(on_demand=sys.argv[1] == "made")))
    else:
        print(table(main()))
