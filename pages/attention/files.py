"""Files of the Scores and Masks pages: names, and pictures made when they are asked for."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from pages.attention.one_head import OneHead
from viz.files import file_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def name_of(shown: OneHead) -> str:
    """The first part of a file's name: model, attention and head."""
    return f"{shown.run.name}-{shown.at.path.replace('.', '-')}-head{shown.head}"


def drawn(draw: Callable[[], Figure], kind: str) -> bytes:
    """A Matplotlib figure as a file of that kind."""
    return file_of(draw(), kind)
