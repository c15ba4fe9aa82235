"""What the wheel holds: the checkout's rooms as parts of one package, `glassformer`.

Hatchling calls this when a wheel is built, from the checkout or from the sdist. Each Python file of a room is written
into a temporary folder with `from glassformer.model.x import y` in place of `from model.x import y`. All other files go
into the wheel as they are. So a checkout needs no build, and a wheel brings one name alone, which nobody else has.
"""

from __future__ import annotations

import re
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

ROOMS = ("corpora", "model", "viz", "views", "pages")
AS_THEY_ARE = ("assets", ".streamlit/config.toml")
LEFT_OUT = ("assets/screenshots/", "assets/examples/", "assets/fonts/make.py")  # of README, of docs/, of the checkout
OF_CHECKOUT = ("glassformer/checkout.py",)  # it leads from the names of the wheel to those of a checkout
NAMES = "|".join(ROOMS)
IMPORTED_FROM = re.compile(rf"\bfrom ((?:{NAMES})(?:\.\w+)*) import\b")
IMPORTED = re.compile(rf"^(\s*)import ((?:{NAMES})\.\w[\w.]*)", re.MULTILINE)
IMPORTED_ROOM = re.compile(rf"^(\s*)import ({NAMES})\b(?!\.)", re.MULTILINE)
STARTED = re.compile(rf"\bpython -m ((?:{NAMES})\b)")


def installed_form(source: str) -> str:
    """A Python file of the checkout as it stands in the wheel: its imports of rooms name `glassformer`.

    So do the imports in its texts, such as code for readers, and the commands that start a module.
    """
    source = IMPORTED_FROM.sub(r"from glassformer.\1 import", source)
    source = IMPORTED.sub(r"\1import glassformer.\2", source)
    source = IMPORTED_ROOM.sub(r"\1from glassformer import \2", source)
    return STARTED.sub(r"python -m glassformer.\1", source)


def files_of_wheel(root: Path) -> dict[str, Path]:
    """The files of the checkout by their paths in the wheel."""
    own = [path for path in (root / "glassformer").iterdir() if path.is_file()]
    files = {path.relative_to(root).as_posix(): path for path in own}
    for name in (*ROOMS, *AS_THEY_ARE, "app.py", "serve.py"):
        found = (root / name).rglob("*") if (root / name).is_dir() else [root / name]
        files |= {f"glassformer/{each.relative_to(root).as_posix()}": each for each in found if each.is_file()}
    left_out = tuple(f"glassformer/{name}" for name in LEFT_OUT)
    return {
        place: files[place]
        for place in sorted(files)
        if place not in OF_CHECKOUT and not place.startswith(left_out) and "__pycache__" not in place
    }


class PackageHook(BuildHookInterface):
    """Adds the files of the package to a wheel."""

    PLUGIN_NAME = "custom"  # as hatchling calls a hook that stands in the project

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Say which files go into the wheel. An editable install needs none: Python finds the rooms in the checkout."""
        self._folder = Path(mkdtemp(prefix="glassformer-wheel-"))
        if version == "editable":
            return
        for number, (place, path) in enumerate(files_of_wheel(Path(self.root)).items()):
            if path.suffix == ".py":
                written = self._folder / f"{number}.py"
                written.write_text(installed_form(path.read_text(encoding="utf-8")), encoding="utf-8", newline="\n")
                path = written
            build_data["force_include"][str(path)] = place

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Remove the written files."""
        rmtree(self._folder)
