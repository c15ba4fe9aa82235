"""A value that is handed to a session: only that session has it, and only for as long."""

from __future__ import annotations

import pytest

from pages.shared.server.private_parts import runs
from pages.shared.session.handed_over import HandedOver


def test_a_session_has_its_own_value_until_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    handed: HandedOver[list[int]] = HandedOver()
    assert handed.here() is None, "no session runs"
    monkeypatch.setattr(runs, "session_id", lambda: "mine")
    with handed.to("mine", []) as mine, handed.to("another", []) as another:
        found = handed.here()
        assert found is mine
        mine.append(1)
        assert another == []
    assert handed.here() is None
    with pytest.raises(ValueError, match="of the page"), handed.to("mine", []):
        raise ValueError("an error of the page")
    assert handed.of("mine") is None
