"""What is read of the snapshots of a training: the scores of all heads, and one sentence in one of them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from model import Model, load
from model.experiments import snapshots
from model.generation.surprise import surprise
from views.learning.training.frame import Frame
from viz.shared.tokens import words


def score_heads(name: str, count: int) -> NDArray[np.float32]:
    """The most telling score of each head at the first `count` snapshots: (snapshots, layers, heads)."""
    return np.stack([snapshots.head_scores(load(name, snapshot=number)).numpy() for number in range(count)])


def read_frame(name: str, number: int, text: str) -> Frame:
    """A sentence in a snapshot. Raises `GlassformerError`."""
    trained = load(name)
    return frame_of(trained, load(name, snapshot=number), text, translation_of(trained, text))


def translation_of(model: Model, text: str) -> tuple[int, ...]:
    """The trained model's translation of a text, without <EOS>. () for a language model.

    Every snapshot reads it, so that their attention can be compared.
    """
    if model.config.kind != "encoder-decoder":
        return ()
    return tuple(token.id for token in model.target_tokens(model.tokens_of(text), None)[1:])


def frame_of(trained: Model, model: Model, text: str, target: tuple[int, ...]) -> Frame:
    """A sentence in a snapshot (`model`) of a `trained` model. Raises `GlassformerError`."""
    tokenizer = trained.output_tokenizer
    answer = snapshots.answer(model, text)
    weights = snapshots.attention(model, text, target).numpy().astype(np.float16)
    trace = model.trace(text, keep="logits", target=tokenizer.decode(target) or None)
    losses = surprise(trace.logits[:-1], [token.id for token in trace.tokens[1:]]).loss.tolist()
    queries = keys = tuple(words(trained.tokens_of(text)))
    if trained.config.kind == "encoder-decoder":
        queries = tuple(words(tokenizer.tokens([tokenizer.sequence_start, *target])))
    return Frame(answer, queries, keys, weights, tuple(losses))
