"""The address of Redis, where several processes serve the same app: the setting `GLASSFORMER_ROOMS`.

They share in it the rooms of lectures, what a class sees, and what visitors have done in the last minute.
"""

from __future__ import annotations

import os

ROOMS = "GLASSFORMER_ROOMS"


def address() -> str:
    """The address of Redis that the environment names; "" for none."""
    return os.environ.get(ROOMS, "").strip()
