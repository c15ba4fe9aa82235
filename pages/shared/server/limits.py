"""All limits of the server, each with its default, its unit and the environment variable that sets another value.

Two thoughts are behind the defaults. No reader who uses the pages by hand reaches a limit of a session. And a class of
`CLASS_SIZE` behind one address, as behind the router of a lecture hall, does not reach a limit of an address. So the
limits of an address are high: they stop a program that opens session after session.
"""

from __future__ import annotations

import os
from dataclasses import dataclass

CLASS_SIZE = 300  # readers behind one address
WINDOW_SECONDS = 60  # The limits "a minute" count what was done in the last minute.


class LimitSettingError(ValueError):
    """An environment variable sets a limit to a value that is no whole number of at least 1."""


@dataclass(frozen=True)
class Limit:
    """One limit. Its value is read from the environment each time, else it is the default."""

    variable: str
    default: int
    unit: str
    explanation: str

    @property
    def value(self) -> int:
        """Raises `LimitSettingError`."""
        text = os.environ.get(self.variable, "").strip()
        if not text:
            return self.default
        if not text.isascii() or not text.isdigit() or int(text) < 1:
            raise LimitSettingError(f"{self.variable} is {text!r}. It must be a whole number of at least 1.")
        return int(text)


@dataclass(frozen=True)
class RateLimit:
    """How often something may be done in a minute, by one session and from one address."""

    name: str
    verb: str  # after "You have"
    noun: str  # of one that was done
    of_session: Limit
    of_address: Limit


def _rate(name: str, verb: str, noun: str, defaults: tuple[int, int], explanation: str, reason: str) -> RateLimit:
    session, address = defaults
    unit = f"{name.lower()} a minute"
    return RateLimit(
        name.lower(),
        verb,
        noun,
        Limit(f"GLASSFORMER_MAX_{name}_A_SESSION", session, unit, explanation),
        Limit(f"GLASSFORMER_MAX_{name}_AN_ADDRESS", address, unit, f"The same from one address. {reason}"),
    )


RUNS = _rate(
    "RUNS",
    "made",
    "run",
    (600, 60_000),
    "Runs of a model that no cache holds. A view that plays twice a second takes 360.",
    "300 readers, 20 new views each, 10 runs a view.",
)
UPLOADS = _rate(
    "UPLOADS",
    "opened",
    "file",
    (30, 3_000),
    "Pictures and lecture files that are opened.",
    "300 readers, 10 files each.",
)
TRAININGS = _rate(
    "TRAININGS",
    "started",
    "live training",
    (20, 3_000),
    "Live trainings that are started. Two work at once on a server; the others wait.",
    "300 readers, 10 trainings each.",
)
SWEEPS = _rate(
    "SWEEPS",
    "started",
    "measurement",
    (20, 3_000),
    "Sweeps and other measurements that are started. The runs inside them do not count as runs.",
    "300 readers, 10 sweeps each.",
)
TOKENS = _rate(
    "TOKENS",
    "had the server write",
    "token",
    (12_000, 600_000),
    "Tokens that Predict, its race of caches and beam search write. A text has at most 1,024, a wide beam takes 320.",
    "300 readers, 2,000 tokens each.",
)
ADDITIONS = _rate(
    "ADDITIONS",
    "asked for",
    "model",
    (30, 3_000),
    "Models that are looked up or added. Two are downloaded at once on a server; the others wait.",
    "300 readers, 10 models each.",
)
RATES = (RUNS, UPLOADS, TRAININGS, SWEEPS, TOKENS, ADDITIONS)

RUN_SECONDS = Limit(
    "GLASSFORMER_MAX_RUN_SECONDS",
    120,
    "seconds",
    "The time of one run, or of one step of a sweep. A longer one is stopped.",
)
RUN_BYTES = Limit(
    "GLASSFORMER_MAX_RUN_BYTES",
    500_000_000,
    "bytes",
    "The tensors that one run keeps. Over 2,048 tokens of the largest model they are 293 million: the others are made "
    "when a page looks at them.",
)
SESSIONS = Limit(
    "GLASSFORMER_MAX_SESSIONS",
    400,
    "sessions",
    "Open tabs in all: a class of 300, and others. Any further one reads that the server is full, and looks again "
    "every minute. The presenter of an open room always gets in.",
)
SESSIONS_OF_ADDRESS = Limit(
    "GLASSFORMER_MAX_SESSIONS_AN_ADDRESS",
    320,
    "sessions",
    "The same from one address, for a class of 300. Where all seats are taken, an address without any still gets one, "
    "of a tenth that is kept for this.",
)
UPLOADED_BYTES_OF_SESSION = Limit(
    "GLASSFORMER_MAX_UPLOADED_BYTES_A_SESSION",
    40_000_000,
    "bytes",
    "Files of one session that are kept or are coming, opened or not: two of the largest size. The end of the session "
    "gives them back.",
)
UPLOADED_BYTES_OF_ADDRESS = Limit(
    "GLASSFORMER_MAX_UPLOADED_BYTES_AN_ADDRESS",
    900_000_000,
    "bytes",
    "The same from one address. 300 readers, a photo of 3 MB each.",
)
UPLOADED_BYTES = Limit(
    "GLASSFORMER_MAX_UPLOADED_BYTES",
    1_500_000_000,
    "bytes",
    "The same of all sessions.",
)
FOLLOWERS = Limit(
    "GLASSFORMER_MAX_FOLLOWERS",
    4_000,
    "followers",
    "Followers of one room whose browsers one process serves. It serves twice as many connections to all rooms.",
)
FOLLOWERS_OF_ADDRESS = Limit(
    "GLASSFORMER_MAX_FOLLOWERS_AN_ADDRESS",
    2_000,
    "followers",
    "The same from one address, to all rooms. A hall of 1,000 that comes back before its old connections are given up.",
)


def all_limits() -> tuple[Limit, ...]:
    """Every limit, in the order of the table in docs/running.md."""
    rates = [limit for rate in RATES for limit in (rate.of_session, rate.of_address)]
    uploaded = (UPLOADED_BYTES_OF_SESSION, UPLOADED_BYTES_OF_ADDRESS, UPLOADED_BYTES)
    return (*rates, *uploaded, RUN_SECONDS, RUN_BYTES, SESSIONS, SESSIONS_OF_ADDRESS, FOLLOWERS, FOLLOWERS_OF_ADDRESS)


def check_settings() -> None:
    """Raises `LimitSettingError` for the first variable with an impossible value."""
    for limit in all_limits():
        _ = limit.value
