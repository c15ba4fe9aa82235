"""The parts of the page Why this word. A new part has its entry here and its value in the key `why_part`."""

from __future__ import annotations

from collections.abc import Callable

from pages.models.why_parts import account, cause, patching, steer, tokens
from pages.models.why_parts.question import Question

# The value of the key -> its title, and its function of the question and the depth.
PARTS: dict[str, tuple[str, Callable[[Question, str], None]]] = {
    "account": (":material/functions: Account", account.show),
    "tokens": (":material/short_text: Tokens", tokens.show),
    "cause": (":material/content_cut: By cause", cause.show),
    "patching": (":material/healing: Patching", patching.show),
    "steer": (":material/tune: Steer", steer.show),
}
