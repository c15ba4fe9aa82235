"""How many WebSockets are open at once: in all, from one network and from one site.

A lecture hall often shares one address: its network has one towards the internet. So the limit of a network is far
above what one person needs. But of all connections a fifth is left to others, whatever one site opens.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from starlette.websockets import WebSocket

from pages.shared.server import metrics
from pages.shared.server.limits import FOLLOWERS, FOLLOWERS_OF_ADDRESS, SESSIONS
from pages.shared.server.metrics import Refusal
from pages.shared.server.networks import THIS_COMPUTER, network_of, site_of

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send

STREAMLIT_SOCKET = "/_stcore/stream"
FULL = 1013  # the close code of a connection that is not taken; the browser hears of 403 and tries again later


class Connections:
    """Open connections. For one thread, as that of an event loop. `most` and `of_network` are asked each time."""

    def __init__(self, most: Callable[[], int], of_network: Callable[[], int]) -> None:
        self._most, self._of_network = most, of_network
        self._networks: Counter[str] = Counter()
        self._sites: Counter[str] = Counter()

    @contextmanager
    def hold(self, address: str | None) -> Iterator[bool]:
        """Count a connection from an address while the `with` lasts. False: there are too many, and it is not counted.

        This computer's own address counts only among all: a proxy that does not tell whose connections it brings has
        it too.
        """
        network, site = network_of(address), site_of(address)
        if not self._has_room(network, site):
            yield False
            return
        self._networks[network] += 1
        self._sites[site] += 1
        try:
            yield True
        finally:
            _give_back(self._networks, network)
            _give_back(self._sites, site)

    def _has_room(self, network: str, site: str) -> bool:
        most = self._most()
        if network != THIS_COMPUTER:
            of_site = most - most // 5
            if self._networks[network] >= min(self._of_network(), of_site) or self._sites[site] >= of_site:
                return False
        return self._sites.total() < most


def _give_back(counted: Counter[str], owner: str) -> None:
    counted[owner] -= 1
    if not counted[owner]:
        del counted[owner]


ROOMS = Connections(lambda: 2 * FOLLOWERS.value, lambda: FOLLOWERS_OF_ADDRESS.value)
# Each is a session of Streamlit, also one that finds no seat. A class whose network fails comes back before its old
# connections are given up.
STREAMS = Connections(lambda: 4 * SESSIONS.value, lambda: 2 * SESSIONS.value)


class BoundedStreams:
    """ASGI middleware that takes no more of Streamlit's sockets than `STREAMS` allows."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "websocket" or not scope["path"].endswith(STREAMLIT_SOCKET):
            await self.app(scope, receive, send)
            return
        client = scope.get("client")
        with STREAMS.hold(client[0] if client else None) as is_taken:
            if is_taken:
                await self.app(scope, receive, send)
            else:
                metrics.refuse(Refusal.CONNECTIONS)
                await WebSocket(scope, receive, send).close(FULL)
