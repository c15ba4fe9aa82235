"""A field for a file: how large one may be, as the browser says before it sends any, and what the window has left."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from pages.shared.server import uploads

SESSION = "test session id"  # what AppTest calls its session


def _page() -> None:
    from pages.shared.elements import upload_field

    upload_field.show("Small", most_bytes=600_000, key="small", type="toml")
    upload_field.show("Large", key="large")


@pytest.mark.parametrize(("kept", "warnings"), [(0, 0), (30_000_000, 1), (39_500_000, 2), (41_000_000, 2)])
def test_the_limits_are_told_in_words(kept: int, warnings: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(uploads, "kept_bytes", lambda: {SESSION: kept, "another": 10**9})
    app = AppTest.from_function(_page).run()
    assert not app.exception
    assert [field.proto.max_upload_size_mb for field in app.get("file_uploader")] == [1, 16]
    assert len(app.warning) == warnings
    if kept == 30_000_000:
        assert "hold 30 MB of the 40 MB" in app.warning[0].value
        assert "more than 10 MB is refused" in app.warning[0].value
    if kept == 41_000_000:
        assert "more than 0 B is refused" in app.warning[0].value
