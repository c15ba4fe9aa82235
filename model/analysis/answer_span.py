"""The answer to a question as a span of a passage. Devlin et al. (2019), arXiv:1810.04805, section 4.2."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from model.errors import ModelMismatch
from model.run import Model
from model.tape import Trace
from model.tokens.tokenizer import Token


@dataclass(frozen=True)
class Span:
    """The tokens `start` to `end`, both included, and the sum of their two logits."""

    start: int
    end: int
    score: float


def passage_of(tokens: Sequence[Token], border: int | None) -> list[int]:
    """The places of the passage in "question [SEP] passage": all that are not special after the first border.

    `border` is the id of that token. A text without a border is a passage from its beginning.
    """
    words = [place for place, token in enumerate(tokens) if not token.special]
    borders = [place for place, token in enumerate(tokens) if token.id == border]
    passage = [place for place in words if borders and place > borders[0]]
    return passage or words or list(range(len(tokens)))


def best_span(logits: Tensor, passage: Sequence[int]) -> Span:
    """The span of the passage with the largest start logit + end logit, whose start is not after its end.

    logits: (tokens, 2), the start and the end at each token. A span may be of any length.
    """
    start, end = logits[list(passage)].double().unbind(-1)  # (words,), (words,)
    sums = start[:, None] + end[None, :]  # (starts, ends)
    allowed = torch.ones_like(sums, dtype=torch.bool).triu()
    sums = sums.masked_fill(~allowed, -torch.inf)
    first, last = divmod(int(sums.argmax()), len(passage))
    return Span(passage[first], passage[last], float(sums[first, last]))


def find_answer(model: Model, trace: Trace) -> Span:
    """The answer that a model finds in the passage of a run, which must have `token_logits`.

    Raises `ModelMismatch` for a model that finds no answers.
    """
    if not model.config.answer_span:
        raise ModelMismatch(f"{model.card.title} finds no answers to questions.")
    return best_span(trace["token_logits"], passage_of(trace.tokens, model.tokenizer.end))
