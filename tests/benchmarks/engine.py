"""Runs on Ray against runs in this process: the time that one takes more, and how many come back a second."""

from __future__ import annotations

import os
import statistics
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import torch

from model import Model
from model import load as load_here
from model.engine import choice
from tests.benchmarks.row import Row, table

NAME, TOKENS = "minilm-l6", 16
MORE_MILLISECONDS = 10.0
LEAST_GAIN = 1.3
READERS = 16
ALONE, TOGETHER, WARMING = 100, 640, 320  # runs; a second replica starts while it is warming
ROUNDS = 3


def main() -> list[Row]:
    os.environ.setdefault(choice.SETTING, choice.RAY)
    here, remote = load_here(NAME), choice.load(NAME)
    ids = torch.randint(1000, 20_000, (TOKENS,), generator=torch.Generator().manual_seed(TOKENS))
    tokens = here.tokenizer.tokens(ids.tolist())

    def runs(model: Model) -> Callable[[], object]:
        return lambda: model.trace_tokens(tokens, keep="*.weights")

    ours, theirs = runs(remote), runs(here)
    more = (median_seconds(ours) - median_seconds(theirs)) * 1000
    together(ours, WARMING)
    rates: tuple[list[float], list[float]] = ([], [])
    for _ in range(ROUNDS):
        for run, found in zip((ours, theirs), rates, strict=True):
            found.append(together(run, TOGETHER))
    ray_rate, local_rate = map(statistics.median, rates)
    what = f"trace of {NAME} on Ray, {TOKENS} tokens"
    return [
        Row(f"{what}, beyond one here", more, MORE_MILLISECONDS, "budget", "ms"),
        Row(f"{what}, {READERS} readers", 1000 / ray_rate, 1000 / local_rate, "here", "ms a run", 1 / LEAST_GAIN),
    ]


def median_seconds(run: Callable[[], object]) -> float:
    taken = []
    for _ in range(ALONE):
        began = time.perf_counter()
        run()
        taken.append(time.perf_counter() - began)
    return statistics.median(taken)


def together(run: Callable[[], object], count: int) -> float:
    """Runs a second that so many readers get who each ask again at once."""
    began = time.perf_counter()
    with ThreadPoolExecutor(READERS) as readers:
        for _ in readers.map(lambda _: run(), range(count)):
            pass
    return count / (time.perf_counter() - began)


if __name__ == "__main__":
    print(table(rows := main()))
    sys.exit(not all(row.within for row in rows))
