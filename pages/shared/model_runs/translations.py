"""The translations that models have written of readers' sentences, which all sessions share, bounded by bytes.

A translator writes token by token, which takes several times as long as its run over both sentences. So it writes a
sentence once, whichever tensors the pages keep of its runs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from model.shared_cache import SharedCache
from pages.shared.model_runs import model_turns
from pages.shared.server import metrics
from views.run_spec import ModelSpec

if TYPE_CHECKING:
    from model import Model
    from model.tokens.tokenizer import Token

MAX_BYTES = 10_000_000
TOKEN_BYTES = 200  # about


def written_by(translator: Model, source: tuple[Token, ...]) -> tuple[Token, ...]:
    """What the decoder reads of the model's own translation of a sentence, <SOS> first. It is written once.

    To write it counts as a run, as the run over both sentences does that follows: who has reached the limit has no
    translation written either. Raises `LimitReached`, and what `Model.target_tokens` raises.
    """

    def write() -> tuple[Token, ...]:
        with model_turns.forward_pass():
            return translator.target_tokens(source, None)

    return _translations().get((ModelSpec.of(translator), source), write)


@st.cache_resource(show_spinner=False, max_entries=1)
def _translations() -> SharedCache[tuple[Token, ...]]:
    cache = SharedCache[tuple["Token", ...]](MAX_BYTES, lambda tokens: TOKEN_BYTES * len(tokens))
    return metrics.watch_cache("translations", cache)
