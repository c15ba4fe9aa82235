"""From which length on the parts of a page that make many runs take their time."""

from __future__ import annotations

# Over more tokens, many runs, or runs with every logit, are made when the reader asks for them, or for a window.
MOST_TOKENS = 256
