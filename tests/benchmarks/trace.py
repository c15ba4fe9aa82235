"""`trace` keeping everything, against `transformers` eager with attentions and hidden states, on the same weights.

Both spend most of their time in products of matrices: ours in oneDNN, theirs in MKL. Where oneDNN uses wider vectors
than MKL, as on AMD's newer processors, they are compared a second time with vectors of the same width.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import asdict
from typing import Any

import torch

from model import Model, load
from tests.benchmarks import processor
from tests.benchmarks.row import Row, table
from tests.model.zoo import reference

LENGTHS = (16, 32, 64, 128, 256)
LIMIT = 0.95
SECONDS = 8.0  # for one length, within REPEATS
REPEATS = range(3, 15)


def main() -> list[Row]:
    found = processor.kernels()
    print(processor.describe(found), file=sys.stderr)
    rows, narrowed = measure(), processor.same_width(found)
    if narrowed is not None:
        print(processor.describe(processor.kernels(narrowed)), file=sys.stderr)
        command = [sys.executable, "-m", "tests.benchmarks.trace", "measure"]
        environment = {**os.environ, **narrowed}
        said = subprocess.run(command, env=environment, check=True, stdout=subprocess.PIPE, text=True).stdout
        rows += [Row(**{**each, "what": f"{each['what']}, same width"}) for each in json.loads(said)]
    return rows


def measure() -> list[Row]:
    rows = []
    for name, make in (("smollm2-135m", reference.smollm2), ("minilm-l6", reference.minilm)):
        model = load(name)
        theirs = make(model.card)
        rows += [row(model, theirs, length) for length in LENGTHS]
    return rows


def row(model: Model, theirs: Any, length: int) -> Row:
    ids = torch.randint(1000, 20_000, (length,), generator=torch.Generator().manual_seed(length))
    tokens = model.tokenizer.tokens(ids.tolist())
    ours, against = interleaved(lambda: model.trace_tokens(tokens), lambda: reference.outputs(theirs, ids))
    what = f"trace, {model.card.name}, {length} tokens"
    return Row(what, ours * 1000, against * 1000, "transformers eager", "ms", LIMIT)


def interleaved(ours: Callable[[], object], theirs: Callable[[], object]) -> tuple[float, float]:
    """Median seconds of the two, run in turn so that what else the machine does falls on both."""
    ours(), theirs()
    taken: tuple[list[float], list[float]] = ([], [])
    began = time.perf_counter()
    for repeat in range(REPEATS.stop):
        if repeat >= REPEATS.start and time.perf_counter() - began > SECONDS:
            break
        for run, seconds in zip((ours, theirs), taken, strict=True):
            start = time.perf_counter()
            run()
            seconds.append(time.perf_counter() - start)
    return statistics.median(taken[0]), statistics.median(taken[1])


if __name__ == "__main__":
    if sys.argv[1:] == ["measure"]:
        print(json.dumps([asdict(each) for each in measure()]))
    else:
        print(table(rows := main()))
        sys.exit(not all(row.within for row in rows))
