"""Files that a stranger may have put there: only regular ones are opened, and no more than a bound is read.

A pipe may never end, and to open a device may wait for ever.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import BinaryIO

from model.numerals import file_size

KINDS = {stat.S_IFDIR: "a folder", stat.S_IFIFO: "a pipe", stat.S_IFSOCK: "a socket"}
WITHOUT_WAITING = getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)  # Windows lacks the one, others the other


def check_regular(path: Path, most: int | None = None) -> None:
    """Raises `ValueError` unless a path leads to a regular file of at most `most` bytes, `OSError` where none is."""
    _check(path.stat(), most)


def open_regular(path: Path, most: int | None = None) -> BinaryIO:
    """The file, open for reading. Raises as `check_regular`, and never waits."""
    check_regular(path, most)  # before it is opened, since that alone may change a device
    file = os.fdopen(os.open(path, os.O_RDONLY | WITHOUT_WAITING), "rb")
    try:
        _check(os.fstat(file.fileno()), most)
    except ValueError:  # another file came in its place
        file.close()
        raise
    return file


def read_regular(path: Path, most: int) -> bytes:
    """The bytes of a file of at most `most`. Raises as `check_regular`."""
    with open_regular(path, most) as file:
        data = file.read(most + 1)
    if len(data) > most:  # it has grown, or its system states no size
        raise ValueError(_too_large(most))
    return data


def _check(found: os.stat_result, most: int | None) -> None:
    if not stat.S_ISREG(found.st_mode):
        raise ValueError(f"it is {KINDS.get(stat.S_IFMT(found.st_mode), 'a device')}, and no file")
    if most is not None and found.st_size > most:
        raise ValueError(_too_large(most))


def _too_large(most: int) -> str:
    return f"it has more than {file_size(most)}"
