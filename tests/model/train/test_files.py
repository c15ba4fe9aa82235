"""A file is written whole or not at all: full disks, damaged checkpoints, published folders."""

from __future__ import annotations

import errno
import json
from dataclasses import replace

import pytest
import torch
from safetensors.torch import load_file

from model.network.transformer import Transformer
from model.train import files
from model.train.checkpoint import Checkpoint
from model.train.errors import CheckpointError, DiskError
from model.train.loop import Run, measure, train
from model.train.publish import publish


@pytest.fixture
def full_disk(monkeypatch):
    """From the moment it is called, every file refuses its last bytes, as on a full disk."""

    def fill():
        def refuse(descriptor):
            raise OSError(errno.ENOSPC, "No space left on device")

        monkeypatch.setattr(files.os, "fsync", refuse)

    return fill


def names(folder):
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*"))


def test_a_full_disk_leaves_the_file_as_it_was(tmp_path, full_disk):
    path = tmp_path / "card.json"
    files.write_json(path, {"a": 1})
    full_disk()
    with pytest.raises(OSError, match="No space"):
        files.write_json(path, {"a": 2})
    assert json.loads(path.read_text()) == {"a": 1}
    assert names(tmp_path) == ["card.json"]


def test_a_full_disk_at_the_end_leaves_no_half_written_model(make_task, tmp_path, full_disk):
    task, run = make_task(), Run(tmp_path / "work", quiet=True)
    network, progress = train(task, run)
    full_disk()
    with pytest.raises(DiskError, match=r"No space left.*--resume"):
        publish(task, run, network, progress, tmp_path / "assets" / "alphabet")
    assert names(tmp_path / "assets") == []


def test_a_full_disk_keeps_the_model_that_was_there(make_task, tmp_path, full_disk):
    task, run, folder = make_task(), Run(tmp_path / "work", quiet=True), tmp_path / "assets" / "alphabet"
    network, progress = train(task, run)
    publish(task, run, network, progress, folder)
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    full_disk()
    with pytest.raises(DiskError):
        publish(task, run, network, progress, folder)
    assert {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()} == before


def test_a_full_disk_during_training_keeps_the_last_checkpoint(make_task, tmp_path, full_disk):
    run = Run(tmp_path, quiet=True)
    train(make_task(), replace(run, stop_after=5))
    full_disk()
    with pytest.raises(DiskError, match=r"checkpoint|snapshot"):
        train(make_task(), replace(run, resume=True))
    assert not [name for name in names(tmp_path) if "partial" in name]
    assert json.loads((tmp_path / "progress.json").read_text())["step"] == 4


def test_a_published_model_is_what_was_trained(make_task, tmp_path):
    task, run, folder = make_task(), Run(tmp_path / "work", quiet=True), tmp_path / "alphabet"
    network, progress = train(task, run)
    card = publish(task, run, network, progress, folder)
    assert json.loads(json.dumps(card)) == json.loads((folder / "card.json").read_text())
    weights = load_file(folder / "model.safetensors")
    for name, parameter in network.named_parameters():
        assert torch.equal(weights[name], parameter.detach().half())
    assert card["parameters"] == sum(parameter.numel() for parameter in network.parameters())
    assert card["training"]["steps"] == 12
    assert all((folder / entry["file"]).is_file() for entry in card["snapshots"])


def test_the_card_measures_the_weights_that_are_shipped(make_task, tmp_path):
    from model.zoo.bundled import open_bundled
    from tests.model.zoo.opened import built

    task, run, folder = make_task(), Run(tmp_path / "work", quiet=True), tmp_path / "alphabet"
    network, progress = train(task, run)
    card = publish(task, run, network, progress, folder)
    shipped = built(open_bundled(folder / "model.safetensors", "decoder"))
    assert measure(task, shipped) == card["metrics"]


@pytest.mark.parametrize(
    "damage",
    [
        lambda folder: next(folder.glob("step-*.safetensors")).write_bytes(b"\x00" * 100),
        lambda folder: next(folder.glob("step-*.safetensors")).unlink(),
        lambda folder: (folder / "progress.json").write_text("{"),
        lambda folder: (folder / "progress.json").write_text("[]"),
        lambda folder: (folder / "progress.json").write_bytes(b"\xff\xfe"),
    ],
    ids=["garbage tensors", "no tensors", "cut json", "other json", "no text"],
)
def test_a_damaged_checkpoint_is_refused_with_its_mend(make_task, tmp_path, damage):
    run = Run(tmp_path, quiet=True)
    train(make_task(), replace(run, stop_after=4))
    damage(tmp_path)
    with pytest.raises(CheckpointError, match=r"damaged.*--restart"):
        train(make_task(), replace(run, resume=True))


def test_a_truncated_checkpoint_is_refused(make_task, tmp_path):
    run = Run(tmp_path, quiet=True)
    train(make_task(), replace(run, stop_after=4))
    tensors = next(tmp_path.glob("step-*.safetensors"))
    tensors.write_bytes(tensors.read_bytes()[:-50])
    with pytest.raises(CheckpointError, match="--restart"):
        train(make_task(), replace(run, resume=True))


def test_a_checkpoint_of_another_run_is_refused(make_task, tmp_path):
    train(make_task(), Run(tmp_path, quiet=True, stop_after=4))
    with pytest.raises(CheckpointError, match="another seed"):
        train(make_task(), Run(tmp_path, seed=1, quiet=True, resume=True))


def test_one_checkpoint_is_kept(make_task, tmp_path):
    train(make_task(), Run(tmp_path, quiet=True))
    assert [path.name for path in tmp_path.glob("step-*")] == ["step-12.safetensors"]
    assert Checkpoint(tmp_path).exists


def test_shipped_weights_are_half_and_tied_tables_come_once(make_task):
    network = Transformer(make_task().config)
    weights = files.halve_weights(network)
    assert {tensor.dtype for tensor in weights.values()} == {torch.float16}
    assert "decoder.embed.tokens.weight" in weights
    assert not any("unembed" in name for name in weights)
