"""A hub that lies, and a machine that has something to lose."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from huggingface_hub import constants

from model.adding import asking
from model.adding.small_files import SMALL_FILES
from tests.hostile.hub_lies import NAME
from tests.hostile.lying_hub import LyingHub, lying_hub
from tests.model.adding.hub_server import repository_of
from tests.model.zoo import tiny


@pytest.fixture(scope="module")
def server() -> Iterator[LyingHub]:
    with lying_hub() as running:
        yield running


@pytest.fixture(scope="module")
def checkpoint(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("llama")
    tiny.llama(folder)
    return folder


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine with something to lose, whose caches are empty."""
    for name in ("home", "tmp"):
        (tmp_path / name).mkdir()
    (tmp_path / "home" / ".bashrc").write_text("mine")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path / "hub"))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "tmp"))
    return tmp_path


@pytest.fixture
def liar(server: LyingHub, machine: Path, checkpoint: Path, monkeypatch: pytest.MonkeyPatch) -> LyingHub:
    """The server in the place of the hub. It has told no lie yet."""
    monkeypatch.setattr(constants, "ENDPOINT", server.url)
    monkeypatch.setattr(asking, "LOOK_SECONDS", 20.0)
    server.lies.clear()
    server.tokens.clear()
    server.sent = server.asked = 0
    server.repositories[NAME] = repository_of(checkpoint)
    SMALL_FILES.clear()
    return server
