"""Text that a model wrote, as plain text in a frame. A disabled text field would show it too pale."""

from __future__ import annotations

from typing import Any

from viz.documents.page_parts import Group, Text
from viz.shared.style import markdown_text


def written(name: str, text: str) -> list[Any]:
    """`text` under a caption `name`. Its letters decide the direction of writing (assets/style.css)."""
    said = markdown_text(text) if text.strip() else ":gray[(nothing)]"
    return [Text(name, "caption"), Group([Text(said)], is_framed=True, key=f"written {name}")]
