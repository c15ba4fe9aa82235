"""What a view shows at a depth, for tests: its parts in their order, and its words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from views.view import Depth, View
from viz.documents.page_parts import Equation, Group, Heading, Text


def parts_of(view: View, depth: Depth = "Picture") -> list[Any]:
    """The parts of a view, of the views in it, and of their groups, without views and groups themselves."""
    return list(_flatten(view.at(depth), depth))


def _flatten(parts: Sequence[Any], depth: Depth) -> Iterator[Any]:
    for part in parts:
        if isinstance(part, View):
            yield from _flatten(part.at(depth), depth)
        elif isinstance(part, Group):
            yield from _flatten(part.parts, depth)
        else:
            yield part


def words_of(view: View, depth: Depth = "Picture") -> str:
    """All words of a view at a depth."""
    return "\n".join(part.text for part in parts_of(view, depth) if isinstance(part, Text | Heading))


def sums_of(view: View) -> list[str]:
    """The equations of a view and its worked sums, as LaTeX."""
    return [part.latex for part in parts_of(view, "Formula") if isinstance(part, Equation)]
