"""Bold words and lists of notes: Python reads them as the browser does (tests/assets/teach.test.js)."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from viz.documents.notes_text import blocks_of

CASES = json.loads((Path(__file__).parents[2] / "assets" / "notes_cases.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize(("text", "expected"), CASES)
def test_notes_are_read_as_in_the_browser(text: str, expected: list[object]) -> None:
    found = [
        [each.kind, [[[span.text, span.bold] for span in line] for line in each.lines]] for each in blocks_of(text)
    ]
    assert found == expected
