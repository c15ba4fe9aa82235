"""Failures of the library `tokenizers`, which is written in Rust.

Where that program panics, Python gets an error that is no `Exception`. It passes every `except Exception`, and ends a
page, or a server's thread, of somebody who has nothing to do with it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

PANIC = "PanicException"  # its class can be known by its name alone


class TokenizerPanicked(RuntimeError):
    """A panic of the library, as an `Exception`."""


@contextmanager
def panics_as_errors() -> Iterator[None]:
    """Raises `TokenizerPanicked` for a panic inside; everything else passes as it is."""
    try:
        yield
    except BaseException as error:
        if type(error).__name__ != PANIC:
            raise
        raise TokenizerPanicked(str(error)) from error


def say_failure(error: BaseException) -> str:
    """What the library says of its failure."""
    return str(error).rstrip(".") or type(error).__name__
