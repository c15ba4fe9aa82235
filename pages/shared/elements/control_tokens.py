"""The meaning of the control tokens that a page names, such as <|im_end|>, where the reader meets them."""

from __future__ import annotations

from collections.abc import Iterable

import streamlit as st

from model.tokens.tokenizer import Token
from views.shared import control_words


def explain(tokens: Iterable[Token]) -> None:
    """A line for each control token among these, if its meaning is known."""
    explain_names(token.text for token in tokens if token.special)


def explain_names(names: Iterable[str]) -> None:
    """A line for each control token among these names, if its meaning is known."""
    for line in control_words.explain_names(names):
        st.caption(line.text)
