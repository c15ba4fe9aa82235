"""A fixture for tests that write many conversations."""

import pytest

from model.chat import renderer, template


@pytest.fixture
def renders_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """The renderer works in this process, since each of its own takes a sixteenth of a second."""
    monkeypatch.setattr(template, "run_renderer", renderer.write_all)
