"""Shows a view in a notebook, at any depth: its charts as figures of Plotly's, all else as a page in a frame.

    show(view)
    show(view, "Formula")

The frame needs no network and no kernel, so a saved notebook still shows it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import plotly.graph_objects as go

from views.notebook.frame import FramePage, frame_html
from views.plain import plain_view
from views.view import Depth, View
from viz.documents.page_parts import Group, PagePart, Plot, flatten
from viz.shared.style import Theme


@dataclass(frozen=True)
class Frame:
    """A page that works alone, in a frame of a notebook."""

    page: str

    def __repr__(self) -> str:
        return f"A page of {len(self.page):,} characters."

    def _repr_html_(self) -> str:
        return frame_html(self.page, "A view of Glassformer. Trust this notebook to see it.")


def show(view: View, depth: Depth = "Picture", theme: Theme = "light") -> None:
    """Show a view at a depth, below the cell that runs."""
    from IPython.display import display  # only a notebook has it

    for output in outputs(view, depth, theme):
        display(output)


def outputs(view: View, depth: Depth = "Picture", theme: Theme = "light") -> list[go.Figure | Frame]:
    """What a notebook shows of a view at a depth, in order."""
    found: list[go.Figure | Frame] = []
    for parts in _runs_of(plain_view(view, depth, theme)):
        if isinstance(parts, Plot):
            found.append(go.Figure(json.loads(parts.figure)))
        else:
            found.append(Frame(FramePage(parts, theme).write()))
    return found


def _runs_of(parts: Sequence[PagePart]) -> Iterator[Plot | list[PagePart]]:
    """The parts in order: each chart alone, those between two charts together."""
    between: list[PagePart] = []
    for part in _opened(parts):
        if isinstance(part, Plot):
            if between:
                yield between
            yield part
            between = []
        else:
            between.append(part)
    if between:
        yield between


def _opened(parts: Sequence[PagePart]) -> Iterator[PagePart]:
    """The parts, with those of a group in its place where it has a chart."""
    for part in parts:
        if isinstance(part, Group) and any(isinstance(each, Plot) for each in flatten(part)):
            yield from _opened(part.parts)
        else:
            yield part
