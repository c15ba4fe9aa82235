"""Values of keys as text, as in a URL, and back."""

from __future__ import annotations

import math
from typing import Any

from pages.shared.session.key_titles import value_title
from pages.shared.session.keys import KEYS, Key, belongs

MAX_NAMED = 12  # of the choices of a key, in a message


def to_text(value: Any) -> str:
    """A value as a URL writes it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, (tuple, list)):
        return ",".join(str(member) for member in value)
    return "" if value is None else str(value)


def parse(key: Key, text: str) -> Any:
    """The value that a text gives to a key. Raises ValueError, whose text is a clause, for an impossible one."""
    kind = type(key.default)
    if kind is bool:
        if text not in ("yes", "no"):
            raise ValueError("it can only be yes or no")
        return text == "yes"
    if kind is tuple:
        return tuple(parse(Key(0, low=key.low, high=key.high), part) for part in text.split(",") if part)
    if kind is str:
        if key.choices and text not in key.choices:
            titles = list(dict.fromkeys(value_title(choice) for choice in key.choices if choice))
            others = f" or one of {len(titles) - MAX_NAMED} others" if len(titles) > MAX_NAMED else ""
            raise ValueError(f"it can only be {', '.join(titles[:MAX_NAMED])}{others}")
        if len(text) > key.max_characters:
            raise ValueError(f"it has {len(text):,} characters and at most {key.max_characters:,} are read")
        if key.check is not None:
            key.check(text)
        return text
    try:
        value = kind(text)
    except ValueError:
        raise ValueError("it is not a whole number" if kind is int else "it is not a number") from None
    if not key.low <= value <= key.high:  # also false for nan
        raise ValueError(f"it must {_bounds(key)}")
    return value


def _bounds(key: Key) -> str:
    if math.isinf(key.low) and math.isinf(key.high):
        return "be finite"
    if math.isinf(key.high):
        return f"be at least {key.low:g}"
    return f"lie between {key.low:g} and {key.high:g}"


def find_fault(name: str, page: str, text: str) -> str:
    """The fault of a value that a link to `page` gives to a key, as a clause; "" if there is none."""
    if name not in KEYS or not belongs(name, page):
        return "this page has nothing of that name"
    try:
        parse(KEYS[name], text)
    except ValueError as error:
        return str(error)
    return ""
