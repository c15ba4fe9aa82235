"""The translations that models have written of readers' sentences, which all sessions share, bounded by bytes.

A translator writes token by token, which takes several times as long as its run over both sentences. So it writes a
sentence once, whichever tensors the pages keep of its runs.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING

import streamlit as st

from pages.shared.model_runs.shared_cache import SharedCache
from pages.shared.server import metrics

if TYPE_CHECKING:
    from model.tokens.tokenizer import Token

MAX_BYTES = 10_000_000
TOKEN_BYTES = 200  # about


def find(sentence: Hashable) -> tuple[Token, ...] | None:
    """What the decoder reads of the translation of a sentence; None if nobody has asked for it yet.

    `sentence` names the model and its weights, too.
    """
    return _translations().find(sentence)


def remember(sentence: Hashable, tokens: tuple[Token, ...]) -> None:
    _translations().get(sentence, lambda: tokens)


@st.cache_resource(show_spinner=False, max_entries=1)
def _translations() -> SharedCache[tuple[Token, ...]]:
    cache = SharedCache[tuple["Token", ...]](MAX_BYTES, lambda tokens: TOKEN_BYTES * len(tokens))
    return metrics.watch_cache("translations", cache)
