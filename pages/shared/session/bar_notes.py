"""Lines below the run bar: what a page runs that the bar alone does not tell. A page adds them while it runs.

`shown` tells the same to what names a view without the bar: the files of a view and of a lecture, and the class.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from pages.shared.server.session_values import of_session


@dataclass(frozen=True)
class ShownModels:
    """The titles of the models that a part shows in the place of the bar's, and whether they read its sentence."""

    titles: tuple[str, ...]
    read_sentence: bool


@dataclass
class BarNotes:
    """The lines of a run, each once; and the models that it shows in the place of the bar's."""

    lines: dict[str, None] = field(default_factory=dict)
    models: ShownModels | None = None


def begin() -> None:
    """Take back the lines of the run before."""
    notes = of_session(BarNotes)
    notes.lines, notes.models = {}, None


def add(line: str) -> None:
    """Add a line of plain text. The same line is shown once."""
    of_session(BarNotes).lines[line] = None


def say_nothing_taken(what: str, by: str = "part", models: Sequence[str] = ()) -> None:
    """Say that the open part, or the "page", takes neither the model nor the sentence of the bar.

    `what`: a sentence about what it uses in their place. `models`: the titles of the models that it shows.
    """
    of_session(BarNotes).models = ShownModels(tuple(models), False)
    add(f"This {by} takes nothing from the bar. {what}")


def lines() -> list[str]:
    return list(of_session(BarNotes).lines)


def name_models(titles: Sequence[str]) -> None:
    """Note that the open part gives the bar's sentence to these models in the place of the bar's."""
    of_session(BarNotes).models = ShownModels(tuple(titles), True)


def shown() -> ShownModels | None:
    """The models that the view shows in the place of the bar's; None where it shows the bar's model."""
    return of_session(BarNotes).models
