"""The meaning of the control tokens that a view names, such as <|im_end|>, where the reader meets them."""

from __future__ import annotations

from collections.abc import Iterable

from model.tokens.control_tokens import known_among
from model.tokens.tokenizer import Token
from views.shared.sources import link_sources
from viz.documents.page_parts import Text
from viz.shared.style import markdown_text


def explain(tokens: Iterable[Token]) -> list[Text]:
    """A line for each control token among these, if its meaning is known."""
    return explain_names(token.text for token in tokens if token.special)


def explain_names(names: Iterable[str]) -> list[Text]:
    """A line for each control token among these names, if its meaning is known."""
    return [
        Text(link_sources(f"**{markdown_text(name)}**: {each.meaning}. {each.source}."), "caption")
        for name, each in known_among(names).items()
    ]
