"""The words of one scene of a lecture, as every file of the lecture has them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class SceneText:
    """`where`: page, model and sentence. `missing` says why the scene shows nothing. `asked` is the title of the
    question that the class answers first. `link` is the address of its view, or ""."""

    title: str
    where: str = ""
    missing: str = ""
    point: str = ""
    question: str = ""
    asked: str = ""
    notes: str = ""
    link: str = ""
