"""A view in a notebook: the choices of the reader as traits. Shown as the last line of a cell.

view = views.heads.Lines(run, layer=9, head=2)
view.head = 3                     # the picture follows
view.observe(print, "query")      # and so does a program, where a hand chooses another word
"""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from typing import Any, ClassVar, Literal

from traitlets import HasTraits, TraitType

from views.notebook.shown_view import ShownView
from views.view import View


class LiveView(HasTraits):
    """A view with the choices of the reader as traits. They have the names of the app's keys without that of their
    page: `head` for `head`, `least` for `heads_least`. A trait with another name says its key: `.tag(key="home_at")`.

    `page`: the module has the name of its page, or else the class says with `stands_on` which it is. `part`: the values
    of the keys that choose this part in the app. `takes`: what it is made with, beside its choices. `is_measured`: the
    app measures its numbers step by step, so it may show a part of them.
    """

    page: ClassVar[str] = ""
    stands_on: ClassVar[str] = ""
    part: ClassVar[tuple[str, ...]] = ()
    takes: ClassVar[Literal["", "run", "model", "picture"]] = ""
    is_measured: ClassVar[bool] = False

    def __init_subclass__(cls, **how: Any) -> None:
        super().__init_subclass__(**how)
        package, _, module = cls.__module__.rpartition(".")
        if package == __package__ and "page" not in vars(cls):
            cls.page = cls.stands_on or module
        said = (f"    {name}: {trait.help} (default {trait.default()!r})" for name, trait in cls.choices().items())
        cls.__doc__ = "\n".join([inspect.cleandoc(cls.__doc__ or ""), "", "Choices:", *said])

    @classmethod
    def choices(cls) -> dict[str, TraitType[Any, Any]]:
        """The traits of the reader's choices by their names, in the order in which the classes have them."""
        found = (vars(base).items() for base in reversed(cls.__mro__) if issubclass(base, LiveView))
        return {name: trait for each in found for name, trait in each if isinstance(trait, TraitType)}

    def __init__(self, **choices: Any) -> None:
        """Raises `TypeError` for a choice that this view does not have, `TraitError` for a value that it does not
        take."""
        known = self.choices()
        for name in choices:
            if name not in known:
                raise TypeError(f"{type(self).__name__} has no choice {name}. It has {', '.join(known)}.")
        super().__init__(**choices)
        self._shown = ShownView(self.view, self.choose)
        self.observe(self._follow)

    def view(self) -> View:
        """The view with the choices as they are now. Raises `GlassformerError` where it has none for them."""
        raise NotImplementedError

    def choose(self, keys: Mapping[str, Any]) -> None:
        """Take choices by the names of the app's keys: all together, so that one picture is drawn for them."""
        names = {trait.metadata["key"]: name for name, trait in self.choices().items() if "key" in trait.metadata}
        with self.hold_trait_notifications():
            for key, value in keys.items():
                name = names.get(key, key.removeprefix(f"{self.page}_"))
                if self.has_trait(name):
                    setattr(self, name, value)

    def _follow(self, _: Any) -> None:
        self._shown.follow(self.trait_values())

    def __repr__(self) -> str:
        said = ", ".join(f"{name}={value!r}" for name, value in sorted(self.trait_values().items()))
        return f"views.{self.page}.{type(self).__name__}({said})"

    def _repr_mimebundle_(self, **_: Any) -> dict[str, Any]:
        return self._shown.bundle(self.trait_values(), repr(self))

    def _display_(self) -> Any:
        """What marimo shows."""
        return self._shown.widget(self.trait_values())
