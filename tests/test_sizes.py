"""A file is one idea, and a function fits a screen."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
FILE_LINES, FUNCTION_LINES = 400, 50


def files(*patterns: str) -> Iterator[Path]:
    """The project's own files. Folders that begin with a point, and what npm installs, are not."""
    for folder in ("corpora", "model", "pages", "views", "viz", "tests", "tools", "deploy", "assets"):
        for pattern in patterns:
            yield from (ROOT / folder).rglob(pattern)
    yield from ROOT.glob("*.py")


def test_no_file_has_more_than_400_lines() -> None:
    lines = {path: path.read_text(encoding="utf-8").count("\n") for path in files("*.py", "*.js")}
    assert {path.name: count for path, count in lines.items() if count > FILE_LINES} == {}


def test_no_function_has_more_than_50_lines() -> None:
    long = [
        f"{path.relative_to(ROOT)}: {node.name}"
        for path in files("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and (node.end_lineno or 0) - node.lineno >= FUNCTION_LINES
    ]
    assert long == []
