"""Runs tests on the installed package: `python -P tests/package/on_wheel.py tests/model/test_tape.py`.

The tests stay as they are: what they import as `model.tape` is `glassformer.model.tape` of the environment. With -P,
Python does not look for modules in the checkout.
"""

from __future__ import annotations

import sys
from importlib import import_module
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import glassformer

ROOT = Path(__file__).resolve().parents[2]
ROOMS = ("corpora", "model", "viz", "views", "pages")


class InstalledRooms(MetaPathFinder, Loader):
    """Finds `model.tape` as `glassformer.model.tape`, which loads itself."""

    def find_spec(self, fullname: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        return ModuleSpec(fullname, self) if fullname.partition(".")[0] in ROOMS else None

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        module = import_module(f"glassformer.{spec.name}")
        self._spec = module.__spec__  # the machinery puts `spec` in its place
        return module

    def exec_module(self, module: ModuleType) -> None:
        module.__spec__ = self._spec


if __name__ == "__main__":
    assert ROOT not in Path(glassformer.__file__).parents, "This is the checkout's package. Run it with `python -P`."
    sys.meta_path.insert(0, InstalledRooms())
    options = ["--rootdir", str(ROOT), "-c", str(ROOT / "pyproject.toml"), "-p", "no:cacheprovider"]
    sys.exit(pytest.main([*options, *sys.argv[1:]]))
