"""The begin token of a model, which the reader may put before every sentence or leave out, on every page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pages.shared.session import state
from views.shared.begin_words import CHOICES

if TYPE_CHECKING:
    from model import Model


def apply(model: Model) -> Model:
    """The model, which reads sentences as the reader wants them."""
    return model.with_begin(CHOICES[state.get("begin")])
