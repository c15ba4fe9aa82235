"""A reading is found again on the disk, by what it is made of; a damaged file is as good as none."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest
import torch

from model import Change, Model, ablate, survey
from model.surveys import kept_readings
from model.surveys.batch_run import BatchRun
from tests.model.networks import small_model
from tests.model.surveys.test_survey import TEXTS, assert_same


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(kept_readings, "cache_folder", lambda: tmp_path)
    return tmp_path / "surveys"


@pytest.fixture
def runs(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many texts each batch had that was run."""
    made, run = [], BatchRun.run
    monkeypatch.setattr(BatchRun, "run", lambda self, rows: made.append(len(rows)) or run(self, rows))
    return made


@pytest.mark.parametrize("name", ["Llama", "one vocabulary"])
def test_the_second_survey_runs_nothing(name: str, folder: Path, runs: list[int]) -> None:
    model = small_model(name)
    first = survey(model, TEXTS)
    assert sum(runs) == len(TEXTS.texts)
    again = survey(small_model(name), TEXTS)
    assert sum(runs) == len(TEXTS.texts)
    assert_same(again, first)
    assert again.faults == first.faults
    assert [*again.tally().measures] == [*first.tally().measures], "in the same order"
    assert again.strongest("decoder.self_attn", 0, 0) == first.strongest("decoder.self_attn", 0, 0)
    assert survey(model, TEXTS, keep=False).is_whole
    assert sum(runs) == 2 * len(TEXTS.texts)


def changed(model: Model) -> Model:
    with torch.no_grad():
        model.network.decoder.blocks[1].ffn.up.weight[0, 0] += 1.0
    return model


def test_other_weights_texts_edits_and_rules_are_read_anew(folder: Path) -> None:
    model = small_model("Llama")
    survey(model, TEXTS)
    survey(changed(small_model("Llama")), TEXTS)
    survey(model, replace(TEXTS, texts=TEXTS.texts[1:]))
    survey(model, TEXTS, edits=[ablate("decoder.0.self_attn", 1)])
    survey(model, TEXTS, rules=())
    assert len(list(folder.iterdir())) == 5
    survey(model, TEXTS, edits=[Change("decoder.0.ffn.out", lambda tensor: tensor)])
    survey(model, TEXTS, rules=(), stop=lambda: True)
    assert len(list(folder.iterdir())) == 5, "a function has no digest, and half a reading is none"


@pytest.mark.parametrize("at", [0.0, 0.001, 0.5, 0.99])
def test_a_damaged_file_is_made_again(at: float, folder: Path, runs: list[int]) -> None:
    model = small_model("Llama")
    first = survey(model, TEXTS)
    (path,) = folder.iterdir()
    good = path.read_bytes()
    place = int(at * len(good))
    for bad in (good[:place], good[:place] + bytes([good[place] ^ 255]) + good[place + 1 :]):
        path.write_bytes(bad)
        before = len(runs)
        assert_same(survey(model, TEXTS), first)
        assert len(runs) > before
        assert path.read_bytes() == good


def test_the_oldest_go_first(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    model = small_model("Llama")
    survey(model, TEXTS)
    (first,) = folder.iterdir()
    os.utime(first, (1, 1))
    monkeypatch.setattr(kept_readings, "MAX_KEPT_BYTES", first.stat().st_size + 1000)
    survey(model, replace(TEXTS, texts=TEXTS.texts[1:]))
    assert len(list(folder.iterdir())) == 1
    assert not first.exists()


def test_a_disk_that_takes_nothing_is_no_error(folder: Path) -> None:
    folder.write_text("a file in its place")
    assert survey(small_model("Llama"), TEXTS).is_whole
