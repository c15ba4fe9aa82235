"""The traces that all sessions share, bounded by bytes. They know no model, so that the cache keeps none alive."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

import streamlit as st

from model.work_bound import working_seconds
from pages.shared.model_runs import not_finite
from pages.shared.model_runs.recorded_run import LookAtRun, RunOfTokens, TakeTurn
from pages.shared.model_runs.shared_cache import SharedCache
from pages.shared.server import metrics

if TYPE_CHECKING:
    from torch import nn

    from model import Trace

Record = Callable[[RunOfTokens], "Trace"]

MAX_TRACE_BYTES = 200_000_000
ON_DEMAND = "on demand"  # in the key of a trace that has every tensor


def find(
    key: Hashable,
    run: RunOfTokens | None,
    keep: str | Iterable[str],
    network: nn.Module,
    make: Callable[[Record], Trace],
    take_turn: TakeTurn,
    look: LookAtRun | None = None,
) -> Trace:
    """The cached trace of a run of `network`. `make` makes it, and is given how to record it.

    One trace on demand serves whatever is kept of its `run`, which is None where
    it is not known before it is made. `take_turn` is that of `RunOfTokens`. `look` sees the tensors of a trace on
    demand while it is made; it sees none where the cache has it.
    """
    patterns = _patterns(keep)

    def record(run: RunOfTokens) -> Trace:
        return not_finite.look_at(_timed(lambda: run.record(patterns, take_turn)))

    def make_on_demand(run: RunOfTokens) -> Trace:
        return not_finite.look_at(_timed(lambda: run.make_on_demand(take_turn, look)))

    if run is not None and (_holds_all(run) or run.is_large(patterns)):
        on_demand = (run.key, ON_DEMAND)
        found = _traces().get(on_demand, lambda: _alone(make(make_on_demand)))
        return replace(found.computed_by(network).keeping(patterns), tokens=run.tokens)
    return _traces().get((key, patterns), lambda: _alone(make(record))).computed_by(network)


def _holds_all(run: RunOfTokens) -> bool:
    return (run.key, ON_DEMAND) in _traces()


def _timed(make: Callable[[], Trace]) -> Trace:
    """A run with its time, which stays with it in the cache.

    Each reader sees the time of the run that was made, whoever asked for it first. Where it was shown to that reader
    alone, its absence told everybody else that somebody had read this sentence.
    """
    began = working_seconds()
    made = make()
    return replace(made, milliseconds=(working_seconds() - began) * 1000)


def _patterns(keep: str | Iterable[str]) -> tuple[str, ...]:
    return (keep,) if isinstance(keep, str) else tuple(keep)


def _alone(trace: Trace) -> Trace:
    return replace(trace, origin=None).computed_by(None)


@st.cache_resource(show_spinner=False, max_entries=1)
def _traces() -> SharedCache[Trace]:
    return metrics.watch_cache("traces", SharedCache(MAX_TRACE_BYTES, lambda trace: trace.most_bytes, keeps_last=True))
