"""What happens on the server, one JSON object a line, for programs that collect logs.

`GLASSFORMER_LOG=json` turns it on; the lines go to the standard error. An event has a time, a name and numbers. A text
among its values must be a name of this project's code, such as that of a limit. So no line holds what a reader typed,
an address, a code or a name.
"""

from __future__ import annotations

import json
import os
import re
import sys
from datetime import UTC, datetime
from enum import StrEnum

from model.errors import GlassformerError

LOG = "GLASSFORMER_LOG"
JSON = "json"
NAME = re.compile(r"[a-z][a-z_]{0,39}")


class LogSettingError(GlassformerError):
    """`GLASSFORMER_LOG` names no kind of log."""


class Event(StrEnum):
    """What is logged."""

    STARTED = "started"
    READY = "ready"
    STOPPING = "stopping"
    STOPPED = "stopped"
    REFUSED = "refused"
    ROOM_OPENED = "room_opened"
    ROOM_REOPENED = "room_reopened"  # by its presenter, after a restart
    ROOM_ENDED = "room_ended"
    STORE_LOST = "store_lost"  # what keeps the rooms of all processes does not answer
    STORE_FOUND = "store_found"


def check_settings() -> None:
    """Raises `LogSettingError` if the setting is impossible."""
    if os.environ.get(LOG, "") not in ("", JSON):
        raise LogSettingError(f"{LOG} is {os.environ[LOG]!r}. Write {LOG}={JSON}, or leave it out.")


def write(event: Event, **values: str | float) -> None:
    """Write one line, if the log is on. Raises ValueError for a text that is no name of this project's code."""
    for value in values.values():
        if isinstance(value, str) and not NAME.fullmatch(value):
            raise ValueError("A log holds no texts.")
    if os.environ.get(LOG) == JSON:
        now = datetime.now(UTC).isoformat(timespec="milliseconds")
        print(json.dumps({"time": now, "event": event, **values}), file=sys.stderr, flush=True)
