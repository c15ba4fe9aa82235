"""In a checkout the rooms `model`, `viz`, `views` and `pages` stand beside this package. Installed, they stand in it.

A notebook says `from glassformer.model.run import load` in both. Here each such name leads to the same module as the
short name, so that no module is loaded twice. The wheel does not have this file.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib import import_module
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType

ROOMS = ("corpora", "model", "viz", "views", "pages")


class RoomFinder(MetaPathFinder):
    """Finds `glassformer.model.run` as `model.run`."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        package, _, name = fullname.partition(".")
        if package != "glassformer" or name.partition(".")[0] not in ROOMS:
            return None
        return ModuleSpec(fullname, RoomLoader(name))


class RoomLoader(Loader):
    """Takes the module of a short name, which has loaded itself."""

    def __init__(self, name: str) -> None:
        self._name = name

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        module = import_module(self._name)
        self._spec = module.__spec__  # the machinery puts `spec` in its place
        return module

    def exec_module(self, module: ModuleType) -> None:
        module.__spec__ = self._spec


def find_rooms() -> None:
    """Let `glassformer.model` and its siblings lead to the rooms of the checkout."""
    if not any(isinstance(each, RoomFinder) for each in sys.meta_path):
        sys.meta_path.insert(0, RoomFinder())
