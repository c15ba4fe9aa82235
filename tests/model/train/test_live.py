"""A live run: it learns, repeats itself, stops, pauses, diverges in the open, and shows the failures it is made for."""

import math
from dataclasses import fields

import pytest

from model.train.live import LiveRun
from model.train.live_tasks import Setup, Switches


def finished(setup: Setup) -> LiveRun:
    run = LiveRun(setup)
    run.work(lambda: True)
    return run


def with_switch(**switches: bool) -> Setup:
    return Setup("reverse", steps=60, switches=Switches(**switches))


@pytest.mark.slow
def test_reversing_is_learnt_to_99_per_cent() -> None:
    """Twice the usual rate, so that half the steps are enough."""
    run = finished(Setup("reverse", learning_rate=6e-3, steps=800))
    assert run.state == "finished"
    assert run.task.evaluate(run.network.eval())["exact"] >= 0.99


@pytest.mark.slow
def test_the_same_setup_gives_the_same_run() -> None:
    setup = Setup("sort", steps=20)
    assert finished(setup).view().history.loss == finished(setup).view().history.loss


@pytest.mark.slow
def test_a_pause_changes_nothing() -> None:
    setup = Setup("reverse", steps=20)
    run = LiveRun(setup)
    turns = iter([True] * 7 + [False])
    run.work(lambda: next(turns))
    assert (run.state, run.view().step) == ("paused", 7)
    run.work(lambda: True)
    assert run.view().history.loss == finished(setup).view().history.loss


def test_stopped_means_no_step_more() -> None:
    run = LiveRun(Setup("reverse", steps=20))
    run.stop()
    run.work(lambda: True)
    assert (run.state, run.view().step) == ("stopped", 0)


def test_a_huge_learning_rate_ends_the_run_and_the_loss_says_why() -> None:
    run = finished(Setup("reverse", steps=500, learning_rate=1e25, warmup=0))
    assert run.state == "diverged"
    assert not math.isfinite(run.view().history.loss[-1])


@pytest.mark.slow
def test_without_the_shift_the_decoder_copies_its_input() -> None:
    shifted, copied = finished(with_switch()), finished(with_switch(shifted=False))
    assert copied.view().history.loss[-1] < shifted.view().history.loss[-1]
    shares = [run.task.evaluate(run.network.eval())["copied"] for run in (shifted, copied)]
    assert shares[0] < 0.2
    assert shares[1] > 0.9


def test_every_switch_is_a_flag() -> None:
    assert {field.type for field in fields(Switches)} == {"bool"}
