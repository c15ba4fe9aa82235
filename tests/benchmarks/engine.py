"""Runs on Ray against runs in this process: the time that one takes more, and how many come back a second.

On two cores, what other programs do changes both. The processor time of a run depends less on it.
"""

from __future__ import annotations

import os
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import astuple, dataclass
from functools import partial

import psutil
import torch

from model import Model
from model import load as load_here
from model.engine import choice
from tests.benchmarks.row import Row, table

NAME, TOKENS = "minilm-l6", 16
WRITER, WRITTEN, TEXT = "smollm2-135m", 12, "Once upon a time there was a"
MORE_MILLISECONDS = 10.0
LEAST_GAIN = 1.3
READERS, WRITERS = 16, 8
ALONE, TOGETHER = 30, 240  # runs
ROUNDS = 5


@dataclass(frozen=True)
class Cost:
    """Milliseconds: of a run alone; from one run to the next, with many readers; and of processor for each of those."""

    alone: float
    together: float
    processor: float


def main() -> list[Row]:
    os.environ.setdefault(choice.SETTING, choice.RAY)
    here, remote = load_here(NAME), choice.load(NAME)
    ids = torch.randint(1000, 20_000, (TOKENS,), generator=torch.Generator().manual_seed(TOKENS))
    tokens = here.tokenizer.tokens(ids.tolist())

    def runs(model: Model) -> Callable[[], object]:
        return lambda: model.trace_tokens(tokens, keep="*.weights")

    measure(runs(remote))  # the replica loads the model
    rounds = [(measure(runs(remote)), measure_here(runs(here))) for _ in range(ROUNDS)]
    ours, theirs = (median([costs[place] for costs in rounds]) for place in (0, 1))
    what, gain = f"trace of {NAME} on Ray, {TOKENS} tokens", 1 / LEAST_GAIN
    return [
        Row(f"{what}, beyond one here", ours.alone - theirs.alone, MORE_MILLISECONDS, "budget", "ms"),
        Row(f"{what}, {READERS} readers", ours.together, theirs.together, "here", "ms a run", gain),
        Row(f"{what}, {READERS} readers, processor", ours.processor, theirs.processor, "here", "ms a run", gain),
        *writing(gain),
    ]


def writing(gain: float) -> list[Row]:
    """Readers who each let the model write at the same time."""
    seconds: dict[str, list[tuple[float, float]]] = {"ray": [], "here": []}
    models = {"ray": choice.load(WRITER), "here": load_here(WRITER)}
    for model in models.values():
        write_out(model)  # it is loaded, and its half-width weights are made
    for _ in range(ROUNDS):
        for where, model in models.items():
            write = partial(write_out, model)
            seconds[where].append(crowd(write, WRITERS, WRITERS))
    (wall, here), (processor, processor_here) = (
        [1000 / WRITTEN * statistics.median(each[place] for each in seconds[where]) for where in ("ray", "here")]
        for place in (0, 1)
    )
    what = f"token written by {WRITER} on Ray, {WRITERS} readers"
    return [
        Row(what, wall, here, "here", "ms a token", gain),
        Row(f"{what}, processor", processor, processor_here, "here", "ms a token", gain),
    ]


def write_out(model: Model) -> None:
    """All tokens, one after another."""
    for _ in model.generate(TEXT, max_new_tokens=WRITTEN):
        pass


def measure(run: Callable[[], object]) -> Cost:
    alone = []
    for _ in range(ALONE):
        began = time.perf_counter()
        run()
        alone.append(time.perf_counter() - began)
    together, processor = crowd(run, READERS, TOGETHER)
    return Cost(1000 * statistics.median(alone), 1000 * together, 1000 * processor)


def crowd(run: Callable[[], object], readers: int, count: int) -> tuple[float, float]:
    """Seconds from one run to the next, and of processor for each, with readers who each ask again at once."""
    began, used = time.perf_counter(), processor_seconds()
    with ThreadPoolExecutor(readers) as threads:
        for _ in threads.map(lambda _: run(), range(count)):
            pass
    return (time.perf_counter() - began) / count, (processor_seconds() - used) / count


def measure_here(run: Callable[[], object]) -> Cost:
    """The best of one thread of torch and of as many as usual: which is better depends on other work."""
    found = [astuple(measure(run)) for _ in each_number_of_threads()]
    return Cost(*map(min, zip(*found, strict=True)))


def each_number_of_threads() -> Iterator[int]:
    usual = torch.get_num_threads()
    for threads in sorted({1, usual}):
        torch.set_num_threads(threads)
        yield threads
    torch.set_num_threads(usual)


def median(costs: list[Cost]) -> Cost:
    return Cost(*map(statistics.median, zip(*map(astuple, costs), strict=True)))


def processor_seconds() -> float:
    """What this process and Ray's, its children, have used."""
    this = psutil.Process()
    times = [process.cpu_times() for process in (this, *this.children(recursive=True)) if process.is_running()]
    return sum(each.user + each.system for each in times)


if __name__ == "__main__":
    print(table(rows := main()))
    sys.exit(not all(row.within for row in rows))
