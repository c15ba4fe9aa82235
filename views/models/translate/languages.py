"""The languages that a translator reads and writes, by its name."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from model import Card

NAMED = re.compile(  # Helsinki-NLP/opus-mt-en-ur@1a2b3c4d, and the bundled en-ur-everyday
    r"(?:^|[-_/:])([a-z]{2,3})-([a-z]{2,3})(?:@|-everyday$|$)"
)
ENGLISH_TO_URDU = ("en", "ur")


def languages(card: Card) -> tuple[str, str] | None:
    """The codes of the languages that a translator reads and writes; None where its name does not end with them."""
    found = NAMED.search(card.name)
    return (found[1], found[2]) if found else None
