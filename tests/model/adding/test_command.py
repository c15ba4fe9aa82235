"""`glassformer add` and its like against a hub on this machine."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from threading import Event

import pytest

from glassformer.__main__ import main
from tests.model.adding.hub_server import HubServer, repository_of
from tests.model.zoo import tiny

NAME = "someone/tiny-llama"
WAIT_SECONDS = 60


@pytest.fixture
def checkpoint(tmp_path: Path) -> Path:
    folder = tmp_path / "checkpoint"
    folder.mkdir()
    tiny.llama(folder)
    return folder


def test_add_list_and_remove(hub: HubServer, checkpoint: Path, capsys: pytest.CaptureFixture[str]) -> None:
    hub.repositories[NAME] = repository_of(checkpoint)
    assert main(["add", NAME, "--look"]) == 0
    assert "family Llama, model decoder, 3 layers of 4 heads" in capsys.readouterr().err
    assert main(["add", NAME]) == 0
    said = capsys.readouterr()
    assert said.out == f'{NAME}@c0ffee00 is ready: load("{NAME}@c0ffee00"), or choose tiny-llama in the run bar.\n'
    assert "100%" in said.err
    assert main(["list"]) == 0
    assert f"{NAME}@c0ffee00 " in capsys.readouterr().out
    assert main(["remove", f"{NAME}@c0ffee00"]) == 0
    main(["list"])
    assert capsys.readouterr().out.count(NAME) == 1  # "Removed ..."


@pytest.mark.slow
def test_a_download_that_was_killed_goes_on(hub: HubServer, checkpoint: Path, tmp_path: Path) -> None:
    """Nothing half-written is taken for whole.

    The command runs in a process of its own, as in a terminal. Its settings come from HF_ENDPOINT and HF_HOME.
    """
    hub.repositories[NAME] = repository = repository_of(checkpoint, gate=Event())
    environment = {**os.environ, "HF_ENDPOINT": hub.url, "HF_HOME": str(tmp_path / "home")}
    command = [sys.executable, "-m", "glassformer", "add", NAME]
    with subprocess.Popen(command, env=environment, stderr=subprocess.DEVNULL) as running:
        assert repository.is_held.wait(WAIT_SECONDS)
        running.kill()
    assert repository.gate is not None
    repository.gate.set()
    assert not list((tmp_path / "home").rglob("*.safetensors"))
    assert main(["list"]) == 0
    again = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert "is ready" in again.stdout
    assert list((tmp_path / "home").rglob("model.safetensors"))


def test_a_mistake_is_one_line(hub: HubServer, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["add", "nobody/nothing"]) == 1
    said = capsys.readouterr().err
    assert said.startswith("The hub has no model nobody/nothing, or it is private.")
    assert said.count("\n") == 1
    assert main(["remove", "nobody/nothing"]) == 1
