"""Why this word, Patching: which tokens of a long text are on screen, and so are patched."""

from __future__ import annotations

from model.experiments.patching import Patching
from model.experiments.sentence_pair import Site
from pages.shared.elements import long_text
from pages.shared.session import token_window

MOST_MEASURED = 64  # tokens of a window: each is patched in a run of its own, in every layer


def choose_rows(name: str, patching: Patching, site: Site, at: int = -1) -> slice:
    """The heads of a site, or its tokens on screen. Of a long text the reader chooses a window of tokens.

    Of a long text, the tokens that are the same in both runs are left out. `name` and `at` are those of
    `token_window.choose`.
    """
    count, first = patching.shape(site)[1], first_token(patching, site)
    if site.is_of_heads or count - first <= long_text.MOST_TOKENS:
        return slice(first, count)
    window = token_window.choose(name, count - first, start=first, at=at)
    return slice(first + window.start, first + window.stop)


def first_token(patching: Patching, site: Site) -> int:
    """The first row that may be on screen."""
    pair = patching.pair
    return pair.shared if len(pair.clean.ids) > long_text.MOST_TOKENS and not site.is_of_heads else 0


def is_far(patching: Patching) -> bool:
    """Whether the first difference stands more than `long_text.MOST_TOKENS` tokens before the end. All tokens of an
    encoder see it."""
    pair, stacks = patching.pair, patching.network.config.stacks
    return max(len(pair.clean.of(stack)) for stack in stacks) - pair.shared > long_text.MOST_TOKENS


def is_too_wide(patching: Patching, site: Site, rows: slice) -> bool:
    """Whether a window has more tokens than are measured. Without a window, all are."""
    count = patching.shape(site)[1] - first_token(patching, site)
    return not site.is_of_heads and count > long_text.MOST_TOKENS and rows.stop - rows.start > MOST_MEASURED


def say_too_wide() -> str:
    return f"Each is patched in a run of its own: choose a window of at most {MOST_MEASURED} tokens to measure them."
