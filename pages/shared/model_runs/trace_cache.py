"""The traces that all sessions share, bounded by bytes. They know no model, so that the cache keeps none alive."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import streamlit as st

from model.shared_cache import SharedCache
from model.work_bound import working_seconds
from pages.shared.model_runs import model_turns, not_finite, recorded_run
from pages.shared.model_runs.recorded_run import LookAtRun
from pages.shared.server import metrics
from views.run_spec import RunSpec

if TYPE_CHECKING:
    from model import Model, Trace

MAX_TRACE_BYTES = 200_000_000
ON_DEMAND = "on demand"  # in the key of a trace that has every tensor


def find(model: Model, spec: RunSpec, keep: str | Iterable[str], look: LookAtRun | None = None) -> Trace:
    """The trace of a run of `model`: the cached one, else it is made.

    One trace on demand serves whatever is kept of the run. `look` sees the tensors of a trace on demand while it is
    made; it sees none where the cache has it.
    """
    patterns, traces = (keep,) if isinstance(keep, str) else tuple(keep), _traces()
    on_demand = spec, ON_DEMAND
    if on_demand in traces or recorded_run.is_large(model, spec, patterns):
        run = partial(recorded_run.make_on_demand, model, spec, model_turns.take_turn_for_layer, look)
        return traces.get(on_demand, partial(_make, run)).computed_by(model.network).keeping(patterns)
    return traces.get((spec, patterns), partial(_make, partial(recorded_run.record, model, spec, patterns)))


def _make(run: Callable[[], Trace]) -> Trace:
    """A run that waits for its turn, with its time, which stays with it in the cache.

    Each reader sees the time of the run that was made, whoever asked for it first. Where it was shown to that reader
    alone, its absence told everybody else that somebody had read this sentence.
    """
    with model_turns.forward_pass():
        began = working_seconds()
        made = run()
        timed = replace(made, milliseconds=(working_seconds() - began) * 1000, origin=None)
        return not_finite.look_at(timed).computed_by(None)


@st.cache_resource(show_spinner=False, max_entries=1)
def _traces() -> SharedCache[Trace]:
    return metrics.watch_cache("traces", SharedCache(MAX_TRACE_BYTES, lambda trace: trace.most_bytes, keeps_last=True))
