"""Turns at running a model, and where models are.

A run of a model stands inside `forward_pass`: it counts the run, waits for a turn, and keeps to the limits of a run.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import streamlit as st

from model import work_bound
from model.errors import DeviceFull
from pages.shared.model_runs import page_turns, turn_owner
from pages.shared.model_runs.processor_turns import ProcessorTurns
from pages.shared.server import limits, metrics, rate_limits, sessions
from pages.shared.server.metrics import Stage
from pages.shared.server.session_values import of_session
from pages.shared.session import state

ANY_DEVICE = "auto"  # `model.load` chooses: by the environment, else a GPU if there is one


@dataclass
class FullGpu:
    """The model and the sentence for which a GPU had too little memory: this session computes them on the CPU."""

    asked: tuple[Any, ...] | None = None


@contextmanager
def forward_pass(*, runs: int = 1, tokens: int = 0, measured: bool = False) -> Iterator[None]:
    """Wait for a turn to run a model. More runs at once than cores would slow all of them down. A long run hands its
    turn on between two layers, and while an engine makes a run elsewhere, another reader has it (`processor_turns`).

    `runs` and `tokens` are what the work counts as, before it begins: runs of a model, and at most so many generated
    tokens. Raises `LimitReached` if they are too many for this minute, and `TooMuchWork` inside if the work takes more
    time or memory than a run may. The work ends where the browser is gone. `measured`: no page needs it now, as inside
    a measurement (`rate_limits.sweep`).

    If a GPU's memory is full, the page begins again on the CPU (`else_on_cpu`).
    """
    rate_limits.spend(limits.RUNS, runs)
    rate_limits.spend(limits.TOKENS, tokens)
    metrics.RUNS.inc(runs)
    turn = metrics.timed_entry(Stage.TURN, take_turn(measured=measured))
    with turn, else_on_cpu(), metrics.timed(Stage.RUN):
        yield


@contextmanager
def take_turn(at: ProcessorTurns | None = None, *, measured: bool = False) -> Iterator[None]:
    """Wait for a turn, and work within the limits of a run. It counts as no run.

    A thread without a session says at which turns: those that its session has asked `turns` for.
    """
    at = at or turns()
    measured = measured or rate_limits.in_sweep()
    turn = at.take(turn_owner.current(), measured=measured, still_wanted=sessions.end_if_left)
    most = limits.RUN_SECONDS.value, limits.RUN_BYTES.value
    bound = work_bound.WorkBound(*most, sessions.end_if_left, elsewhere=at.lend, hand_on=at.hand_on)
    with page_turns.TURNS.lend(), turn, work_bound.within(bound):
        yield


@contextmanager
def take_turn_for_layer() -> Iterator[None]:
    """Wait for a turn to make a layer of a run again. It counts as no run."""
    with take_turn(), else_on_cpu():
        yield


def device() -> str:
    """Where this session's models are, as `model.load` takes it: "auto", or "cpu" after a GPU's memory was full."""
    return "cpu" if of_session(FullGpu).asked == _asked() else ANY_DEVICE


def _asked() -> tuple[Any, ...]:
    """What is asked for in the run bar and on See: another choice is tried on the GPU again."""
    return tuple(state.get(name) for name in ("model", "text", "target", "see_model"))


@contextmanager
def else_on_cpu() -> Iterator[None]:
    """Where a GPU has too little memory for what runs inside, the page is drawn again with its models on the CPU."""
    from model.device import within_memory

    try:
        with within_memory():
            yield
    except DeviceFull:
        if device() != "cpu":
            of_session(FullGpu).asked = _asked()
            st.rerun()
        raise


@st.cache_resource(show_spinner=False, max_entries=1)
def turns() -> ProcessorTurns:
    """The server's turns at running a model. Other long work gives way to them (`ProcessorTurns.give_way`).

    A GPU takes one run after another, each as a whole: two at once would share its time, and need its memory twice.
    """
    from model.device import choose

    if choose().device.type != "cpu":
        return ProcessorTurns(1, slice_seconds=None)
    return ProcessorTurns(max(1, (os.cpu_count() or 2) // 2))
