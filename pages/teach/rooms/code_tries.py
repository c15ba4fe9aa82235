"""Wrong codes slow down the one who types them, not the class around.

Each session waits after a wrong code, twice as long each time. A class behind one address has a session each, so one
joker delays nobody else. Sessions cost nothing, so there are bounds for one address and for all, so wide that no class
reaches them by mistyping. They are what keeps a program from finding a code: with 300 tries a minute, one code of 31^6
is found within twelve hours with a probability of 0.0003.
"""

from __future__ import annotations

from collections import OrderedDict, deque

FREE_TRIES = 3  # wrong codes of a session without any waiting
MAX_WAIT_SECONDS = 60.0
FORGET_SECONDS = 600.0  # A session whose last wrong code is older starts anew.
MAX_SESSIONS = 5000  # that are remembered; the oldest is forgotten first
WINDOW_SECONDS = 60.0
MAX_ADDRESS_WRONG = 150  # wrong codes of one address in that time
MAX_ALL_WRONG = 300  # of all addresses in that time


class CodeTries:
    """The wrong codes of the last minutes. For one thread at a time. Times are seconds of one clock."""

    def __init__(self) -> None:
        self._recent: deque[tuple[float, str]] = deque()  # time and address
        self._sessions: OrderedDict[str, tuple[int, float]] = OrderedDict()  # session -> wrong codes, time of the last

    def seconds_to_wait(self, session: str, address: str, now: float) -> float:
        """How long this session must wait before a code of it is compared."""
        self._forget(now)
        count, last = self._sessions.get(session, (0, now))
        own = min(2.0 ** (count - FREE_TRIES), MAX_WAIT_SECONDS) - (now - last) if count >= FREE_TRIES else 0.0
        times = [time for time, who in self._recent if who == address]
        full = self._recent[0][0] if len(self._recent) >= MAX_ALL_WRONG else None
        full = times[0] if full is None and len(times) >= MAX_ADDRESS_WRONG else full
        return max(own, 0.0 if full is None else full + WINDOW_SECONDS - now, 0.0)

    def count_wrong(self, session: str, address: str, now: float) -> None:
        """Remember a wrong code."""
        self.count_elsewhere(address, now)
        count, _ = self._sessions.pop(session, (0, now))
        self._sessions[session] = count + 1, now
        if len(self._sessions) > MAX_SESSIONS:
            self._sessions.popitem(last=False)

    def count_elsewhere(self, address: str, now: float) -> None:
        """Remember a wrong code that another process of this server was given. Its session waits there."""
        self._recent.append((now, address))

    def _forget(self, now: float) -> None:
        while self._recent and self._recent[0][0] <= now - WINDOW_SECONDS:
            self._recent.popleft()
        while self._sessions and next(iter(self._sessions.values()))[1] <= now - FORGET_SECONDS:
            self._sessions.popitem(last=False)
