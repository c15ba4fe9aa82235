"""What a prompt claims, beside what the page tells."""

from __future__ import annotations

import math

import pytest

from pages.shared.elements import claims
from pages.shared.elements.claims import Claim
from views.shared.ratios import ratio


@pytest.mark.parametrize(
    ("claim", "value", "holds"),
    [
        (Claim("x", "is", 2), 2, True),
        (Claim("x", "is", "dog"), "cat", False),
        (Claim("x", "is not", "dog"), "cat", True),
        (Claim("x", "has", "dog"), "hot dog", True),
        (Claim("x", "over", 0.5), 0.6, True),
        (Claim("x", "over", 0.5), 0.5, False),
        (Claim("x", "under", 0.5), 0.4, True),
        (Claim("x", "under", 0.5), math.nan, False),
    ],
)
def test_a_claim_holds_of_a_value_or_does_not(claim: Claim, value: claims.Value, holds: bool) -> None:
    assert claim.holds(value) == holds


def test_a_ratio_to_nothing_is_no_number_and_nothing_is_said_of_it() -> None:
    assert ratio(3, 2) == 1.5
    assert math.isnan(ratio(0.0, 0.0))
    claims.begin()
    claims.tell("the share", ratio(1, 0))
    assert claims.told("the share") is None
    assert claims.deny(Claim("the share", "over", 0.5)) == ""


def test_what_is_not_so_is_said_with_the_value() -> None:
    claims.begin()
    claims.tell("the share", 0.25)
    claims.tell("the word", "a*b")
    assert claims.deny(Claim("the share", "over", 0.2)) == ""
    assert claims.deny(Claim("the share", "over", 0.5)) == "**Not so here**: the share is 0.250."
    assert claims.deny(Claim("the word", "is", "b")) == "**Not so here**: the word is “a\\*b”."
