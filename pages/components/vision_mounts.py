"""Mounts of the components of the page See: attention over a picture, a pad for digits, a place to paste."""

from __future__ import annotations

import base64
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pages.components.mounts import component

_digit_pad = component("models/digit_pad")
_picture_paste = component("models/picture_paste")


def digit_pad(ink: NDArray[np.uint8] | None, *, key: str, on_ink: Callable[[], None]) -> Any:
    """A black square to draw on. `.ink` under `key`: its side, and its pixels as base64 of bytes, row by row.

    A new pad begins with `ink` (56, 56).
    """
    data = None if ink is None else base64.b64encode(ink.tobytes()).decode()
    return _digit_pad(data=data, key=key, on_ink_change=on_ink)


def picture_paste(max_bytes: int, *, key: str, on_file: Callable[[], None]) -> Any:
    """A place to paste a picture of at most `max_bytes`. `.file` under `key`: the file as base64."""
    return _picture_paste(data=max_bytes, key=key, on_file_change=on_file)
