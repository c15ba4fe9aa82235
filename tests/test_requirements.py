"""The lists of requirements: every package once, and pinned."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


@pytest.mark.parametrize("path", sorted(ROOT.glob("requirements*.txt")), ids=lambda path: path.name)
def test_every_package_is_named_once_and_pinned(path: Path) -> None:
    lines = [line for line in path.read_text(encoding="utf-8").splitlines() if re.match(r"\w", line)]
    names = [re.split(r"[=<>~!\[; ]", line)[0].lower() for line in lines]
    assert names
    assert sorted(names) == sorted(set(names))
    assert all("==" in line for line in lines)
