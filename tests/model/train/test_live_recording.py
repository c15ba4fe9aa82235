"""Recorded runs: what is written is read again, and those that come with the project were made by the code of today."""

from __future__ import annotations

import pytest
import torch

from model.train.live import LiveRun
from model.train.live_recording import RECORDED, RecordingDamaged, read, record, recorded
from model.train.live_tasks import Setup


def test_a_run_is_read_as_it_was_written() -> None:
    run = LiveRun(Setup("sort", steps=6), "cpu")
    run.work(lambda: True)
    again, view = read(record(run)), run.view()
    assert again.setup == run.setup
    assert again.view().step == 6
    assert again.view().history.loss == pytest.approx(view.history.loss, rel=1e-6)
    assert again.view().history.gradients.keys() == view.history.gradients.keys()
    for mine, theirs in zip(again.looks, view.looks, strict=True):
        assert (mine.step, mine.measures, mine.samples) == (theirs.step, theirs.measures, theirs.samples)
        assert mine.batch == theirs.batch
        torch.testing.assert_close(mine.attention, theirs.attention)


@pytest.mark.parametrize("name", RECORDED)
def test_a_recording_is_of_a_real_run(name: str) -> None:
    kept = recorded(RECORDED[name])
    assert kept.setup == RECORDED[name]
    run = LiveRun(kept.setup, "cpu")
    while len(run.view().history.loss) < 10 and not run.over:
        run.step()
    assert run.view().history.loss == pytest.approx(kept.history.loss[:10], rel=1e-3, nan_ok=True)
    if kept.view().state == "finished":
        assert kept.view().step == kept.setup.steps == kept.looks[-1].step


def test_other_settings_get_the_recording_of_their_task() -> None:
    assert recorded(Setup("sort", learning_rate=0.5)).setup == RECORDED["sort"]


def test_the_recording_that_is_far_too_fast_says_that_it_diverged() -> None:
    assert recorded(RECORDED["reverse-too-fast"]).view().state == "diverged"


@pytest.mark.parametrize("data", [b"", b"PK\x03\x04", b"no file of arrays"])
def test_a_damaged_recording_says_so(data: bytes) -> None:
    with pytest.raises(RecordingDamaged, match="damaged"):
        read(data)
