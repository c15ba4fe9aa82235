"""Models that are held in half width: read so, one tensor after another, and never more than fits."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch

import model.loading as loading
import model.run as run
from model import load
from model.device import PLAIN_COPIES, WORST_ERRORS
from model.errors import NotEnoughMemory
from model.zoo.files import no_progress
from model.zoo.opening import open_checkpoint
from tests.model.networks import ids
from tests.model.zoo import tiny

HALVES = (torch.float16, torch.bfloat16)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tiny.llama(tmp_path)[1].parent


@pytest.mark.parametrize("dtype", HALVES)
def test_each_weight_is_that_of_float32_rounded_once(dtype: torch.dtype, folder: Path) -> None:
    checkpoint = open_checkpoint(folder)
    whole, half = checkpoint.weights(no_progress), checkpoint.weights(no_progress, dtype)
    assert whole.keys() == half.keys()
    for name, weight in whole.items():
        assert half[name].dtype == dtype
        assert half[name].stride() == weight.stride(), "stored as the network multiplies by it"
        torch.testing.assert_close(half[name], weight.to(dtype), atol=0, rtol=0)


@pytest.mark.parametrize("dtype", HALVES)
def test_a_model_of_files_is_held_in_half_width_and_says_how_far_off_it_is(dtype: torch.dtype, folder: Path) -> None:
    whole, half = load(str(folder), device="cpu"), load(str(folder), device="cpu", dtype=dtype)
    assert half.nbytes * 2 == whole.nbytes
    logits, off = (each.network(ids(8)).float() for each in (whole, half))
    width = half.place.width
    assert 0 < (off - logits).norm() / logits.norm() < float(WORST_ERRORS[width].rstrip("%")) / 100
    assert half.place.note == f"in {width}, where a tensor is off by up to {WORST_ERRORS[width]} of its size"


def test_a_file_that_does_not_fit_is_refused_before_a_weight_is_read(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    nbytes = open_checkpoint(folder).nbytes
    monkeypatch.setattr(loading, "free_memory", lambda: nbytes)
    monkeypatch.setattr(loading, "build_network", lambda *_: pytest.fail("its weights were read"))
    with pytest.raises(NotEnoughMemory, match=r"of memory in float32, and .* are free here\. Start with .*=bfloat16"):
        load(str(folder), device="cpu")


def test_no_copy_in_float32_is_made_that_does_not_fit(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    half = load(str(folder), device="cpu", dtype="bfloat16")
    monkeypatch.setattr(run, "free_memory", lambda: half.nbytes)
    with pytest.raises(NotEnoughMemory, match=r"A copy of .* takes .* in float32"):
        _ = half.on_cpu
    assert half.network not in PLAIN_COPIES
