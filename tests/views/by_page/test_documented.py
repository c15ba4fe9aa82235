"""docs/library.md lists every view by the name of its page."""

from __future__ import annotations

import re
from pathlib import Path

import views
from views.by_page import find

LIBRARY = Path(__file__).resolve().parents[3] / "docs" / "library.md"


def test_the_document_has_every_view() -> None:
    rows = re.findall(r"^\| .+? \| `views\.(\w+)` \| (.+?) \|$", LIBRARY.read_text(encoding="utf-8"), re.MULTILINE)
    listed = {page: re.findall(r"`(\w+)`", names) for page, names in rows}
    assert listed == {page: [each.__name__ for each in find.classes_of(page)] for page in find.PAGES}
    assert sorted(find.PAGES) == views.__all__
