"""A GPU beside the CPU, in one run: a trace that keeps everything, a generated token, a step of training.

A written token is also measured beside `transformers` on the same GPU, with equal random weights (`families`). Where
there is no GPU, the table says that it is unmeasured.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import torch

from model import Model, load
from model.device import choose, copy_to, finish, present_kinds
from model.loading import read_checkpoint
from model.seeding import seeded
from model.train.loop import descend, make_optimizer
from model.train.registry import make_task
from tests.benchmarks import families
from tests.benchmarks.row import Row, Unmeasured, table
from tests.model.zoo import tiny_families

TRACED, WRITTEN, TRAINED = ("smollm2-135m", "tiny-lm"), ("smollm2-135m", "en-ur"), ("tiny-lm", "en-ur")
SHAPES = ("GPT-2", "SmolLM2", "Mistral")  # of `families`, beside transformers
LENGTHS = (16, 64, 256)  # tokens, of those that the model takes
TOKENS = 32  # written
WARM_UP, REPEATS = 2, 7
Seconds = Callable[[], float]


def main() -> list[Row | Unmeasured]:
    gpus = [kind for kind in present_kinds() if kind != "cpu"]
    if not gpus:
        return [Unmeasured("trace, generation and training on a GPU", "no GPU on this machine: unmeasured")]
    rows: list[Row | Unmeasured] = []
    for gpu in gpus:
        title = choose(gpu).title
        for name in TRACED:
            models = [load(name, device=device, dtype="float32") for device in (gpu, "cpu")]
            for length in (each for each in LENGTHS if each <= models[0].config.max_length):
                both = (traced(model, length) for model in models)
                rows.append(row(f"trace, {name}, {length} tokens, {title}", *both))
        for name in WRITTEN:
            models = [load(name, device=device, dtype="float32") for device in (gpu, "cpu")]
            rows.append(row(f"a generated token, {name}, {title}", *map(written, models)))
        rows += [beside_transformers(title, gpu) for title in SHAPES]
        rows += [
            row(f"a step of training, {name}, {title}", trained(name, gpu), trained(name, "cpu")) for name in TRAINED
        ]
    return rows


def beside_transformers(title: str, gpu: str) -> Row:
    """A written token of a network with this published shape."""
    family, values = families.WRITERS[title]
    with tempfile.TemporaryDirectory() as made:
        theirs = tiny_families.make(family, Path(made), **values).to(gpu)
        model = read_checkpoint(Path(made), device=gpu, dtype="float32")
    return families.writing(f"{title}, {model.place.title}", model, theirs)


def row(what: str, on_gpu: Seconds, on_cpu: Seconds) -> Row:
    """Median milliseconds of the two, run in turn. No budget: which one is faster is a matter of the size."""
    taken = [(on_gpu(), on_cpu()) for _ in range(WARM_UP + REPEATS)][WARM_UP:]
    ours, theirs = (statistics.median(times) * 1000 for times in zip(*taken, strict=True))
    return Row(what, ours, theirs, "the CPU of this machine", "ms", float("inf"))


def traced(model: Model, tokens: int) -> Seconds:
    """Seconds of a run that keeps everything, until it is on the CPU."""
    ids = torch.randint(100, 500, (tokens,), generator=torch.Generator().manual_seed(tokens)).tolist()
    read = model.tokenizer.tokens(ids)
    return timed(lambda: model.trace_tokens(read))


def written(model: Model) -> Seconds:
    """Seconds of a written token, the prompt's share included."""

    def one() -> float:
        began = time.perf_counter()
        steps = sum(1 for _ in model.generate("I am a robot", max_new_tokens=TOKENS))
        return (time.perf_counter() - began) / steps

    return one


def trained(name: str, device: str) -> Seconds:
    """Seconds of one step of the optimiser, in float32."""
    task, place = make_task(name), choose(device, "float32")
    with seeded(0):
        network = copy_to(task.make(task.config), place)
    optimizer, batch = make_optimizer(network, task.recipe), task.batch(0, 0).to(place.device)

    def step() -> None:
        total, count = task.loss(network, batch)
        descend(total / count, network, optimizer, task.recipe, 0)
        finish(place.device)

    return timed(step)


def timed(run: Callable[[], object]) -> Seconds:
    """A function that runs it and gives its seconds."""

    def seconds() -> float:
        began = time.perf_counter()
        run()
        return time.perf_counter() - began

    return seconds


if __name__ == "__main__":
    print(table(rows := main()))
    sys.exit(not all(row.within for row in rows))
