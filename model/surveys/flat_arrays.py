"""Dataclasses of arrays as one table of arrays, by the path of their fields, and back."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from typing import Any, TypeVar, get_type_hints

import numpy as np

from model.arrays import Array

Value = TypeVar("Value")


def flatten(value: Any, path: str) -> dict[str, Array]:
    """The arrays of a dataclass, of those in it, and of its dictionaries; numbers are arrays of one."""
    if not (is_dataclass(value) or isinstance(value, dict)):
        return {path: np.ascontiguousarray(value)}
    parts = (
        value.items() if isinstance(value, dict) else [(each.name, getattr(value, each.name)) for each in fields(value)]
    )
    return {name: array for part, each in parts for name, array in flatten(each, f"{path}/{part}").items()}


def unflatten(kind: type[Value], arrays: Mapping[str, Array], path: str) -> Value:
    """The dataclass that `flatten` made these arrays of. Raises KeyError for a missing one."""
    parts: dict[str, Any] = {}
    for name, hint in get_type_hints(kind).items():
        at = f"{path}/{name}"
        if is_dataclass(hint):
            parts[name] = unflatten(hint, arrays, at)  # type: ignore[arg-type]  # a class, not a value
        elif hint is int:
            parts[name] = int(arrays[at].item())
        elif hint == Array:
            parts[name] = arrays[at]
        else:
            parts[name] = {each.removeprefix(f"{at}/"): arrays[each] for each in arrays if each.startswith(f"{at}/")}
    return kind(**parts)


def digest_of(arrays: Mapping[str, Array]) -> str:
    """A SHA-256 of arrays with their names, types and shapes."""
    digest = hashlib.sha256()
    for name in sorted(arrays):
        digest.update(f"{name} {arrays[name].dtype} {arrays[name].shape}".encode())
        digest.update(np.ascontiguousarray(arrays[name]).data)
    return digest.hexdigest()
