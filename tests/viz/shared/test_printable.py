"""Labels with characters that no font has."""

from __future__ import annotations

import pytest

from viz.shared import printable as labels
from viz.shared.printable import printable


def test_a_character_that_no_font_has_is_named_by_its_code_point(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(labels, "_known_characters", lambda: frozenset(map(ord, "ab ⟨⟩U+1F64\n")))
    assert printable("a b\n") == "a b\n"
    assert printable("a🙂b") == "a⟨U+1F642⟩b"
    assert printable("a\ufe0f\u200db") == "ab", "characters that only change the look of others are left out"
