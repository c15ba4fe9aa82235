"""A view in a notebook: a run, and the choices of the reader as traits. Shown as the last line of a cell.

view = views.heads.Lines(run, layer=9, head=2)
view.head = 3                     # the picture follows
view.observe(print, "query")      # and so does a program, where a hand chooses another word
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from traitlets import HasTraits

from model import Trace
from views.notebook.show import Frame, page_of
from views.plain import plain_view
from views.run import Run, run_of
from views.view import Needs, View


class LiveView(HasTraits):
    """A view of a run with the choices of the reader as traits, which have the names of the app's keys without those of
    their page: `head` for `head`, `least` for `heads_least`.

    `needs`: the tensors that the view takes of the run. One that the trace lacks is made by running the model again.
    """

    page: ClassVar[str] = ""  # the name of the page, which begins the keys of its choices
    needs: ClassVar[Needs] = ()

    def __init__(self, run: Trace, **choices: Any) -> None:
        """`run`: a trace of `Model.trace`. Raises `TypeError` for a choice that this view does not have, `TraitError`
        for a value that it does not take."""
        known = self.class_trait_names()
        for name in choices:
            if name not in known:
                raise TypeError(f"{type(self).__name__} has no choice {name}. It has {', '.join(sorted(known))}.")
        super().__init__(**choices)
        self.run: Run = run_of(run, type(self).needs)

    def view(self) -> View:
        """The view with the choices as they are now."""
        raise NotImplementedError

    def choose(self, keys: Mapping[str, Any]) -> None:
        """Take choices by the names of the app's keys: all together, so that one picture is drawn for them."""
        with self.hold_trait_notifications():
            for key, value in keys.items():
                name = key.removeprefix(f"{self.page}_")
                if self.has_trait(name):
                    setattr(self, name, value)

    def __repr__(self) -> str:
        said = ", ".join(f"{name}={value!r}" for name, value in sorted(self.trait_values().items()))
        return f"views.{self.page}.{type(self).__name__}({said})"

    def _repr_mimebundle_(self, **_: Any) -> dict[str, Any]:
        frame = Frame(page_of(plain_view(self.view(), "Picture")))
        return {"text/plain": repr(self), "text/html": frame._repr_html_()}
