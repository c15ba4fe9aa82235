"""Examples for the page Why this word."""

from __future__ import annotations

from typing import Any

LUCY, OMAR = 465, 473  # ids of tiny-lm
LUCY_AND_OMAR: dict[str, Any] = {
    "model": "tiny-lm",
    "text": "While Lucy and Omar walked to the park, Omar gave a box to",
    "query": -1,
    "why_answer": LUCY,
    "why_against": OMAR,
}
