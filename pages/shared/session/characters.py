"""Characters that no text can hold. A browser can send them, and no text with one can be sent back to it."""

from __future__ import annotations

import re

REPLACEMENT = "\ufffd"  # Unicode's sign for what is no character
# Half of a pair in UTF-16, which JavaScript lets stand alone.
_HALF = re.compile("[\ud800-\udfff]")


def replace_halves(text: str) -> str:
    """The text with the replacement sign for each half of a character."""
    return _HALF.sub(REPLACEMENT, text)
