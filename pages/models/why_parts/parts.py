"""The parts of the page Why this word. A new part has its entry here and its value in the key `why_part`."""

from __future__ import annotations

from collections.abc import Callable

from pages.models.why_parts import account, cause, tokens
from pages.models.why_parts.question import Question

# The value of the key -> its title, and its function of the question and the depth.
PARTS: dict[str, tuple[str, Callable[[Question, str], None]]] = {
    "account": (":material/functions: The account", account.show),
    "tokens": (":material/short_text: Which tokens", tokens.show),
    "cause": (":material/content_cut: Checked by cause", cause.show),
}
