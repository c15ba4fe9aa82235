"""A view as a page in a frame of a notebook. The page works alone: it needs no network and no kernel, so a saved
notebook still shows it, alive.

Where a front end runs no scripts of a notebook, as before its reader trusts it, a still picture stands in its place.
"""

from __future__ import annotations

import base64
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from html import escape

from viz.documents.page_fonts import faces
from viz.documents.page_html import words_in_data, write_file
from viz.documents.page_parts import Component, Group, PagePart, flatten
from viz.documents.part_html import part_html
from viz.documents.places import with_places
from viz.documents.plotly_script import script_for
from viz.shared.style import Theme


@dataclass(frozen=True)
class FramePage:
    """A page of these parts. `theme`: in which its figures are drawn; it is shown in that of the front end."""

    parts: Sequence[PagePart]
    theme: Theme = "light"

    @cached_property
    def _group(self) -> Group:
        return with_places(Group(self.parts), 0)

    @cached_property
    def body(self) -> str:
        """The parts as HTML with their data, each in an element of its place."""
        return part_html(self._group)

    @cached_property
    def _words(self) -> str:
        return "".join([self.body, *map(words_in_data, flatten(self._group))])

    @cached_property
    def faces(self) -> str:
        """The rules of CSS with the fonts that the page needs."""
        return faces(self._words)

    @cached_property
    def scripts(self) -> frozenset[str]:
        """The names of the scripts that the page needs."""
        parts = list(flatten(self._group))
        drawer = script_for(parts)
        return frozenset([*(each.name for each in parts if isinstance(each, Component)), *([drawer] if drawer else [])])

    def write(self, name: str = "", version: int = 0) -> str:
        """The page, as HTML. `name`: by which a kernel knows the view; "" for none. `version`: of its picture."""
        said = '<div class="warning" role="alert" hidden></div>'
        content = f"{said}<main>{self.body}</main>"
        known = {"frame": name, "version": str(version)}
        return write_file("", content, flatten(self._group), self._words, "notebook/frame", self.theme, facts=known)


def frame_html(page: str, alt: str, still: bytes = b"", name: str = "") -> str:
    """A frame with a page. `still`: a PNG for where the page cannot be shown; without one, the words `alt`."""
    source = f"data:image/png;base64,{base64.b64encode(still).decode()}"
    instead = f'<img data-still src="{source}" alt="{escape(alt)}">' if still else f"<p data-still>{escape(alt)}</p>"
    style = "display: block; width: 100%; height: 0; border: 0"
    frame = f'<iframe data-glassformer="{name}" title="{escape(alt)}" srcdoc="{escape(page)}" style="{style}"></iframe>'
    return f"<div>{instead}{frame}</div>"
