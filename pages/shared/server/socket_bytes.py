"""How many bytes the browsers of one site may send by WebSockets: at once, and unfinished.

A message of Streamlit may have 8 MB, since a pasted picture is one. The server keeps a message until all of it has
come, and its content until the page has run. So whoever opens many sockets would fill the memory with them.
"""

from __future__ import annotations

from pages.shared.server import metrics
from pages.shared.server.metrics import Refusal
from pages.shared.server.networks import THIS_COMPUTER, site_of
from pages.shared.server.private_parts.server import Socket, receive_all, unfinished_bytes
from pages.shared.server.request_limits import RequestLimits

# A click is one kilobyte. A class of 300 that comes back sends 300 lectures of 600 kB.
BURST_BYTES = 300_000_000.0
REFILL_BYTES = 5_000_000.0  # a second
SMALL_BYTES = 65_536  # Less than this of one message is not looked at.
MAX_UNFINISHED_BYTES = 100_000_000  # of one site
MAX_ALL_UNFINISHED_BYTES = 300_000_000

_received = RequestLimits(BURST_BYTES, REFILL_BYTES)


def receive(protocol: Socket, data: bytes) -> None:
    """In the place of the protocol's own `data_received`. A connection that brings too much is ended."""
    receive_all(protocol, data)
    site = _site(protocol)
    is_large = unfinished_bytes(protocol) > SMALL_BYTES
    if not _received.take(site, len(data)) or (is_large and _has_too_much(protocol, site)):
        metrics.refuse(Refusal.BODY)
        protocol.transport.abort()


def _has_too_much(protocol: Socket, site: str) -> bool:
    sockets = [each for each in protocol.connections if isinstance(each, Socket)]
    kept = [(_site(each), unfinished_bytes(each)) for each in sockets]
    of_site = sum(size for its, size in kept if its == site)
    return (site != THIS_COMPUTER and of_site > MAX_UNFINISHED_BYTES) or (
        sum(size for _, size in kept) > MAX_ALL_UNFINISHED_BYTES
    )


def _site(protocol: Socket) -> str:
    """Proxies tell it with the first request of the connection (`pages.shared.server.proxies`)."""
    scope = getattr(protocol, "scope", None)
    client = scope.get("client") if scope else protocol.client
    return site_of(client[0] if client else None)
