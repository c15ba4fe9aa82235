"""The digits task without the network: a small archive of the corpus' shape, and the digits that are shipped."""

from __future__ import annotations

import hashlib
import io
import json
import tarfile
from collections.abc import Iterator
from pathlib import Path
from urllib.error import URLError

import numpy as np
import pytest
import torch

from model.train import digits as task
from model.train import mnist as corpus
from model.train.errors import CorpusError
from model.train.registry import make_task
from model.vision.digits import held_out as shipped
from model.vision.model import load_vision
from model.zoo import cards

NAMES = tuple(task.POSITIONS)
EACH = 205


def archive() -> bytes:
    """An archive like the package's, with `EACH` noisy pictures of every digit."""
    random, packed = np.random.default_rng(0), io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as tar:
        for digit in range(10):
            shares = random.integers(0, 256, (EACH, 28 * 28)) / 255
            text = json.dumps({"data": shares.round(3).flatten().tolist()}).encode()
            entry = tarfile.TarInfo(f"package/src/digits/{digit}.json")
            entry.size = len(text)
            tar.addfile(entry, io.BytesIO(text))
    return packed.getvalue()


@pytest.fixture(scope="module")
def packed() -> bytes:
    return archive()


@pytest.fixture
def small(packed: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The corpus made from `archive`, already in the cache folder; the network is not there."""
    monkeypatch.setattr(corpus, "cache_folder", lambda: tmp_path)
    monkeypatch.setattr(corpus, "SHA256", hashlib.sha256(packed).hexdigest())

    def refuse(*_: object, **__: object) -> None:
        raise URLError("no network")

    monkeypatch.setattr(corpus.urllib.request, "urlopen", refuse)
    (tmp_path / "mnist-1.1.0.tgz").write_bytes(packed)
    for cached in (corpus.digits, corpus.training):
        cached.cache_clear()
    yield tmp_path
    for cached in (corpus.digits, corpus.training):
        cached.cache_clear()


@pytest.mark.slow
def test_two_hundred_of_each_digit_are_held_out(small: Path) -> None:
    pictures, labels = corpus.held_out()
    assert pictures.shape == (2000, 28, 28)
    assert pictures.dtype == torch.uint8
    assert labels.bincount().tolist() == [200] * 10
    rest, others = corpus.training()
    assert others.bincount().tolist() == [EACH - 200] * 10
    seen = {each.numpy().tobytes() for each in pictures}
    assert not seen & {each.numpy().tobytes() for each in rest}


@pytest.mark.slow
def test_the_held_out_ones_have_the_smallest_hashes(small: Path) -> None:
    def hashes(pictures: torch.Tensor) -> list[str]:
        return [hashlib.sha256(each.numpy().tobytes()).hexdigest() for each in pictures]

    (kept, of_kept), (trained, of_trained) = corpus.held_out(), corpus.training()
    for digit in range(10):
        assert max(hashes(kept[of_kept == digit])) < min(hashes(trained[of_trained == digit]))


def test_the_shipped_digits_are_held_out_ones() -> None:
    pictures, labels = shipped()
    for digit in range(10):
        hashes = [hashlib.sha256(each.tobytes()).hexdigest() for each in pictures[labels == digit]]
        assert hashes == sorted(hashes)  # they are the first of that order
        assert int(hashes[-1][:4], 16) / 0xFFFF < 200 / 1127  # below the share that is held out of the most frequent


def test_a_file_that_is_not_there_and_cannot_be_fetched_is_named(small: Path) -> None:
    (small / "mnist-1.1.0.tgz").write_bytes(b"half of it")
    with pytest.raises(CorpusError, match=r"cannot be reached.*no network.*put the file at .*mnist-1\.1\.0\.tgz"):
        corpus.fetch()


def test_another_file_is_refused(small: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (small / "mnist-1.1.0.tgz").unlink()
    monkeypatch.setattr(corpus.urllib.request, "urlopen", lambda *_, **__: io.BytesIO(b"something else"))
    with pytest.raises(CorpusError, match="its SHA-256 differs"):
        corpus.fetch()
    assert not (small / "mnist-1.1.0.tgz").exists()


def test_what_is_fetched_is_kept(small: Path, packed: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    (small / "mnist-1.1.0.tgz").unlink()
    monkeypatch.setattr(corpus.urllib.request, "urlopen", lambda *_, **__: io.BytesIO(packed))
    assert corpus.fetch() == packed
    assert (small / "mnist-1.1.0.tgz").read_bytes() == packed


@pytest.mark.parametrize("name", NAMES)
def test_a_batch_is_a_function_of_seed_and_step(small: Path, name: str) -> None:
    one, other = make_task(name), make_task(name)
    other.batch(3, 1)
    assert torch.equal(one.batch(3, 7).inputs, other.batch(3, 7).inputs)
    assert torch.equal(one.batch(3, 7).labels, other.batch(3, 7).labels)
    assert not torch.equal(one.batch(3, 7).inputs, one.batch(3, 8).inputs)
    assert one.batch(3, 7).inputs.shape == (task.BATCH_PICTURES, 1, 28, 28)


@pytest.mark.slow
def test_moving_a_digit_keeps_it_a_digit() -> None:
    """The model that was trained on moved digits still names most of them: they are moved, not destroyed."""
    pictures, labels = (torch.from_numpy(np.array(part)) for part in shipped())
    moved = task.normalise(task.distort(pictures, torch.Generator().manual_seed(0)))
    assert (moved - task.normalise(pictures[:, None])).abs().mean() > 0.1
    with torch.inference_mode():
        right = task.image_logits(load_vision("digits-vit").network, moved).argmax(-1) == labels
    assert float(right.float().mean()) > 0.93


@pytest.mark.parametrize("name", NAMES)
def test_the_shape_is_that_of_the_task(name: str) -> None:
    model = load_vision(name)
    assert model.config == make_task(name).config
    assert model.card.size < 2_000_000
    assert set(model.card.details["metrics"]) == set(model.card.details["measures"])


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_the_measures_of_the_card_are_found_again_on_the_shipped_sample(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if name == "digits-vit-nopos":
        monkeypatch.setattr(task, "RANDOM_ORDERS", 3)  # it gives the same in each order
    pictures, labels = (torch.from_numpy(np.array(part))[::2] for part in shipped())
    with torch.inference_mode():
        found = task.measures(load_vision(name).network, task.normalise(pictures[:, None]), labels)
    metrics = cards.card(name, "vision").details["metrics"]
    assert found["accuracy"] == pytest.approx(metrics["accuracy"], abs=0.03)
    assert found["shuffled"] == pytest.approx(metrics["shuffled"], abs=0.03)
    assert found["shuffled_spread"] == pytest.approx(metrics["shuffled_spread"], abs=0.015)
    assert found["loss"] == pytest.approx(metrics["loss"], abs=0.08)


@pytest.mark.slow
def test_the_card_tells_of_random_orders_and_not_of_one() -> None:
    """Other orders than those of the card: their mean lies where the card's mean and spread say it does."""
    pictures, labels = (torch.from_numpy(np.array(part))[::5] for part in shipped())
    pixels, random = task.normalise(pictures[:, None]), torch.Generator().manual_seed(1)
    model, orders = load_vision("digits-vit"), 20
    with torch.inference_mode():
        edits = [task.reorder_patches(torch.randperm(49, generator=random)) for _ in range(orders)]
        found = [task.image_logits(model.network, pixels, (edit,)).argmax(-1) == labels for edit in edits]
    right = torch.stack(found).double().mean(-1)  # (orders,)
    metrics = model.card.details["metrics"]
    assert float(right.mean()) == pytest.approx(metrics["shuffled"], abs=0.04)
    assert metrics["shuffled_spread"] > 0.02
    assert f"the mean over {task.RANDOM_ORDERS} orders" in model.card.details["measures"]["shuffled"]


@pytest.mark.slow
def test_digits_vit_names_98_in_a_hundred() -> None:
    pictures, labels = shipped()
    model = load_vision("digits-vit")
    right = 0
    for picture, label in zip(pictures[::5], labels[::5], strict=True):
        trace = model.trace_picture(np.repeat(picture[..., None], 3, axis=-1), keep="image_logits")
        right += int(trace["image_logits"].argmax()) == label
    assert right >= 98
    assert model.card.details["metrics"]["accuracy"] >= 0.98


def test_place_matters_to_the_one_with_positions_only() -> None:
    plain, bare = (cards.card(name, "vision").details["metrics"] for name in NAMES)
    assert plain["shuffled"] < plain["accuracy"] - 0.5
    assert bare["shuffled"] == pytest.approx(bare["accuracy"], abs=0.002)
    assert bare["shuffled_spread"] < 0.001
    assert bare["accuracy"] < plain["accuracy"] - 0.02
