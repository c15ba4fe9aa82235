"""The log: a JSON object a line, and no text of a reader in it."""

from __future__ import annotations

import json

import pytest

from pages.shared.server import event_log
from pages.shared.server.event_log import Event, LogSettingError


def test_an_event_is_one_line_of_json(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    event_log.write(Event.STARTED)
    assert capsys.readouterr().err == "", "off unless asked for"
    monkeypatch.setenv(event_log.LOG, "json")
    event_log.write(Event.REFUSED, limit="runs")
    event_log.write(Event.ROOM_ENDED, seconds=12.5)
    first, second = (json.loads(line) for line in capsys.readouterr().err.splitlines())
    assert (first["event"], first["limit"]) == ("refused", "runs")
    assert (second["event"], second["seconds"]) == ("room_ended", 12.5)
    assert first["time"].endswith("+00:00")


@pytest.mark.parametrize("text", ["The dog sees the cat", "192.0.2.1", "ABC234", "a@b.example", "", "x" * 41, "dog\n"])
def test_no_text_of_a_reader_is_logged(text: str) -> None:
    with pytest.raises(ValueError, match="no texts"):
        event_log.write(Event.REFUSED, limit=text)


def test_an_impossible_setting_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    event_log.check_settings()
    monkeypatch.setenv(event_log.LOG, "xml")
    with pytest.raises(LogSettingError, match="GLASSFORMER_LOG=json"):
        event_log.check_settings()
