"""`python -m tests.hostile.fuzz [SECONDS] [NAME ...]`: random hostile input for the readers, the pages and the models.

It takes 300 seconds, or those that are named. Each target has an equal share of the time, in turns with other examples.
After the first failure it prints the smallest input that fails and exits with 1. Each finding becomes a case of
`tests/hostile/`. The tests of the suite are not random; this program is.
"""

from __future__ import annotations

import logging
import sys
import time
import traceback
from collections.abc import Callable
from random import SystemRandom
from typing import Any

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as some

from tests.hostile.fuzz_readers import SLOW, TARGETS

SECONDS = 300.0
EXAMPLES, SLOW_EXAMPLES = 100, 3  # of one target in one turn


def find_failure(target: Callable[[Any], None], examples: int, start: int) -> str:
    """Tries this many inputs of a target. The report of the smallest that fails, or ""."""

    @seed(start)
    @settings(
        max_examples=examples,
        deadline=None,
        database=None,
        derandomize=False,
        print_blob=False,
        phases=(Phase.generate, Phase.shrink),
        suppress_health_check=list(HealthCheck),
    )
    @given(some.data())
    def attempt(data: Any) -> None:
        target(data)

    try:
        attempt()
    except Exception as error:  # a reader may raise anything: that is what is looked for
        return "".join(traceback.format_exception(error))
    return ""


def fuzz(seconds: float, names: list[str]) -> int:
    """The exit code: 0 if nothing failed until the time was over, 1 otherwise."""
    inputs, spent, chance = dict.fromkeys(names, 0), dict.fromkeys(names, 0.0), SystemRandom()
    end = time.monotonic() + seconds
    while (began := time.monotonic()) < end:
        name = min(spent, key=lambda name: spent[name])
        target = TARGETS[name]
        examples = SLOW_EXAMPLES if target in SLOW else EXAMPLES
        report = find_failure(target, examples, chance.getrandbits(32))
        inputs[name] += examples
        spent[name] += time.monotonic() - began
        if report:
            print(f"{name}:\n{report}")
            return 1
    print(", ".join(f"{name}: {inputs[name]:,} inputs" for name in names), "without a failure")
    return 0


def main(arguments: list[str]) -> int:
    first, *rest = arguments or [""]
    is_number = first.replace(".", "", 1).isdigit()
    names = rest if is_number else [each for each in arguments if each]
    unknown = set(names) - set(TARGETS)
    if unknown:
        print(f"No target called {', '.join(sorted(unknown))}. There are: {', '.join(TARGETS)}.", file=sys.stderr)
        return 2
    return fuzz(float(first) if is_number else SECONDS, names or list(TARGETS))


if __name__ == "__main__":
    logging.disable(logging.WARNING)  # Streamlit warns of each page that runs outside its server.
    sys.exit(main(sys.argv[1:]))
