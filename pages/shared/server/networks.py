"""Where a visitor comes from. Every limit that visitors share counts by this, so that nobody takes all alone.

A household or a lecture hall has one IPv4 address, or one IPv6 network of 64 bits. Whoever rents a line or a server
gets up to 2^16 such IPv6 networks, all with the same first 48 bits (RFC 6177): a site. So limits that a class must not
reach count networks, and shares of all that there is count sites.
"""

from __future__ import annotations

from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address

import streamlit as st

from pages.shared.server.private_parts import runs

NETWORK_BITS = 64
SITE_BITS = 48
THIS_COMPUTER = "this computer"


def network_of(address: str | None) -> str:
    """An IPv4 address, the network of an IPv6 address, or `THIS_COMPUTER`. A text that is no address stays as it is.

    Streamlit gives None for a visitor from this computer. A proxy on this computer that does not tell whose requests it
    brings makes all of its visitors `THIS_COMPUTER`. See `pages.shared.server.proxies`.
    """
    return _cut(address, NETWORK_BITS)


def site_of(address: str | None) -> str:
    """What `network_of` gives, but for an IPv6 address the network of its first 48 bits."""
    return _cut(address, SITE_BITS)


def network_here() -> str | None:
    """The network of the visitor whose session this is. None for none, and for this computer, which may bring many."""
    if runs.session_id() is None:
        return None
    network = network_of(st.context.ip_address)
    return None if network == THIS_COMPUTER else network


def _cut(address: str | None, bits: int) -> str:
    if not isinstance(address, str) or not address:  # in tests of pages Streamlit gives a stand-in
        return THIS_COMPUTER
    try:
        known: IPv4Address | IPv6Address = ip_address(address)
    except ValueError:  # a name, as tests have it
        return address
    if isinstance(known, IPv6Address) and known.ipv4_mapped is not None:
        known = known.ipv4_mapped
    if known.is_loopback:
        return THIS_COMPUTER
    if isinstance(known, IPv6Address):
        return str(IPv6Network((int(known), bits), strict=False))
    return str(known)
