"""The hub of the tests; and what holds for every case here: `look` says yes exactly where `load` works."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from glassformer.__main__ import main
from model.errors import GlassformerError, ModelMismatch
from model.loading import load
from model.vision.model import load_vision
from tests.model.adding.conftest import empty_machine, hub, hub_of_session

__all__ = ["empty_machine", "hub", "hub_of_session"]


@pytest.fixture(autouse=True)
def _looks_as_it_loads(tmp_path: Path) -> Iterator[None]:
    """Each folder and GGUF file that a case has left is looked at by the command, and loaded."""
    yield
    for path in sorted({*(each.parent for each in tmp_path.rglob("config.json")), *tmp_path.rglob("*.gguf")}):
        assert (main(["look", str(path)]) == 0) == _loads(path), path


def _loads(path: Path) -> bool:
    try:
        load(str(path))
    except ModelMismatch:
        return load_vision(str(path)) is not None
    except GlassformerError:
        return False
    return True
