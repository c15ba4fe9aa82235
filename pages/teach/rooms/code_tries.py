"""Wrong codes slow down the one who types them, not the class around, and not another network.

Each session waits after a wrong code, twice as long each time. A class behind one address has a session each, so one
joker delays nobody else. Sessions cost nothing, so there are bounds for a network and for a site
(`pages.shared.server.networks`), so wide that no class reaches them by mistyping: each of `CLASS_SIZE` may do it twice.

Networks cost something, but are not scarce. So there is a bound for all too, which stops no network that has mistyped
little: nobody uses it up for others. These bounds are what keeps a program from finding a code, one of 31^6. In twelve
hours a network makes 720 x 600 tries and finds it with a probability of 0.0005, and so does a site. All networks
together find it with one of 0.0024, or of 0.024 where 10,000 of them make their free tries in each minute. More tries
than `MAX_REMEMBERED` a minute are never made.
"""

from __future__ import annotations

from collections import OrderedDict, deque

from pages.shared.server.limits import CLASS_SIZE
from pages.shared.server.networks import network_of, site_of

FREE_TRIES = 3  # wrong codes of a session without any waiting, and of a network where all have made too many
MAX_WAIT_SECONDS = 60.0
FORGET_SECONDS = 600.0  # A session whose last wrong code is older starts anew.
MAX_SESSIONS = 5000  # that are remembered; the oldest is forgotten first
WINDOW_SECONDS = 60.0
MAX_WRONG = 2 * CLASS_SIZE  # wrong codes of one network, and of one site, in that time
MAX_ALL_WRONG = 3000  # of all in that time, before a network has no more than its free ones
MAX_REMEMBERED = 60_000  # Beyond it everybody waits, also those who have mistyped nothing.


class CodeTries:
    """The wrong codes of the last minutes. For one thread at a time. Times are seconds of one clock."""

    def __init__(self) -> None:
        self._recent: deque[tuple[float, set[str]]] = deque()  # time, and the network and site
        self._times: dict[str, deque[float]] = {}  # network or site -> times
        self._sessions: OrderedDict[str, tuple[int, float]] = OrderedDict()  # session -> wrong codes, time of the last

    def seconds_to_wait(self, session: str, address: str, now: float) -> float:
        """How long this session must wait before a code of it is compared."""
        self._forget(now)
        count, last = self._sessions.get(session, (0, now))
        own = min(2.0 ** (count - FREE_TRIES), MAX_WAIT_SECONDS) - (now - last) if count >= FREE_TRIES else 0.0
        allowed = FREE_TRIES if len(self._recent) >= MAX_ALL_WRONG else MAX_WRONG
        full = [times[-allowed] for times in map(self._times_of, _owners(address)) if len(times) >= allowed]
        if len(self._recent) >= MAX_REMEMBERED:
            full.append(self._recent[0][0])
        return max(own, *(time + WINDOW_SECONDS - now for time in full), 0.0)

    def count_wrong(self, session: str, address: str, now: float) -> None:
        """Remember a wrong code."""
        self.count_elsewhere(address, now)
        count, _ = self._sessions.pop(session, (0, now))
        self._sessions[session] = count + 1, now
        if len(self._sessions) > MAX_SESSIONS:
            self._sessions.popitem(last=False)

    def count_elsewhere(self, address: str, now: float) -> None:
        """Remember a wrong code that another process of this server was given. Its session waits there."""
        owners = _owners(address)
        self._recent.append((now, owners))
        for owner in owners:
            self._times.setdefault(owner, deque()).append(now)

    def _times_of(self, owner: str) -> deque[float]:
        return self._times.get(owner, deque())

    def _forget(self, now: float) -> None:
        while self._recent and self._recent[0][0] <= now - WINDOW_SECONDS:
            for owner in self._recent.popleft()[1]:
                self._times[owner].popleft()
                if not self._times[owner]:
                    del self._times[owner]
        while self._sessions and next(iter(self._sessions.values()))[1] <= now - FORGET_SECONDS:
            self._sessions.popitem(last=False)


def _owners(address: str) -> set[str]:
    return {network_of(address), site_of(address)}
