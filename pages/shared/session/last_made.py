"""What takes a reader's session seconds to make: it keeps the last one of each name."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from typing import Any, TypeVar

from pages.shared.server.session_values import of_session

Value = TypeVar("Value")


@dataclass
class LastMade:
    """By name: the key of the value that was made last, and the value."""

    by_name: dict[str, tuple[Hashable, Any]] = field(default_factory=dict)


def keep_last(name: str, key: Hashable, make: Callable[[], Value]) -> Value:
    """What `make` makes for this key. It is called again where the last value of the name was made for another key.

    `key` must hold all that the value depends on. What `make` raises is raised here, and the value before it stays.
    """
    last = of_session(LastMade).by_name
    if name not in last or last[name][0] != key:
        last[name] = key, make()
    value: Value = last[name][1]
    return value
