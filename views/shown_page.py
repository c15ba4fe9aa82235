"""A page as whoever shows it has it: its title and idea, and the view of its open part at a depth."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from views.parts import Action, Controls, Files
from views.plain import plain_view
from views.view import Depth, View
from viz.documents.page_parts import PICTURES, Group, Heading, Text, flatten, mark_focus
from viz.documents.places import with_places
from viz.shared.style import Theme

HEAD_PARTS = 2  # of a page, above its views: its title and its idea


@dataclass(frozen=True)
class ShownPage:
    """A page with the view of its open part, whose title is `part`; "" where it has only one."""

    title: str
    idea: str
    part: str
    view: View
    depth: Depth

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
        return any(isinstance(each, Controls | Action) for each in walk(self.view.at(self.depth), self.depth))

    def parts_with_focus(self, key: str, theme: Theme = "light") -> Group:
        """The whole page, with the part of that key in a group "focus". Without one, it is the first picture or table,
        as on the screen of a lecture (assets/components/teach/presenter/stage.js)."""
        whole = self.parts(theme)
        focus = next((part for part in every(whole) if key and part.key == key), None)
        first = next((part for part in flatten(whole) if isinstance(part, PICTURES)), None)
        return mark_focus(whole, focus or first)

    def parts_from(self, key: str) -> Group | None:
        """The parts from the one of that key on, in order, without groups; None if there is none."""
        whole = self.parts()
        first = next((part for part in every(whole) if part.key == key), None)
        if first is None:
            return None
        begins = next(iter(flatten(first)), None) if isinstance(first, Group) else first
        rest = list(flatten(whole))
        return Group(rest[rest.index(begins) :]) if begins in rest else None

    def container(self, key: str) -> Group | None:
        """The group of that key, if there is one."""
        return next((part for part in every(self.parts()) if isinstance(part, Group) and part.key == key), None)

    def files(self) -> list[Files]:
        """The files of the view that have a picture for print, in order."""
        found = walk(self.view.at(self.depth), self.depth)
        return [each for each in found if isinstance(each, Files) and each.print is not None]


def every(group: Group) -> Iterator[Any]:
    """The parts that have a key, of a group and of those in it: groups, figures, components."""
    for part in group.parts:
        if hasattr(part, "key"):
            yield part
        if isinstance(part, Group):
            yield from every(part)


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
