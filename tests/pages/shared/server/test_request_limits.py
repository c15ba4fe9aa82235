"""How often one address may ask."""

from __future__ import annotations

from pages.shared.server import request_limits
from pages.shared.server.request_limits import RequestLimits


def test_an_address_has_a_burst_and_gets_more_with_time() -> None:
    now = [0.0]
    limits = RequestLimits(burst=2, refill=1.0, clock=lambda: now[0])
    assert [limits.take("10.0.0.1") for _ in range(3)] == [True, True, False]
    assert limits.take("10.0.0.2"), "another address"
    now[0] = 1.0
    assert [limits.take("10.0.0.1") for _ in range(2)] == [True, False]
    now[0] = 100.0
    assert [limits.take("10.0.0.1") for _ in range(3)] == [True, True, False]


def test_this_machine_has_no_limit_and_the_memory_is_bounded() -> None:
    limits = RequestLimits(burst=1, refill=0.0)
    assert all(limits.take("127.0.0.1") for _ in range(10))
    for number in range(request_limits.MAX_ADDRESSES + 10):
        limits.take(f"10.{number >> 16}.{number >> 8 & 255}.{number & 255}")
    assert len(limits._left) == request_limits.MAX_ADDRESSES


def test_a_network_of_ipv6_counts_as_one_address() -> None:
    limits = RequestLimits(burst=1, refill=0.0)
    assert [limits.take(address) for address in ("2001:db8::1", "2001:db8::2", "2001:db9::1")] == [True, False, True]


def test_bytes_are_counted_as_they_come() -> None:
    now = [0.0]
    limits = RequestLimits(burst=100, refill=10, clock=lambda: now[0])
    assert [limits.take("2001:db8:1::/48", 60) for _ in range(2)] == [True, False]
    assert limits.take("2001:db8:2::/48", 60)
    now[0] = 2.0
    assert limits.take("2001:db8:1::/48", 60)
