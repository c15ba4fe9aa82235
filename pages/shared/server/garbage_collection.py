"""Garbage collection after a run of a page.

Streamlit collects garbage after every run, and the collector looks at every living object. Imported modules and cached
values live on, so after all pages were seen this takes a hundred milliseconds a run.
"""

from __future__ import annotations

import gc
from functools import cache


@cache
def freeze_once(page: str) -> None:
    """At the end of a page's first run in this process, take all living objects out of later collections.

    Garbage of this one run may stay in memory for ever, but only once for each page.
    """
    gc.collect()
    gc.freeze()
