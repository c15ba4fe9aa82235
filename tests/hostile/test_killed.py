"""`kill -9` in the middle of training and of a download: nothing half-written is taken for whole, and work goes on."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path
from urllib.error import URLError

import pytest

from model.train import __main__ as command
from model.train import mnist
from model.train.errors import CorpusError
from model.zoo import cards
from model.zoo.bundled import open_bundled
from model.zoo.files import no_progress
from tests.hostile import killing

ROOT = Path(__file__).resolve().parents[2]
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has neither fork nor kill -9"),
]


def kill(work: str, *folders: Path) -> None:
    """Do the work in these folders, with a kill at each change of files."""
    process = subprocess.run(
        [sys.executable, "-m", "tests.hostile.killing", work, *map(str, folders)],
        cwd=ROOT,
        env={**os.environ, "OMP_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
    )
    assert process.returncode == 0, process.stderr


def places_in(folder: Path) -> list[Path]:
    """The folders that the killed processes left behind, in order, and last the one of a process that was not."""
    places = sorted((place for place in folder.iterdir() if place.name.isdigit()), key=lambda place: int(place.name))
    for partial in (path for place in places for path in place.rglob("*.partial")):
        cut(partial)
    return places


def cut(partial: Path) -> None:
    """Halve a file that was not moved to its place yet, as a process leaves it that is killed while it writes."""
    if partial.is_file():
        partial.write_bytes(partial.read_bytes()[: partial.stat().st_size // 2])


def whole_models(place: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The SHA-256 of each model that the app finds. Each must be sound, with all of its files."""
    monkeypatch.setattr(cards, "ASSETS", place / "models")
    found = cards.bundled_cards()
    for card in found:
        weights = card.require()
        assert card.name == "alphabet"
        assert hashlib.sha256(weights.read_bytes()).hexdigest() == card.details["sha256"]
        open_bundled(weights, card.kind).weights(no_progress)
        for number in range(len(card.details["snapshots"])):
            path, sha256 = card.snapshot(number)
            assert hashlib.sha256(path.read_bytes()).hexdigest() == sha256
    return [card.details["sha256"] for card in found]


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Killed trainings: in new/ those of a new model, in again/ those of a model that was there with another seed."""
    folder = tmp_path_factory.mktemp("killed")
    (folder / "new").mkdir()
    (folder / "again").mkdir()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(command, "make_task", None)  # killing.train sets it
        assert killing.train(folder, "--seed", "1") == 0
    (folder / "models").rename(folder / "again" / killing.EARLIER)
    kill("train", folder / "new", folder / "again")
    return folder


@pytest.mark.parametrize("which", ["new", "again"])
def test_training_that_was_killed_leaves_a_whole_model_or_none(
    which: str, trained: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(command, "make_task", None)  # killing.train sets it
    *broken, unbroken = places_in(trained / which)
    earlier = []
    if which == "again":
        shutil.copytree(trained / which / killing.EARLIER, tmp_path / "models")
        earlier = whole_models(tmp_path, monkeypatch)
    new = whole_models(unbroken, monkeypatch)
    assert len(broken) > (20 if which == "new" else 5)
    assert len(new) == 1
    assert new != earlier
    states = [whole_models(place, monkeypatch) for place in broken]
    assert {tuple(state) for state in states} <= {(), tuple(earlier), tuple(new)}
    assert states[0] == earlier
    assert states[-1] == new
    for place in broken:
        assert killing.train(place, "--resume") == 0
        assert whole_models(place, monkeypatch) == new, f"{place.name}: going on ends as if nothing had happened"
        assert [path.name for path in (place / "models").iterdir()] == ["alphabet"], "nothing else is left behind"
        assert not list((place / "work").iterdir())


def test_a_download_that_was_killed_is_whole_or_not_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kill("download", tmp_path)
    *broken, unbroken = places_in(tmp_path)
    assert [path.read_bytes() for path in (unbroken / "cache").iterdir()] == [killing.ARCHIVE]
    assert len(broken) >= 3
    monkeypatch.setattr(mnist, "SHA256", hashlib.sha256(killing.ARCHIVE).hexdigest())

    def refuse(*_: object, **__: object) -> None:
        raise URLError("no network")

    for place in broken:
        monkeypatch.setattr(mnist, "cache_folder", lambda place=place: place / "cache")
        monkeypatch.setattr(mnist.urllib.request, "urlopen", refuse)
        with pytest.raises(CorpusError, match="cannot be reached"):
            mnist.fetch()
        assert killing.download(place) == 0
        monkeypatch.setattr(mnist.urllib.request, "urlopen", refuse)
        assert mnist.fetch() == killing.ARCHIVE
