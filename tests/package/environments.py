"""Environments that have only what the wheel asks for: links to distributions of this environment, and the wheel.

What the wheel forgets to ask for is missing in them, as on a user's machine. No network is needed.
"""

from __future__ import annotations

import os
import subprocess
import sys
import venv
from collections.abc import Iterable
from importlib.metadata import Distribution, distribution
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

HOSTILE = ("app", "corpora", "model", "pages", "serve", "views", "viz")  # files of a user beside the notebook
KEPT = ("PATH", "HOME", "TMPDIR", "OMP_NUM_THREADS", "FONTCONFIG_FILE")  # of the environment's variables


def needed(requirements: Iterable[Requirement]) -> dict[str, Distribution]:
    """The distributions of this environment that these requirements ask for, and those that these ask for in turn."""
    found: dict[str, Distribution] = {}
    waiting, seen = list(requirements), set[str]()
    while waiting:
        each = waiting.pop()
        extras = {"", *each.extras}
        if str(each) in seen or not (each.marker is None or each.marker.evaluate({"extra": ""})):
            continue
        seen.add(str(each))
        there = found[canonicalize_name(each.name)] = distribution(each.name)
        assert each.specifier.contains(there.version, prereleases=True), f"{each}: {there.version} is here"
        for text in there.requires or ():
            wanted = Requirement(text)
            if wanted.marker is None or any(wanted.marker.evaluate({"extra": extra}) for extra in extras):
                wanted.marker = None
                waiting.append(wanted)
    return found


class Environment:
    """An environment in `folder`, with links to what the requirements ask for."""

    def __init__(self, folder: Path, requirements: Iterable[Requirement]) -> None:
        venv.create(folder, symlinks=True)
        self.python = folder / "bin" / "python"
        self.site = folder / "lib" / f"python{sys.version_info[0]}.{sys.version_info[1]}" / "site-packages"
        self.empty = folder / "notebooks"  # a folder of a user, with names that the rooms of the checkout have
        self.empty.mkdir()
        for name in HOSTILE:
            (self.empty / f"{name}.py").write_text(f"raise RuntimeError('the {name}.py of a user was imported')\n")
        self.distributions = needed(requirements)
        self.link_distributions(self.distributions.values())

    def link_distributions(self, distributions: Iterable[Distribution]) -> None:
        """Have these distributions, without what they ask for."""
        for each in distributions:
            for top in {file.parts[0] for file in each.files or ()} - {"..", "__pycache__"}:
                self.link(Path(str(each.locate_file(top))))

    def link(self, path: Path) -> None:
        """Have this file or folder among the packages. One of several distributions is linked once."""
        if not (self.site / path.name).is_symlink():
            (self.site / path.name).symlink_to(path)

    def install(self, wheel: Path) -> None:
        """Install a wheel as pip does, without what it asks for."""
        pip = [sys.executable, "-m", "pip", "--python", str(self.python), "install", "--no-deps", "--no-index"]
        subprocess.run([*pip, "--quiet", "--no-compile", str(wheel)], check=True)

    def call(self, *arguments: str | Path, check: bool = True) -> subprocess.CompletedProcess[str]:
        """Run the environment's Python in the folder of the user. Its mistakes are those of the test."""
        variables = {name: os.environ[name] for name in KEPT if name in os.environ}
        ran = subprocess.run(
            [self.python, *arguments], cwd=self.empty, env=variables, capture_output=True, text=True, check=False
        )
        assert ran.returncode == 0 or not check, ran.stderr + ran.stdout
        return ran

    def run(self, code: str) -> str:
        """The output of a program."""
        return self.call("-c", code).stdout
