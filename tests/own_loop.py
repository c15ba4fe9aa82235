"""Coroutines in tests that are no coroutines themselves."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

T = TypeVar("T")


def run_in_own_loop(work: Coroutine[Any, Any, T]) -> T:
    """Its result. It runs in a thread of its own: Playwright leaves a running loop in the thread of the tests."""
    with ThreadPoolExecutor(1) as threads:
        return threads.submit(asyncio.run, work).result()
