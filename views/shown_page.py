"""A page as whoever shows it has it: its title and idea, and the view of its open part at a depth."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from views.live_code import LiveCode
from views.parts import Action, Canvas, Chart, Controls, DataTable, Files
from views.plain import plain_view
from views.view import Depth, View
from viz.documents.page_parts import Group, Heading, Text
from viz.documents.places import with_places
from viz.shared.style import Theme

HEAD_PARTS = 2  # of a page, above its views: its title and its idea


@dataclass(frozen=True)
class ShownPage:
    """A page with the view of its open part, whose title is `part`; "" where it has only one.

    `live`: the code that makes the view by its public name; None where it has none.
    """

    title: str
    idea: str
    part: str
    view: View
    depth: Depth
    live: LiveCode | None = field(default=None, compare=False)

    def parts(self, theme: Theme = "light") -> Group:
        """The whole page as plain parts, in order."""
        head = [Heading(self.title, 1), Text(f":gray[{self.idea}]")]
        return Group([*head, *plain_view(self.view, self.depth, theme)])

    def parts_with_places(self, theme: Theme) -> Group:
        """The whole page as plain parts, with the names of their places."""
        return with_places(self.parts(theme), HEAD_PARTS)

    @property
    def has_controls(self) -> bool:
        """Whether the app has controls on this page that a picture of it lacks."""
        return any(isinstance(each, Controls | Action) for each in self._walk())

    def files(self) -> list[Files]:
        """The files of the view that have a picture for print, in order."""
        return [each for each in self._walk() if isinstance(each, Files) and each.print is not None]

    def make_ahead(self, theme: Theme) -> None:
        """Make all that the screen will show, so that the caches hold its numbers."""
        for part in self._walk():
            match part:
                case Chart():
                    part.draw(theme=theme)
                case Canvas():
                    part.data()
                case DataTable():
                    part.make()

    def _walk(self) -> Iterator[Any]:
        return walk(self.view.at(self.depth), self.depth)


def in_focus(focus: str, files: Sequence[Files]) -> list[Files]:
    """The files whose picture shows the element `focus`; the first where none does; all for the focus "".

    Those that name no element come first: the page is about them.
    """
    ordered = sorted(files, key=lambda each: bool(each.focus))
    named = [each for each in ordered if not focus or focus in each.focus]
    return named or ordered[:1]


def walk(parts: Sequence[Any], depth: Depth) -> Iterator[Any]:
    """The parts of views at a depth, and those in them, without the views and groups themselves."""
    for part in parts:
        match part:
            case View():
                yield from walk(part.at(depth), depth)
            case Group():
                yield from walk(part.parts, depth)
            case _:
                yield part
