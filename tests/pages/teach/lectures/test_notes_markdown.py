"""Speaker notes on the Lecture page and in notebooks: bold and lists are Markdown, all else is text."""

from __future__ import annotations

from pages.teach.lectures.notes_markdown import to_markdown


def test_bold_and_lists_are_kept_and_all_else_is_text() -> None:
    assert to_markdown("Say **this** first\n- one\n- two\n\n1. a\n2. b") == (
        "Say **this** first\n\n- one\n- two\n\n1. a\n1. b"
    )
    assert to_markdown("<b>no</b> # heading") not in ("<b>no</b> # heading", "")
    assert "<b>" not in to_markdown("<b>no</b>").replace("\\<", "")
    assert to_markdown("") == ""
