"""A hub of the test, and a machine that has added and downloaded nothing."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from huggingface_hub import constants

from model.adding.small_files import SMALL_FILES
from tests.model.adding.hub_server import HubServer, running_hub


@pytest.fixture(scope="session")
def hub_of_session() -> Iterator[HubServer]:
    with running_hub() as server:
        yield server


@pytest.fixture
def empty_machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder for data and the hub's cache are new."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path / "hub"))
    return tmp_path


@pytest.fixture
def hub(hub_of_session: HubServer, empty_machine: Path, monkeypatch: pytest.MonkeyPatch) -> HubServer:
    """The server in the place of the hub. The library reads its settings when it is imported, so they are set in it."""
    monkeypatch.setattr(constants, "ENDPOINT", hub_of_session.url)
    template = f"{hub_of_session.url}/{{repo_id}}/resolve/{{revision}}/{{filename}}"
    monkeypatch.setattr(constants, "HUGGINGFACE_CO_URL_TEMPLATE", template)  # for tests that download by the library
    hub_of_session.repositories.clear()
    SMALL_FILES.clear()
    return hub_of_session
