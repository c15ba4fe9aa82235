from __future__ import annotations

import hashlib
import os
from pathlib import Path
from typing import Any

import pytest
import torch

from model.errors import DamagedWeights
from model.zoo import files
from model.zoo.build import build
from tests.model.networks import VARIANTS, config, inputs, variant

pytestmark = pytest.mark.usefixtures("inference")


@pytest.fixture(autouse=True)
def own_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(files, "cache_folder", lambda: tmp_path / "cache")
    return tmp_path / "cache"


@pytest.fixture
def weights(tmp_path: Path) -> tuple[Path, str]:
    path = tmp_path / "weights.bin"
    path.write_bytes(os.urandom(5 << 20))
    return path, hashlib.sha256(path.read_bytes()).hexdigest()


def test_a_whole_file_passes_and_progress_is_told(weights: tuple[Path, str]) -> None:
    told: list[float] = []
    files.verify(*weights, lambda step, share: told.append(share))
    assert told == sorted(told)
    assert told[-1] == 1


def test_a_checked_file_is_not_read_again(weights: tuple[Path, str], monkeypatch: pytest.MonkeyPatch) -> None:
    files.verify(*weights)
    monkeypatch.setattr(files, "_sha256", lambda *_: pytest.fail("read again"))
    files.verify(*weights)


def test_a_changed_file_is_read_again(weights: tuple[Path, str]) -> None:
    path, sha256 = weights
    files.verify(path, sha256)
    with path.open("r+b") as file:
        first = file.read(1)[0]
        file.seek(0)
        file.write(bytes([first ^ 1]))
    os.utime(path, ns=(1, 1))
    with pytest.raises(DamagedWeights, match=r"weights\.bin is damaged or is another file.*Install the model again"):
        files.verify(path, sha256)


def test_a_truncated_file_is_an_error(weights: tuple[Path, str]) -> None:
    path, sha256 = weights
    path.write_bytes(path.read_bytes()[:-1])
    with pytest.raises(DamagedWeights, match=f"expected {sha256[:12]}"):
        files.verify(path, sha256)


def test_a_failed_check_is_not_remembered(weights: tuple[Path, str]) -> None:
    path, sha256 = weights
    for _ in range(2):
        with pytest.raises(DamagedWeights):
            files.verify(path, "0" * 64)
    files.verify(path, sha256)


@pytest.mark.parametrize("content", ["", "{", "[]", '{"x": 1}'])
def test_a_damaged_memory_is_only_forgotten(content: str, weights: tuple[Path, str], own_memory: Path) -> None:
    own_memory.mkdir()
    (own_memory / "verified.json").write_text(content)
    files.verify(*weights)
    assert str(weights[0]) in (own_memory / "verified.json").read_text()


def test_where_nothing_can_be_written_the_check_still_passes(weights: tuple[Path, str], own_memory: Path) -> None:
    own_memory.write_text("a file where the folder should be")
    files.verify(*weights)


@pytest.mark.parametrize("name", VARIANTS)
def test_a_network_is_built_from_its_weights(name: str) -> None:
    """Tied tables are given once."""
    made = variant(name)
    stored = {path: parameter.clone() for path, parameter in made.named_parameters()}
    again: Any = build(made.config, stored)
    written, source = inputs(made)
    assert again(written, source).equal(made(written, source))
    assert not again.training
    assert not any(parameter.requires_grad or parameter.is_meta for parameter in again.parameters())
    # One tensor too few, too many, and of another shape.
    first = next(iter(stored))
    with pytest.raises(DamagedWeights, match=f"lacks {first}"):
        build(made.config, {path: tensor for path, tensor in stored.items() if path != first})
    with pytest.raises(DamagedWeights, match="no place for extra"):
        build(made.config, {**stored, "extra": torch.zeros(1)})
    with pytest.raises(DamagedWeights, match=r"\(1,\) instead of"):
        build(made.config, {**stored, first: torch.zeros(1)})


def test_weights_of_another_configuration_do_not_fit() -> None:
    stored = dict(variant("Llama").named_parameters())
    with pytest.raises(DamagedWeights, match=r"no place for decoder\.blocks\.1\.attn_norm\.gain.* and 6 more"):
        build(config("decoder", **{**VARIANTS["Llama"][1], "n_decoder_layers": 1}), stored)
