"""How many tokens a text may have on a page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pages.shared.session import state

if TYPE_CHECKING:
    from model import Model

MAX_TOKENS = 1024  # even if the model could read more
MAX_TOKENS_OF_ONE_HEAD = 2048  # where a view shows the matrices of one head, and nothing of the others
VIEWS_OF_ONE_HEAD = {"heads": ("heads_view", "Matrix"), "scores": ("scores_part", "steps")}  # by page: key and value


def token_limit(chosen: Model) -> int:
    """How many tokens a text may have on the page and in the view that the reader has open."""
    return min(chosen.config.max_length, most_tokens())


def most_tokens() -> int:
    """The limit of this page and view, whatever the model reads."""
    key, view = VIEWS_OF_ONE_HEAD.get(state.page(), ("", ""))
    return MAX_TOKENS_OF_ONE_HEAD if key and state.get(key) == view else MAX_TOKENS
