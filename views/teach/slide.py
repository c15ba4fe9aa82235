"""A plain scene of a lecture: paragraphs, an equation and a picture. No model computed them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from views.view import View
from viz.documents.page_parts import Equation, Group, Picture, Text

GONE = (
    "The picture of this scene is not on the server. It comes back when the lecturer opens the lecture; a link cannot "
    "hold a picture."
)
GONE_ICON = ":material/image_not_supported:"


@dataclass(frozen=True)
class Slide(View):
    """`text` is Markdown, `equation` LaTeX, `image` a `data:` address. `has_picture`: whether there is to be one."""

    text: str
    equation: str
    image: str
    alt: str
    has_picture: bool

    def picture_parts(self) -> Sequence[Any]:
        words: list[Any] = [Text(self.text)] if self.text else []
        words += [Equation(self.equation)] if self.equation else []
        if self.has_picture:
            shown = Picture(self.image, self.alt) if self.image else Text(GONE, "info", GONE_ICON)
            words = [Group([Group(words, "column"), Group([shown], "column")], "row", gap="large")]
        return [Group(words, key="written slide")]
