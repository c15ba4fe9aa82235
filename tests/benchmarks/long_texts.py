"""A page at 1,024 tokens of SmolLM2: what it takes beyond its run, and again, what it sends, and the memory.

Each view opens with a text of its own, so that nothing of it is cached. All views open in one process without a
browser (AppTest), one after another. Times are seconds of the processor, which other work on the machine leaves alone.
The run is that of the pages: the median of those of all views, since some views measure heads while theirs is made. The
memory is the most that a process has taken which opened one view alone, and what the process of all views has.
"""

from __future__ import annotations

import json
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from typing import Any
from unittest.mock import patch

import psutil

from tests.benchmarks.row import Row, table

TOKENS = 1024
MODEL = "smollm2-135m"
SENTENCE = "{}: the quick brown fox jumps over the lazy dog because it is hungry and the rain fell on the old bridge. "
VIEWS: dict[str, tuple[str, dict[str, Any]]] = {
    "Heads, lines": ("attention/heads.py", {"heads_view": "Lines"}),
    "Heads, matrix": ("attention/heads.py", {"heads_view": "Matrix"}),
    "Heads, compare": ("attention/heads.py", {"heads_view": "Compare"}),
    "Heads, all heads": ("attention/heads.py", {"heads_view": "All heads"}),
    "Scores, softmax": ("attention/scores.py", {"scores_step": "softmax"}),
    "Masks, three ways": ("attention/masks.py", {"masks_part": "ways"}),
    "Concat and W_O": ("attention/combine.py", {}),
    "Block, stream": ("block/block.py", {"block_part": "stream"}),
    "Predict": ("models/predict.py", {}),
    "Why": ("models/why.py", {}),
    "Home": ("home/home.py", {}),
}
SECONDS, BYTES, GIGABYTES = 1.0, 700_000, 1.5  # budgets


@dataclass(frozen=True)
class Opened:
    """What a view took: seconds beyond the run, seconds when it is drawn again, bytes for the browser's components."""

    name: str
    beyond: float
    again: float
    sent: int


def main() -> list[Row]:
    views, together = in_process("measure")
    rows = [row for each in views for row in rows_of(Opened(**each))]
    alone = {name: in_process("alone", name) for name in VIEWS}
    largest = max(alone, key=alone.__getitem__)
    return [
        *rows,
        Row(f"most memory of a page alone: {largest}", alone[largest], GIGABYTES, "budget", "GB"),
        Row(f"memory after {len(VIEWS)} pages in one process", together, GIGABYTES, "budget", "GB"),
    ]


def in_process(*command: str) -> Any:
    """What a fresh process prints as its last line."""
    process = [sys.executable, "-m", "tests.benchmarks.long_texts", *command]
    return json.loads(subprocess.check_output(process, text=True).splitlines()[-1])


def rows_of(view: Opened) -> list[Row]:
    title = f"{view.name}, {TOKENS:,} tokens"
    return [
        Row(f"{title}: beyond the run", view.beyond, SECONDS, "budget", "s"),
        Row(f"{title}: again", view.again, SECONDS, "budget", "s"),
        Row(f"{title}: sent", view.sent / 1000, BYTES / 1000, "budget", "kB"),
    ]


def measure() -> tuple[list[dict[str, Any]], float]:
    """What each view took, as `Opened` has it; and the most memory after any of them, in GB."""
    import torch

    from tests.pages.conftest import run_page

    torch.set_num_threads(1)  # Two threads count twice, and wait for one another at work that takes a millisecond.
    run_page("attention/heads.py", model=MODEL, text="The model is loaded", heads_view="Lines")
    opened, most = [], 0.0
    texts = [text(number) for number in range(len(VIEWS))]  # here, since each loads the tokenizer of its own
    with timed_runs() as runs:
        for sentences, (name, (page, state)) in zip(texts, VIEWS.items(), strict=True):
            begun = time.process_time()
            app = run_page(page, model=MODEL, text=sentences, layer=9, head=2, **state)
            drawn = time.process_time()
            app.run()
            again = time.process_time() - drawn
            sent = sum(len(element.proto.bytes) for element in app.get("bidi_component"))
            opened.append(Opened(name, drawn - begun, again, sent))
            most = max(most, psutil.Process().memory_info().rss / 1e9)
    run = statistics.median(runs)
    return [asdict(replace(each, beyond=each.beyond - run)) for each in opened], most


@contextmanager
def timed_runs() -> Iterator[list[float]]:
    """The seconds of each run of a long text that is made in here."""
    from model import Model

    seconds: list[float] = []
    plain = Model.trace_tokens_on_demand

    def timed(*given: Any, **how: Any) -> Any:
        begun = time.process_time()
        made = plain(*given, **how)
        seconds.append(time.process_time() - begun)
        return made

    with patch.object(Model, "trace_tokens_on_demand", timed):
        yield seconds


def measure_alone(name: str) -> float:
    """The most memory of this process, in GB, which opens one view and draws it again."""
    from tests.pages.conftest import run_page

    page, state = VIEWS[name]
    run_page(page, model=MODEL, text=text(0), layer=9, head=2, **state).run()
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / 1e9  # Linux counts kibibytes


def text(number: int) -> str:
    """A text of exactly `TOKENS` tokens. Its first word tells it from others."""
    from model import load_tokenizer

    tokenizer = load_tokenizer(MODEL)
    tokens = tokenizer.encode("".join(SENTENCE.format(number * 100 + i) for i in range(100)))[:TOKENS]
    found = tokenizer.decode([token.id for token in tokens])
    assert len(tokenizer.encode(found)) == TOKENS
    return found


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["measure"]:
            print(json.dumps(measure()))
        case ["alone", name]:
            print(json.dumps(measure_alone(name)))
        case _:
            print(table(main()))
