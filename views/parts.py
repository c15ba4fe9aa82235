"""The parts that a view is made of, beside those of `viz.documents.page_parts`. Each is a value, drawn by who shows it.

    Chart      a figure of Plotly's, as the function that draws it in a theme
    Canvas     a component of the browser with its data
    DataTable  numbers and words in columns
    Source     the source of a class or a function that ran
    Action     a button that sets keys
    PageLink   a link to another page
    Files      the files of a view: pictures for print, its numbers
    Controls   the place of a page's controls, by its name

A reader may pick something in a picture. `pick` then says which keys of the state change: a function from what was
picked to their values, or to a view of another page. It is the only way back from a picture.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from viz.shared.alternative import describe_figure

if TYPE_CHECKING:
    import plotly.graph_objects as go
    from matplotlib.figure import Figure
    from pandas import DataFrame

    from viz.shared.style import Theme

Draw = Callable[..., "go.Figure"]  # theme="light" or "dark" -> a figure of Plotly's
Print = Callable[..., "go.Figure | Figure"]  # the same, or a figure of Matplotlib's
Rows = Callable[[], Sequence[Mapping[str, Any]]]  # of a table, in a file
Keys = Mapping[str, Any]  # keys of the state, and their values


@dataclass(frozen=True)
class OtherPage:
    """A view of another page, by the values of its keys."""

    page: str
    keys: Keys


Pick = Callable[[Any], "Keys | OtherPage"]


@dataclass(frozen=True)
class Chart:
    """A figure of Plotly's. `alt` says in a sentence what it shows; `key` names it on its page.

    `pick` gets the picked point: its x, y and customdata. `tells_numbers`: `alt` has the numbers itself, so that those
    of the figure need not follow it. `width`: in pixels; None for that of its place.
    """

    draw: Draw
    alt: str
    key: str = ""
    pick: Pick | None = field(default=None, compare=False)
    tells_numbers: bool = False
    width: int | None = None

    def alternative(self, figure: go.Figure) -> str:
        """The words for readers who hear the page. `figure`: what `draw` has drawn."""
        return self.alt if self.tells_numbers else describe_figure(self.alt, figure)


@dataclass(frozen=True)
class Canvas:
    """A component of the browser by its folder in assets/components, such as "attention/heads_atlas".

    `data` makes its bytes (`viz.shared.payload.pack`). `picks`: what each event of it changes, by the
    name of the event. `is_unseen`: it only brings numbers to another one. `saved` makes the bytes of a page that has no
    server, where they are others. `answers`: what a server answers to it in the app, by the address; None for nothing.
    """

    name: str
    data: Callable[[], bytes]
    key: str
    picks: Mapping[str, Pick] = field(default_factory=dict, compare=False)
    is_unseen: bool = False
    saved: Callable[[], bytes] | None = field(default=None, compare=False)
    answers: Callable[[str], bytes | None] | None = field(default=None, compare=False)


@dataclass(frozen=True)
class DataTable:
    """Numbers and words in columns. `make` makes the table when it is shown.

    `decimals`: of all columns of measured numbers, or of each by its name; None leaves them as they are. `has_index`:
    the names of the rows are shown. `height`: in pixels, None for the usual one, "content" for all rows. `missing`
    stands where there is no number. `titles`: of columns, by their names. `grows`: on the screen of a lecture a short
    one grows with it. `formats`: of numbers in a column, by its name, as Streamlit's columns take it: "localized",
    "%.3e".
    """

    make: Callable[[], DataFrame]
    decimals: int | Mapping[str, int] | None = None
    has_index: bool = False
    height: int | str | None = None
    missing: str | None = None
    titles: Mapping[str, str] = field(default_factory=dict)
    grows: bool = False
    key: str = ""
    pick: Pick | None = field(default=None, compare=False)
    formats: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Source:
    """The source of a class or a function of the library, as it ran."""

    of: Any


@dataclass(frozen=True)
class Action:
    """A button that sets `keys` of the state, or goes to a view of another `page`."""

    label: str
    keys: Keys
    key: str
    icon: str | None = None
    page: str = ""
    help: str | None = None


@dataclass(frozen=True)
class PageLink:
    """A link to another `page` of the app, by its address."""

    label: str
    page: str


@dataclass(frozen=True)
class Files:
    """The files of a view, whose names begin with `name`.

    `print` makes the picture for print in a theme, and `interactive` the figure of a page of its own. `rows` are those
    of its CSV file, `arrays` those of its NPZ file. `others`: by their labels. `focus`: the keys of the elements that
    the picture shows, where it is not the first one of its page.
    """

    name: str
    print: Print | None = None
    interactive: Draw | None = None
    rows: Rows | None = None
    arrays: Callable[[], Mapping[str, Any]] | None = None
    others: Mapping[str, Callable[[], bytes | str]] = field(default_factory=dict)
    focus: tuple[str, ...] = ()

    def figure(self, theme: Theme = "light") -> Figure:
        """The picture for print, as a figure of Matplotlib's. ValueError where there is none."""
        import plotly.graph_objects as go

        from viz.print import from_plotly  # It imports Matplotlib, which takes half a second.

        if self.print is None:
            raise ValueError(f"{self.name} has no picture for print.")
        drawn = self.print(theme=theme)
        return from_plotly.to_matplotlib(drawn) if isinstance(drawn, go.Figure) else drawn


@dataclass(frozen=True)
class Controls:
    """The place of a page's controls. Only the app has them."""

    name: str


PART_CHOICE = Controls("choice of the part")  # where a view has the choice between the parts of its page
