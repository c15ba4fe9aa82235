"""Freed memory is kept for the next run, and given back when the owner of the process says so."""

from __future__ import annotations

import ctypes
import json
import os
import subprocess
import sys

import pytest

from model.process_memory import give_back_memory, held_bytes

HAS_MALLOPT = sys.platform == "linux" and hasattr(ctypes.CDLL(None), "mallopt")
of_gnu = pytest.mark.skipif(not HAS_MALLOPT, reason="only malloc of the GNU C library can be told what to keep")

# A thread makes and frees blocks as large as the scores of a long text, as a page does.
PROGRAM = """
import json, resource, sys, threading
from model.process_memory import give_back_memory, held_bytes, keep_freed_memory

def pages():
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt

def make_and_free():
    for _ in range(10):
        bytearray(50_000_000)

kept = keep_freed_memory() if "keep" in sys.argv else False
at_first = held_bytes()
make_and_free()
before = pages()
thread = threading.Thread(target=make_and_free)
thread.start()
thread.join()
taken, held = pages() - before, held_bytes() - at_first
give_back_memory()
print(json.dumps([kept, taken, held, held_bytes() - at_first]))
"""


def run(*arguments: str, **environment: str) -> list[float]:
    command = [sys.executable, "-c", PROGRAM, *arguments]
    return json.loads(subprocess.check_output(command, env={**os.environ, **environment}, text=True))


@of_gnu
def test_a_second_run_finds_the_memory_of_the_first_which_is_then_given_back() -> None:
    kept, taken, held, at_last = run("keep")
    assert kept
    assert taken < 2_000, "pages of 4,096 bytes: ten blocks have 122,000"
    assert held > 45_000_000
    assert at_last < 10_000_000


@pytest.mark.slow
@of_gnu
def test_an_operator_who_sets_malloc_has_the_last_word() -> None:
    kept, *_ = run("keep", MALLOC_ARENA_MAX="2")
    assert not kept


@pytest.mark.skipif(held_bytes() == 0, reason="the memory of a process is known on Linux alone")
def test_held_memory_is_counted() -> None:
    give_back_memory()
    before = held_bytes()
    block = bytearray(50_000_000)
    assert held_bytes() > before + 40_000_000
    assert len(block) == 50_000_000


@pytest.mark.slow
@of_gnu
def test_what_is_free_is_given_back_when_the_process_has_grown() -> None:
    program = """
import json
from model.process_memory import FreeMemory, held_bytes, keep_freed_memory

keep_freed_memory()
at_first, free = held_bytes(), FreeMemory(60_000_000)

def held_after(*sizes):
    blocks = [bytearray(size) for size in sizes]
    del blocks
    free.bound()
    return held_bytes() - at_first

print(json.dumps([held_after(50_000_000), held_after(50_000_000, 50_000_000), held_after(50_000_000)]))
"""
    held = json.loads(subprocess.check_output([sys.executable, "-c", program], text=True))
    assert held[0] > 45_000_000, "less than it may grow"
    assert held[1] < 10_000_000
    assert held[2] > 45_000_000
