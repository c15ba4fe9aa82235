"""The tokens that the run bar shows: those that are read, and of a sentence that is too long the end that is not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pages.shared.model_runs import fitting_text, traces
from pages.shared.model_runs.request import Request

if TYPE_CHECKING:
    from model import Model
    from model.tokens.tokenizer import Token


@dataclass(frozen=True)
class TokensOnScreen:
    """The tokens of a request: of the text that is read, none where no other text is written, and of the other."""

    source_tokens: Sequence[Token]
    tokens: Sequence[Token]
    unread: str  # the end of the text, if the model cannot read the whole
    count: int | None  # of the whole text; None where the model does not take so many


def find_tokens(chosen: Model, request: Request) -> TokensOnScreen | None:
    """The tokens of a request of `chosen`: those of its run if a page has made it; else those of its text alone.

    None where the text cannot be cut into tokens or has none.
    """
    if (shown := traces.shown_run(request)) is not None:
        return TokensOnScreen(shown.source_tokens, shown.tokens, request.text[len(shown.text) :], shown.count)
    try:
        fitting = fitting_text.fit(chosen, request.text)
    except traces.errors():
        return None
    return TokensOnScreen((), fitting.tokens, request.text[len(fitting.text) :], fitting.count)
