"""The places where the chosen head writes most, in their texts: a large weight on a short value writes little."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from model.surveys.effect import HeadEffect
from model.surveys.reading import Place
from views.attention.many_texts.text_places import HOW_TO_READ, PlacesOfHead
from views.view import grey
from viz.documents.page_parts import Heading

SHOWN = 12


@dataclass(frozen=True)
class LongestPlaces(PlacesOfHead):
    """The places of the head by the length of what it writes there, as far as its `effect` is measured."""

    effect: HeadEffect

    @property
    def name(self) -> str:
        return "places where it writes most"

    def groups(self) -> Sequence[tuple[str, Sequence[Place]]]:
        return [("", [place for place, _ in self.effect.longest_places(SHOWN)])]

    @property
    def lengths(self) -> Sequence[float | None]:
        return [length for _, length in self.effect.longest_places(SHOWN)]

    def list_parts(self) -> list[Any]:
        """The list with its title, as a part of another view; nothing where no text was run."""
        if not self.places:
            return []
        said = "The number is the length of what the head adds there: its weight × the length of v W_O."
        return [Heading("Where it writes most", 3), self.picture(), *grey(f"{said} {HOW_TO_READ}")]
