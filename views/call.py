"""A call that makes a value again.

A view is written as Python code by its fields (`views.notebook.view_code`). A value that was measured has fields that
no code can have, such as tensors. Its class says by which call it is made from other values:

    def made_by(self) -> Call:
        return Call(patch, (self.run, self.site), {"window": self.window})
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
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
