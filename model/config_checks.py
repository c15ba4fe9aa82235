"""Whether the values of a configuration have the types and choices of their fields, and a configuration from JSON."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import fields
from numbers import Integral
from typing import Any, TypeVar

from model.errors import ConfigError

Config = TypeVar("Config")
LARGEST_SIZE = 2**31 - 1  # of any whole number here


def _is_size(value: Any) -> bool:
    return isinstance(value, Integral) and not isinstance(value, bool) and abs(int(value)) <= LARGEST_SIZE


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < math.inf  # false for NaN


_TYPES: dict[str, tuple[str, Callable[[Any], bool]]] = {  # by annotation: the type in words, and its test
    "int": (f"a whole number up to {LARGEST_SIZE:,}", _is_size),
    "int | None": (f"a whole number up to {LARGEST_SIZE:,}", lambda value: value is None or _is_size(value)),
    "float": ("a finite number", _is_number),
    "float | None": ("a finite number", lambda value: value is None or _is_number(value)),
    "bool": ("true or false", lambda value: isinstance(value, bool)),
    "bool | None": ("true, false or null", lambda value: value is None or isinstance(value, bool)),
    "tuple[int, ...]": ("whole numbers", lambda value: isinstance(value, tuple) and all(map(_is_size, value))),
    "tuple[float, ...]": ("numbers", lambda value: isinstance(value, tuple) and all(map(_is_number, value))),
    "tuple[str, ...]": ("names", lambda value: isinstance(value, tuple) and all(isinstance(n, str) for n in value)),
}


def check_types(config: Any) -> None:
    """Raises `ConfigError` if a value of a configuration has another type than its field. Choices are checked later."""
    for field in fields(config):
        words, fits = _TYPES.get(str(field.type), ("", lambda _: True))
        value = getattr(config, field.name)
        if not fits(value):
            raise ConfigError(f"{field.name} is {repr(value)[:60]}; it must be {words}.")


def check_choices(config: Any, choices: dict[str, tuple[str, ...]]) -> None:
    """Raises `ConfigError` if a value of a configuration is none of its choices."""
    for name, allowed in choices.items():
        if getattr(config, name) not in allowed:
            raise ConfigError(f"{name} is {repr(getattr(config, name))[:60]}; it must be one of {', '.join(allowed)}.")


def make_config(kind: type[Config], values: dict[str, Any]) -> Config:
    """Makes a configuration from values by name. Lists become tuples. Raises `ConfigError` for an unknown name."""
    unknown = set(values) - {field.name for field in fields(kind)}  # type: ignore[arg-type]
    if unknown:
        raise ConfigError(f"Unknown configuration values: {', '.join(sorted(unknown)[:5])}.")
    try:
        return kind(**{name: tuple(value) if isinstance(value, list) else value for name, value in values.items()})
    except TypeError as error:
        raise ConfigError(f"The configuration cannot be used: {error}.") from error
