"""The meaning of the control tokens that a page names, such as <|im_end|>, where the reader meets them."""

from __future__ import annotations

from collections.abc import Iterable

from model.tokens.control_tokens import known_among
from model.tokens.tokenizer import Token
from pages.shared.elements import layout
from viz.shared.style import markdown_text


def explain(tokens: Iterable[Token]) -> None:
    """A line for each control token among these, if its meaning is known."""
    explain_names(token.text for token in tokens if token.special)


def explain_names(names: Iterable[str]) -> None:
    """A line for each control token among these names, if its meaning is known."""
    for name, each in known_among(names).items():
        layout.cite(f"**{markdown_text(name)}**: {each.meaning}. {each.source}.")
