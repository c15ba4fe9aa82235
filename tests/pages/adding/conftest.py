"""The hub of `tests/model/adding`, for the pages."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.model.adding.conftest import empty_machine, hub, hub_of_session
from tests.model.adding.hub_server import HubServer, Repository, repository_of
from tests.model.zoo import tiny

__all__ = ["empty_machine", "hub", "hub_of_session"]

NAME = "someone/tiny-llama"
CARD = f"{NAME}@c0ffee00"


class Context:
    """What Streamlit tells of a visitor's connection."""

    def __init__(self, ip_address: str | None = None, cookies: dict[str, str] | None = None, **headers: str) -> None:
        self.ip_address, self.cookies = ip_address, cookies or {}
        self.headers = {name.replace("_", "-"): value for name, value in headers.items()}


@pytest.fixture(scope="session")
def checkpoint(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tiny Llama in a folder called tiny-llama."""
    folder = tmp_path_factory.mktemp("checkpoints") / "tiny-llama"
    folder.mkdir()
    tiny.llama(folder, hidden_size=128, intermediate_size=512)
    return folder


@pytest.fixture
def repository(hub: HubServer, checkpoint: Path) -> Repository:
    hub.repositories[NAME] = made = repository_of(checkpoint)
    return made
