"""Streamlit collects garbage after every run of a page, and the collector looks at all that is alive. What pages import
and keep in caches stays alive: a hundred milliseconds a run, once every page was seen."""

from __future__ import annotations

import gc
from functools import cache


@cache
def spare(page: str) -> None:
    """At the end of the first run of a page in this process: what is alive now is not looked at again.

    Something of this one run may stay in memory for ever, but no more than once a page.
    """
    gc.collect()
    gc.freeze()
