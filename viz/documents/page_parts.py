"""The parts that a view of a page is made of, as `viz.documents.page_html` writes them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

MAX_ROWS = 500  # of a table. The Export menu of a view saves all rows.
MAX_COLUMNS = 100
PICTURE_START = "data:image/"  # No page here asks a server for a picture.


@dataclass(frozen=True)
class Heading:
    """A title of the page: `level` 1 to 6, `text` in Markdown. `has_line`: the app draws a line below it."""

    text: str
    level: int
    has_line: bool = False


@dataclass(frozen=True)
class Text:
    """Markdown. `kind`: "text", "caption", or of a note: "info", "warning", "error", "success".

    A note may have an `icon`, by Streamlit's name.
    """

    text: str
    kind: str = "text"
    icon: str | None = None


@dataclass(frozen=True)
class Equation:
    """LaTeX without dollar signs."""

    latex: str


@dataclass(frozen=True)
class Code:
    """Source code or other preformatted text, which may be in a `language` and have numbered lines."""

    text: str
    language: str | None = None
    is_numbered: bool = False


@dataclass(frozen=True)
class Metric:
    """A number with its name, both in Markdown. `width`: in pixels; None for that of its place."""

    label: str
    value: str
    width: int | None = None


@dataclass(frozen=True)
class Table:
    """Rows of text below `columns`. `total`: the number of all rows, where these are only the first ones."""

    columns: Sequence[str]
    rows: Sequence[Sequence[str]]
    total: int = 0


@dataclass(frozen=True)
class Plot:
    """A Plotly figure as JSON, and a sentence that describes it. `key`: its name on a page of the app.

    `least`: the width in pixels below which its labels would touch. A narrower page moves it sideways.
    """

    figure: str
    alt: str
    key: str = ""
    least: int = 0


@dataclass(frozen=True)
class Picture:
    """An uploaded picture as a `data:` address (`PICTURE_START`), and the sentence that describes it."""

    address: str
    alt: str


@dataclass(frozen=True)
class Component:
    """A browser component: its name, its script (an ES module with a default export), its style and its data.

    `key`: its name on a page of the app.
    """

    name: str
    script: str
    style: str
    data: bytes | str  # of `viz.shared.payload.pack`, or JSON
    key: str = ""


@dataclass(frozen=True)
class Group:
    """Parts one below the other. `kind`: "stack", "row", "stage row" (a row on a stage, a stack elsewhere), "column"
    (of `weight` in its row), "fold" (with a `title`), "element" (of one part), "focus" (of what a scene of a lecture
    points at).

    `place`: its name, by which a presenter points at it (assets/components/teach/places.js). `key`: its name on a page
    of the app. `is_framed`: a line runs around it. `is_centred`: its columns stand in the middle of their row.
    `is_tall`: it is as high as its row. `gap`: the room between its parts, by Streamlit's names; None for none.
    """

    parts: Sequence[Any]
    kind: str = "stack"
    weight: float = 1.0
    title: str = ""
    place: str = ""
    key: str = ""
    is_framed: bool = False
    is_centred: bool = False
    is_tall: bool = False
    gap: str | None = "small"


PagePart = Heading | Text | Equation | Code | Metric | Table | Plot | Picture | Component | Group
PICTURES = (Plot, Component, Picture, Table)


def flatten(group: Group) -> Iterator[PagePart]:
    """The parts of a group and of the groups in it, in order, without the groups themselves."""
    for part in group.parts:
        if isinstance(part, Group):
            yield from flatten(part)
        else:
            yield part


def mark_focus(group: Group, focus: PagePart | None) -> Group:
    """The group with its first part that equals `focus` in a group "focus"; as it is where there is none."""
    for place, part in enumerate(group.parts):
        marked = Group([part], "focus") if part == focus else part
        if isinstance(part, Group) and part != focus:
            marked = mark_focus(part, focus)
        if marked != part:
            return replace(group, parts=[*group.parts[:place], marked, *group.parts[place + 1 :]])
    return group
