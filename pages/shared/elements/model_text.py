"""Text that a model wrote, on a page."""

from __future__ import annotations

from pages.shared.elements import renderer
from views.shared.written_text import written


def show_text(name: str, text: str) -> None:
    """`text` under a caption `name`, as `views.shared.written_text` lays it out."""
    renderer.draw(written(name, text), "Picture", {})
