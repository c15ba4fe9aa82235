"""Two models side by side in a notebook: the same view of two runs.

a, b = (load(name).trace("The dog is hungry") for name in ("tiny-lm", "tiny-lm@300"))
views.Beside(views.heads.Lines(a, layer=1), views.heads.Lines(b, layer=1))
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from model import GlassformerError
from views import beside
from views.by_page.of_run import LiveViewOfRun
from views.notebook.shown_view import ShownView


class Beside:
    """Two views of one class in one frame, on one scale. A hand chooses on both; a program changes either: the picture
    follows."""

    def __init__(self, first: LiveViewOfRun, second: LiveViewOfRun) -> None:
        """Raises `GlassformerError` for views of two classes, or for others than those of a run."""
        if not isinstance(first, LiveViewOfRun) or type(first) is not type(second):
            raise GlassformerError("Two views stand beside each other that are the same view of two runs.")
        self.first, self.second = first, second
        self._shown = ShownView(self.view, self.choose)
        for side in (first, second):
            side.observe(self._follow)

    def view(self) -> beside.Beside:
        """Both views with their choices as they are now. Raises what they raise."""
        return beside.Beside(self.first.view(), self.second.view())

    def choose(self, keys: Mapping[str, Any]) -> None:
        """Take choices of the first view by the names of the app's keys. The second takes what they mean for it."""
        for_second = self.view().for_second(keys)
        self.first.choose(keys)
        self.second.choose(for_second)

    def _choices(self) -> dict[str, Any]:
        return {"first": self.first.trait_values(), "second": self.second.trait_values()}

    def _follow(self, _: Any) -> None:
        self._shown.follow(self._choices())

    def __repr__(self) -> str:
        return f"views.Beside({self.first!r}, {self.second!r})"

    def _repr_mimebundle_(self, **_: Any) -> dict[str, Any]:
        return self._shown.bundle(self._choices(), repr(self))

    def _display_(self) -> Any:
        """What marimo shows."""
        return self._shown.widget(self._choices())
