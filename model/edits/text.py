"""Edits of a model as text, in a link: "decoder.3.self_attn.2,decoder.5.ffn*1.5,decoder.9.resid_in@4|The keys"."""

from __future__ import annotations

from collections.abc import Iterable

from model.edits.activations import Add, Patch, parse_activation
from model.edits.parts import Scale

WrittenEdit = Scale | Patch | Add


def parse(text: str) -> tuple[WrittenEdit, ...]:
    """The edits that a text names, in order, each place once: the last one counts. Raises `EditError` where it is no
    list of edits."""
    edits = {each.place: each for each in map(parse_edit, filter(None, text.split(",")))}
    return tuple(sorted(filter(changes_something, edits.values()), key=_order))


def parse_edit(text: str) -> WrittenEdit:
    """The edit that a text names, as `str` writes it. Raises `EditError` where it is none."""
    return parse_activation(text) if "|" in text else Scale.parse(text)


def write(edits: Iterable[WrittenEdit]) -> str:
    """Edits as the text that `parse` reads."""
    return ",".join(map(str, sorted(edits, key=_order)))


def changes_something(edit: WrittenEdit) -> bool:
    """Whether a run with it is another one: not once an output, and not the difference added no time."""
    return edit.factor != (1 if isinstance(edit, Scale) else 0) if not isinstance(edit, Patch) else True


def _order(edit: WrittenEdit) -> tuple[str, int, str, int, str]:
    return edit.stack, edit.layer, edit.part, edit.index, edit.place
