"""What counts as one visitor's place: a network for limits, a site for shares of all."""

from __future__ import annotations

import pytest

from pages.shared.server.networks import THIS_COMPUTER, network_of, site_of


@pytest.mark.parametrize(
    ("address", "network", "site"),
    [
        (None, THIS_COMPUTER, THIS_COMPUTER),
        ("", THIS_COMPUTER, THIS_COMPUTER),
        ("127.0.0.1", THIS_COMPUTER, THIS_COMPUTER),
        ("127.9.9.9", THIS_COMPUTER, THIS_COMPUTER),
        ("::1", THIS_COMPUTER, THIS_COMPUTER),
        ("::ffff:127.0.0.1", THIS_COMPUTER, THIS_COMPUTER),
        ("192.0.2.7", "192.0.2.7", "192.0.2.7"),
        ("::ffff:192.0.2.7", "192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2::1", "2001:db8:1:2::/64", "2001:db8:1::/48"),
        ("2001:db8:1:2:ffff::9", "2001:db8:1:2::/64", "2001:db8:1::/48"),
        ("2001:DB8:1:3::1", "2001:db8:1:3::/64", "2001:db8:1::/48"),
        ("fe80::1%eth0", "fe80::/64", "fe80::/48"),
        ("testclient", "testclient", "testclient"),
    ],
)
def test_the_network_and_the_site_of_an_address(address: str | None, network: str, site: str) -> None:
    assert (network_of(address), site_of(address)) == (network, site)
