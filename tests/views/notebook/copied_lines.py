"""The view that the lines of “Copy as Python” make."""

from __future__ import annotations

import ast
from typing import Any

from views.view import View


def view_of(lines: str) -> View:
    """The view that lines make, of which the last is an expression."""
    *before, last = ast.parse(lines).body
    assert isinstance(last, ast.Expr)
    names: dict[str, Any] = {}
    exec(compile(ast.Module(before, []), "copied", "exec"), names)
    made: View = eval(compile(ast.Expression(last.value), "copied", "eval"), names).view()
    return made
