"""How often one address may ask for views and for keys, and how much it may send. No Streamlit here.

A class of hundreds often shares one address, and each step lets all of them ask at one moment. So a burst is large;
what is bounded is a flood that goes on.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable

from pages.shared.server.networks import THIS_COMPUTER, network_of

BURST = 4000  # requests at one moment
REFILL = 400.0  # requests a second, for as long as anybody likes
MAX_ADDRESSES = 10_000  # that are remembered; the one that was silent longest is forgotten first


class RequestLimits:
    """A bucket of requests for each address (token bucket). For one thread, as that of an event loop."""

    def __init__(
        self, burst: float = BURST, refill: float = REFILL, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._burst, self._refill, self._clock = burst, refill, clock
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()  # address -> requests left, and when

    def take(self, address: str, amount: float = 1) -> bool:
        """Count a request, or that many bytes. False: there are too many.

        This machine's own address has no limit: a proxy may have it.
        """
        network = network_of(address)
        if network == THIS_COMPUTER:
            return True
        now = self._clock()
        left, then = self._left.pop(network, (self._burst, now))
        left = min(self._burst, left + (now - then) * self._refill)
        is_free = left >= amount
        self._left[network] = (left - amount * is_free, now)
        if len(self._left) > MAX_ADDRESSES:
            self._left.popitem(last=False)
        return is_free


LIMITS = RequestLimits()
