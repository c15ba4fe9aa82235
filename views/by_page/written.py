"""A view by its public name as code: its class, the choices of the app's keys, and what the run bar has."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from model.chat.turns import Conversation
from model.edits.text import WrittenEdit
from views.by_page.live_view import LiveView
from views.expressions import quoted
from views.live_code import LiveCode
from views.shared import begin_words, edit_words


def write_live(
    cls: type[LiveView],
    choices: dict[str, Any],
    model: str,
    text: str,
    target: str | None = None,
    begin: str = "",
    edits: Sequence[WrittenEdit] = (),
) -> LiveCode:
    """The code of a view with these choices, of which the defaults are left out.

    `model`, `text` and `target`: of the run. `begin`: how the model begins texts (`views.shared.begin_words`).
    """
    name = f"views.{cls.page}.{cls.__name__}"
    said = tuple(f"{each}={_write(choices[each])}" for each in _told(cls, choices))
    if cls.takes in ("", "picture"):
        return LiveCode(name, said, is_measured=cls.is_measured)
    chosen = begin_words.CHOICES[begin]
    opened = f"load({quoted(model)})" + ("" if chosen is None else f".with_begin({chosen})")
    *imports, opened = edit_words.in_code(opened, opened, edits).splitlines()
    if cls.takes == "model":
        return LiveCode(name, said, opened, imports=tuple(imports), is_measured=cls.is_measured)
    given = "" if target is None else f", target={quoted(target)}"
    trace = f".trace({quoted(text)}{given})"
    imports += ["from glassformer import Conversation"] * isinstance(text, Conversation)
    return LiveCode(name, said, opened, trace, tuple(imports), cls.is_measured)


def _told(cls: type[LiveView], choices: dict[str, Any]) -> list[str]:
    """The names of the choices that are not the defaults, in their order."""
    return [name for name, trait in cls.choices().items() if name in choices and choices[name] != trait.default()]


def _write(value: Any) -> str:
    return quoted(value) if isinstance(value, str) else repr(value)
