"""A page at 1,024 tokens of SmolLM2: the seconds beyond its run, the bytes for the browser's components, the memory.

Each view opens with a text of its own, so that nothing of it is cached. All views open in one process without a
browser (AppTest), one after another.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from typing import Any

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
}
SECONDS, BYTES, GIGABYTES = 1.0, 700_000, 1.5  # budgets


def main() -> list[Row]:
    process = [sys.executable, "-m", "tests.benchmarks.long_texts", "measure"]
    seconds, nbytes, most = json.loads(subprocess.check_output(process, text=True).splitlines()[-1])
    return [
        *(Row(f"{name}, {TOKENS:,} tokens: beyond the run", each, SECONDS, "budget", "s") for name, each in seconds),
        *(Row(f"{name}, {TOKENS:,} tokens: sent", each / 1000, BYTES / 1000, "budget", "kB") for name, each in nbytes),
        Row("most memory of the process meanwhile", most, GIGABYTES, "budget", "GB"),
    ]


def measure() -> tuple[list[tuple[str, float]], list[tuple[str, int]], float]:
    """Of each view the seconds beyond its run and the bytes; and the most memory after any of them, in GB."""
    from tests.pages.conftest import run_page

    run_page("attention/heads.py", model=MODEL, text="The model is loaded", heads_view="Lines")
    seconds, nbytes, most = [], [], 0.0
    for number, (name, (page, state)) in enumerate(VIEWS.items()):
        begun = time.perf_counter()
        app = run_page(page, model=MODEL, text=text(number), layer=9, head=2, **state)
        taken = time.perf_counter() - begun
        _, milliseconds = app.session_state["_cost"]
        seconds.append((name, taken - milliseconds / 1000))
        nbytes.append((name, sum(len(element.proto.bytes) for element in app.get("bidi_component"))))
        most = max(most, psutil.Process().memory_info().rss / 1e9)
    return seconds, nbytes, most


def text(number: int) -> str:
    """A text of exactly `TOKENS` tokens. Its first word tells it from others."""
    from model import load_tokenizer

    tokenizer = load_tokenizer(MODEL)
    tokens = tokenizer.encode("".join(SENTENCE.format(number * 100 + i) for i in range(100)))[:TOKENS]
    found = tokenizer.decode([token.id for token in tokens])
    assert len(tokenizer.encode(found)) == TOKENS
    return found


if __name__ == "__main__":
    print(json.dumps(measure()) if sys.argv[1:] == ["measure"] else table(main()))
