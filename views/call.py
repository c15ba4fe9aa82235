"""A call that makes a value again.

A view is written as Python code by its fields (`views.notebook.view_code`). A value that was measured has fields that
no code can have, such as tensors. Its class says by which call it is made from other values:

    def made_by(self) -> Call:
        return Call(patch, (self.run, self.site), {"window": self.window})

Where only some fields were measured, the class is called with all others as they are:

    def made_by(self) -> Call:
        return call_of(self, seconds=Call(time_passes, (self.run,)))
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, Field, dataclass, field, fields
from typing import Any, Protocol, runtime_checkable


@dataclass(frozen=True)
class Call:
    """A call of a function, a class or a method that has a name in its module, and its arguments."""

    function: Callable[..., Any]
    arguments: Sequence[Any] = ()
    named: Mapping[str, Any] = field(default_factory=dict)


@runtime_checkable
class MadeByCall(Protocol):
    """A value that says how it is made again."""

    def made_by(self) -> Call:
        """The call that makes an equal value."""


def call_of(value: Any, **measured: Call | None) -> Call:
    """A call of the class of a dataclass with its fields, of which some are `measured` by calls; None for none."""
    found = {each.name: getattr(value, each.name) for each in fields(value)}
    written = {each.name: found[each.name] for each in fields(value) if not has_default(each, found[each.name])}
    return Call(type(value), (), written | {name: call for name, call in measured.items() if call is not None})


def has_default(field: Field[Any], value: Any) -> bool:
    """Whether a field need not be written with a value: it has it by default, or has a default and is not compared."""
    if not field.compare and (field.default is not MISSING or field.default_factory is not MISSING):
        return True
    if field.default is not MISSING:
        return bool(field.default is value or (type(field.default) is type(value) and field.default == value))
    return field.default_factory is not MISSING and bool(field.default_factory() == value)
