"""How many connections are open at once, in all and from one address. No Streamlit here.

A lecture hall often shares one address: its network has one towards the internet. So the limit of an address is far
above what one person needs, and by default half of what a room takes: nobody keeps a class out alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from ipaddress import IPv4Address, IPv6Address, ip_address

from pages.shared.server.limits import FOLLOWERS, FOLLOWERS_OF_ADDRESS

IPV6_NETWORK_BITS = 64  # One customer has all addresses of such a network (RFC 6177).


class Connections:
    """Open connections. For one thread, as that of an event loop."""

    def __init__(self) -> None:
        self._open: Counter[str] = Counter()

    @contextmanager
    def hold(self, address: str) -> Iterator[bool]:
        """Count a connection from an address while the `with` lasts. False: there are too many, and it is not counted.

        This machine's own address has no limit: a proxy that does not tell whose connections it brings has it too.
        """
        network = network_of(address)
        is_free = network == "" or self._open[network] < FOLLOWERS_OF_ADDRESS.value
        if not is_free or self._open.total() >= 2 * FOLLOWERS.value:
            yield False
            return
        self._open[network] += 1
        try:
            yield True
        finally:
            self._open[network] -= 1
            if not self._open[network]:
                del self._open[network]


def network_of(address: str) -> str:
    """What counts as one address: an IPv4 address, or an IPv6 network. "" for this machine."""
    try:
        known: IPv4Address | IPv6Address = ip_address(address)
    except ValueError:  # a name, as tests have it
        return address
    if isinstance(known, IPv6Address):
        if known.ipv4_mapped is None:
            bits = 128 - IPV6_NETWORK_BITS
            return "" if known.is_loopback else str(IPv6Address(int(known) >> bits << bits))
        known = known.ipv4_mapped
    return "" if known.is_loopback else str(known)


CONNECTIONS = Connections()
