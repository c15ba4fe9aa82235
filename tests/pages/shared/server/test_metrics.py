"""What the monitor is told."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from model.shared_cache import SharedCache
from pages.shared.model_runs import model_turns
from pages.shared.server import limits, metrics
from pages.shared.server.metrics import Refusal, Stage
from pages.shared.server.rate_limits import Counts, LimitReached


def sample(name: str, **labels: str) -> float:
    """A number as a scrape has it now; 0 where there is none yet."""
    return metrics.REGISTRY.get_sample_value(name, labels) or 0.0


def test_a_run_is_counted_and_its_stages_are_timed() -> None:
    runs = sample("glassformer_runs_total")
    stages = {stage: sample("glassformer_stage_seconds_count", stage=stage) for stage in (Stage.TURN, Stage.RUN)}
    with model_turns.forward_pass(runs=3):
        pass
    assert sample("glassformer_runs_total") == runs + 3
    for stage, before in stages.items():
        assert sample("glassformer_stage_seconds_count", stage=stage) == before + 1


def test_the_time_of_an_entry_is_without_what_is_inside(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]
    monkeypatch.setattr(metrics.time, "perf_counter", lambda: now[0])

    @contextmanager
    def wait() -> Iterator[None]:
        now[0] += 2
        yield
        now[0] += 100

    before = sample("glassformer_stage_seconds_sum", stage=Stage.TURN)
    with metrics.timed_entry(Stage.TURN, wait()):
        now[0] += 1000
    assert sample("glassformer_stage_seconds_sum", stage=Stage.TURN) == before + 2


def test_a_stage_that_is_cut_short_is_timed_too() -> None:
    before = sample("glassformer_stage_seconds_count", stage=Stage.LOAD)
    with pytest.raises(KeyError), metrics.timed(Stage.LOAD):
        raise KeyError
    assert sample("glassformer_stage_seconds_count", stage=Stage.LOAD) == before + 1


def test_what_a_limit_refuses_is_counted_under_its_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(limits.UPLOADS.of_session.variable, "1")
    before, counts = sample("glassformer_refusals_total", limit="uploads"), Counts()
    counts.spend(limits.UPLOADS, 1, "a", "1.2.3.4")
    with pytest.raises(LimitReached):
        counts.spend(limits.UPLOADS, 1, "a", "1.2.3.4")
    assert sample("glassformer_refusals_total", limit="uploads") == before + 1


def test_the_names_of_limits_may_stand_in_the_log() -> None:
    names = [*Refusal, *(rate.name for rate in limits.RATES)]
    assert len(set(names)) == len(names)
    assert all(metrics.event_log.NAME.fullmatch(name) for name in names)


def test_a_cache_is_measured_when_it_is_asked_for() -> None:
    cache = metrics.watch_cache("test", SharedCache(100, len))
    assert sample("glassformer_cache_bytes", cache="test") == 0
    cache.get("a", lambda: b"12345")
    assert sample("glassformer_cache_bytes", cache="test") == 5
    metrics.CACHE_BYTES.remove("test")
