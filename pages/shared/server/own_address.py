"""The address of this computer in its network, whether the server listens to that network, and its base path."""

from __future__ import annotations

import socket
from functools import cache
from ipaddress import ip_address
from pathlib import Path

import streamlit as st

ELSEWHERE = (
    "192.0.2.1"  # of no computer (RFC 5737): a socket that is connected to it tells its own end, and sends nothing
)
DISCARD_PORT = 9
CONTAINER_SIGNS = ("/.dockerenv", "/run/.containerenv")  # of Docker and of Podman


def base_path() -> str:
    """The server's base path: "" or "/name"."""
    path = str(st.get_option("server.baseUrlPath") or "").strip("/")
    return f"/{path}" if path else ""


@cache
def own_address() -> str:
    """The IPv4 address by which other devices reach this computer.

    "" where it has no network, and in a container, whose address nobody outside can reach.
    """
    if any(Path(sign).exists() for sign in CONTAINER_SIGNS):
        return ""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect((ELSEWHERE, DISCARD_PORT))
        except OSError:
            return ""
        found = str(probe.getsockname()[0])
    return "" if is_loopback(found) else found


def listens_here_alone() -> bool:
    """Whether only browsers of this computer reach the server. Without an address, it listens to the whole network."""
    return is_loopback(str(st.get_option("server.address") or ""))


def is_loopback(host: str) -> bool:
    """Whether a name or an address is that of the machine itself."""
    try:
        return ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host == "localhost"
