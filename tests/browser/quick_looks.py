"""`expect` that looks ten times a second.

Playwright looks again after 20, 50, 100 and 100 ms, and then twice a second. It leaves out waits longer than a fifth of
the limit. So an expectation with a long limit is asked piece by piece, each with a short limit: a test goes on when the
page does, and not up to half a second later.
"""

from __future__ import annotations

import time
from typing import Any

from playwright._impl.assertions import AssertionsBase, LocatorAssertions, PageAssertions

PIECE = 2_400  # milliseconds: a fifth of it is less than the longest wait, of 500


def look_often() -> None:
    """Make all expectations of this process look ten times a second."""
    for kind in (LocatorAssertions, PageAssertions):
        kind._call_expect = in_pieces(kind._call_expect)  # type: ignore[method-assign]


def in_pieces(ask: Any) -> Any:
    """`ask`, an expectation of Playwright's, with its limit cut into pieces."""

    async def asked(self: AssertionsBase, expression: str, options: Any, title: str | None) -> Any:
        end = time.monotonic() + options["timeout"] / 1000
        while True:
            left = (end - time.monotonic()) * 1000
            result = await ask(self, expression, {**options, "timeout": max(1, min(left, PIECE))}, title)
            if result["matches"] != self._is_not or left <= PIECE:
                return result

    return asked
