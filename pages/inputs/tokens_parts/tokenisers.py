"""The tokenisers of all installed models. One that cannot be read takes no other away."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import streamlit as st

from model import load_tokenizer
from model.tokens.tokenizer import Token, Tokenizer
from pages.shared.model_runs import text_work, traces
from views.inputs.every_tokeniser import Cuts

MAX_KEPT = 32  # tokenisers; with fewer than there are models, each visit would read all of them
KEPT_SECONDS = 600.0  # after which files that were refused are tried again


def cut_by_all(texts: Sequence[str]) -> Mapping[str, Cuts]:
    """How each tokeniser cuts texts, by the titles of the models."""
    return {title: _cut_texts(tokeniser, texts) for title, tokeniser in _load_tokenisers().items()}


def _cut_texts(tokeniser: Tokenizer | Exception, texts: Sequence[str]) -> Cuts:
    size = None if isinstance(tokeniser, Exception) else tokeniser.size
    return Cuts(size, text_work.in_turn(_cut(tokeniser, text) for text in texts))


def _cut(tokeniser: Tokenizer | Exception, text: str) -> tuple[Token, ...] | Exception:
    """The tokens of a text, or the error that says why there are none."""
    if isinstance(tokeniser, Exception):
        return tokeniser
    try:
        return tokeniser.encode(text, add_special=False)
    except traces.errors() as error:
        return error


def _load_tokenisers() -> dict[str, Tokenizer | Exception]:
    tokenisers: dict[str, Tokenizer | Exception] = {}
    for card in traces.cards():
        if not card.ready or card.name.startswith("tiny-lm-"):  # the variants of tiny-lm share its tokeniser
            continue
        tokenisers[card.title] = _read_tokeniser(card.name) if card.in_memory else _load_tokeniser(card.name)
    return tokenisers


@st.cache_resource(max_entries=MAX_KEPT, ttl=KEPT_SECONDS, show_spinner="Reading the tokenisers")
def _load_tokeniser(name: str) -> Tokenizer | Exception:
    """The tokeniser of one model, without the model's weights. An error is kept as well: otherwise each visitor would
    wait until the same files are read and refused."""
    return _read_tokeniser(name)


def _read_tokeniser(name: str) -> Tokenizer | Exception:
    try:
        return load_tokenizer(name)
    except traces.errors() as error:
        return error
