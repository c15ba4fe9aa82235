"""The addresses of tiles and of numbers, as a browser writes them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from views.map.tiles.many import Address

WHOLE_NUMBER = re.compile(r"0|[1-9][0-9]{0,8}", re.ASCII)
MAX_NAME_CHARACTERS = 200
MAX_AXES = 4


def read_address(values: dict[str, str]) -> Address | None:
    """The address of a tile in the values of a path; None for one that no tile can have."""
    numbers = [values[name] for name in ("matrix", "level", "row", "column")]
    if len(values["tensor"]) > MAX_NAME_CHARACTERS or not all(map(WHOLE_NUMBER.fullmatch, numbers)):
        return None
    matrix, level, row, column = map(int, numbers)
    return values["tensor"], matrix, level, row, column


def read_joined_address(text: str) -> Address | None:
    """The address of a tile in one text, "logits/0/1/0/0"; None for one that no tile can have."""
    parts = text.split("/")
    names = ("tensor", "matrix", "level", "row", "column")
    return read_address(dict(zip(names, parts, strict=True))) if len(parts) == len(names) else None


def read_index(text: str) -> tuple[int, ...] | None:
    """The index of a number, "2,7,0"; None for a text that is none."""
    parts = text.split(",")
    if len(parts) > MAX_AXES or not all(map(WHOLE_NUMBER.fullmatch, parts)):
        return None
    return tuple(map(int, parts))
