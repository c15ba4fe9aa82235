"""What the replay shows of each snapshot, kept for all sessions."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from model import load
from model.experiments import snapshots
from model.generation.surprise import surprise
from pages.shared import traces
from pages.shared.shared_cache import SharedCache
from viz.shared.tokens import words

MAX_FRAME_BYTES = 16_000_000


@dataclass(frozen=True)
class Frame:
    """One snapshot and one sentence. `weights` (layers, heads, queries, keys) are 0..1."""

    answer: str
    queries: tuple[str, ...]
    keys: tuple[str, ...]
    weights: NDArray[np.float16]


def frame(name: str, number: int, text: str) -> Frame:
    """Raises `model.GlassformerError`."""
    return _frames().get((name, number, text), lambda: _compute_frame(name, number, text))


def _compute_frame(name: str, number: int, text: str) -> Frame:
    final = traces.model(name)
    traces.check_length(final, text)
    writer, target = final.output_tokenizer, _translation(name, text)
    with traces.forward_pass():
        model = load(name, snapshot=number, device=traces.device())
        answer = snapshots.answer(model, text)
        weights = snapshots.attention(model, text, target).numpy().astype(np.float16)
    keys = tuple(words(final.tokens_of(text)))
    queries = keys
    if final.config.kind == "encoder-decoder":
        queries = tuple(words(writer.tokens([writer.sequence_start, *target])))
    return Frame(answer, queries, keys, weights)


@st.cache_data(show_spinner=False, max_entries=64)
def _translation(name: str, text: str) -> tuple[int, ...]:
    """What the trained model makes of a text, without <EOS>: what every snapshot is made to read. () of a language
    model."""
    model = traces.model(name)
    if model.config.kind != "encoder-decoder":
        return ()
    with traces.forward_pass():
        return tuple(token.id for token in model.target_tokens(model.tokens_of(text), None)[1:])


@st.cache_data(show_spinner=False, max_entries=32)
def scores(name: str, number: int) -> NDArray[np.float32]:
    """The most telling score of each head at a snapshot: (layers, heads)."""
    with traces.forward_pass():
        model = load(name, snapshot=number, device=traces.device())
        return snapshots.head_scores(model).numpy()


def all_scores(name: str, count: int) -> NDArray[np.float32]:
    """(snapshots, layers, heads). The first time it opens every snapshot, and a bar shows how far it is."""
    bar = st.empty()
    made: list[NDArray[np.float32]] = []
    for number in range(count):
        if len(made) and st.session_state.get("_replay_scored") != name:
            bar.progress(number / count, text=f"Opening snapshot {number + 1} of {count}")
        made.append(scores(name, number))
    bar.empty()
    st.session_state["_replay_scored"] = name
    return np.stack(made)


@st.cache_resource(show_spinner=False, max_entries=1)
def _frames() -> SharedCache[Frame]:
    return SharedCache(MAX_FRAME_BYTES, lambda made: made.weights.nbytes)


@st.cache_data(show_spinner=False, max_entries=64)
def losses(name: str, number: int, text: str) -> list[float]:
    """-ln p of each token of a text after the first, or of the trained model's translation of it, in a snapshot.

    Raises `model.GlassformerError`.
    """
    final = traces.model(name)
    traces.check_length(final, text)
    target = final.output_tokenizer.decode(_translation(name, text)) or None
    with traces.forward_pass():
        trace = load(name, snapshot=number, device=traces.device()).trace(text, keep="logits", target=target)
    return surprise(trace.logits[:-1], [token.id for token in trace.tokens[1:]]).loss.tolist()
