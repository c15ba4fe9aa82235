"""The tokenisers of all installed models, kept for all readers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import streamlit as st

from model.tokens.tokenizer import Tokenizer
from model.zoo.cards import IN_MEMORY
from pages.shared.model_runs import text_work
from views.inputs import tokenisers
from views.inputs.tokenisers import Cuts, read_tokeniser

MAX_KEPT = 32  # tokenisers; with fewer than there are models, each visit would read all of them
KEPT_SECONDS = 600.0  # after which files that were refused are tried again


def cut_by_all(texts: Sequence[str]) -> Mapping[str, Cuts]:
    """How each tokeniser cuts texts, by the titles of the models."""
    return tokenisers.cut_by_all(texts, _read, text_work.in_turn)


def _read(name: str) -> Tokenizer | Exception:
    """The kept tokeniser of a model. That of a model in memory may change."""
    return read_tokeniser(name) if name in IN_MEMORY else _keep(name)


@st.cache_resource(max_entries=MAX_KEPT, ttl=KEPT_SECONDS, show_spinner="Reading the tokenisers")
def _keep(name: str) -> Tokenizer | Exception:
    """The tokeniser of a model. An error is kept as well: otherwise each visitor would wait until the same files are
    read and refused."""
    return read_tokeniser(name)
