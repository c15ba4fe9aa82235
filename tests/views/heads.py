"""Heads of runs, as the views of attention take them, and what these views give to a browser."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from model import Model
from model.analysis.head_steps import Attention
from views.head_of_run import HeadOfRun, keep
from views.parts import Canvas
from views.run import Run, make_run
from views.shared import windows
from views.shared.windows import MatrixPart
from viz.documents.page_parts import Code, Equation, Group, Text
from viz.shared.payload import unpack


def head_of(model: Model, text: str, path: str, head: int, query: int = -1, key: int = -1, **how: Any) -> HeadOfRun:
    """A head of a new run over a text. `path`: of its attention, as "decoder.1.self_attn"."""
    return head_of_run(make_run(model, text, **{"keep": keep, **how}), path, head, query, key)


def head_of_run(run: Run, path: str, head: int, query: int = -1, key: int = -1) -> HeadOfRun:
    stack, layer, part = path.split(".")
    return HeadOfRun(run, Attention(stack, int(layer), part), head, query, key)


def whole(head: HeadOfRun) -> MatrixPart:
    """All queries and keys of a head."""
    return windows.all_of(tuple(head.hidden.shape))


def header(canvas: Canvas) -> dict[str, Any]:
    """What a component gets beside its numbers."""
    return unpack(canvas.data())[0]


def arrays(canvas: Canvas) -> dict[str, Any]:
    """The arrays that a component gets, by their names."""
    return unpack(canvas.data())[1]


def matrix(canvas: Canvas, name: str) -> np.ndarray:
    """A float32 matrix of that name which a component gets."""
    return np.ascontiguousarray(arrays(canvas)[name]).view("<f4")


def words(parts: Sequence[Any]) -> str:
    """All Markdown of parts, one piece a line."""
    found = (words(each.parts) if isinstance(each, Group) else getattr(each, "text", "") for each in parts
             if isinstance(each, Group | Text))  # fmt: skip
    return "\n".join(found)


def sums(parts: Sequence[Any]) -> list[str]:
    """The equations of parts."""
    return [each.latex for each in parts if isinstance(each, Equation)]


def programs(parts: Sequence[Any]) -> list[str]:
    """The code of parts that a reader can run."""
    return [each.text for each in parts if isinstance(each, Code)]
