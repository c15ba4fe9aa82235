"""A message in the place of a view, where there is nothing to show."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from views.view import View
from viz.documents.page_parts import Text


@dataclass(frozen=True)
class Message(View):
    """Says why there is nothing to show, at every depth."""

    text: Text

    def picture_parts(self) -> Sequence[Any]:
        return [self.text]

    number_parts = formula_parts = code_parts = picture_parts
