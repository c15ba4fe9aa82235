"""Sentences of different length in one batch: filled up with padding, which a mask hides."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from model.device import PLAIN
from model.run import Model, ids_of
from model.tokens.tokenizer import Token, Tokenizer


def padding_token(tokenizer: Tokenizer) -> Token:
    """The token that fills up a batch: the tokenizer's own, else its end token, else its first."""
    known = next((id for id in (tokenizer.pad, tokenizer.end, tokenizer.start) if id is not None), 0)
    return tokenizer.token(known)


@dataclass(frozen=True)
class Batch:
    """Sentences filled up to one length: tokens and is_real (sentences, tokens)."""

    tokens: tuple[tuple[Token, ...], ...]
    is_real: Tensor

    @property
    def ids(self) -> Tensor:
        """The ids as a network reads them: (sentences, tokens)."""
        return torch.stack([ids_of(row) for row in self.tokens])

    def sentence(self, row: int) -> tuple[Token, ...]:
        """The tokens of one sentence without its padding."""
        return self.tokens[row][: int(self.is_real[row].sum())]


def fill_up(rows: Sequence[tuple[Token, ...]], padding: Token) -> Batch:
    """Every sentence made as long as the longest, with padding after it."""
    longest = max(len(row) for row in rows)
    lengths = torch.tensor([len(row) for row in rows])[:, None]
    filled = tuple(row + (padding,) * (longest - len(row)) for row in rows)
    return Batch(filled, torch.arange(longest)[None, :] < lengths)


@torch.inference_mode()
def run_batch(model: Model, batch: Batch, source: Batch | None = None, masked: bool = True) -> Tensor:
    """One run over a whole batch, its padding hidden or not: logits (sentences, tokens, vocabulary), or for an
    encoder-only model its hidden states (sentences, tokens, d_model). `source` is what the encoder reads."""
    real, source_real = (batch.is_real, source.is_real if source else None) if masked else (None, None)
    read = source.ids if source else None
    return PLAIN.take(model.network(batch.ids, read, ids_are_real=real, source_is_real=source_real))


@torch.inference_mode()
def run_alone(model: Model, tokens: tuple[Token, ...], source: tuple[Token, ...] = ()) -> Tensor:
    """The same for one sentence without padding: (tokens, vocabulary) or (tokens, d_model)."""
    return PLAIN.take(model.network(ids_of(tokens), ids_of(source) if source else None))


def compare_with_alone(model: Model, batch: Batch, source: Batch | None = None) -> tuple[float, float]:
    """The largest difference between a run of the first sentence in its batch and a run of it alone.

    The first number is for a batch whose padding is hidden, the second for one whose padding is not. They compare
    logits, or the hidden states of an encoder-only model. `source` is as in `run_batch`.
    """
    alone = run_alone(model, batch.sentence(0), source.sentence(0) if source else ())
    masked, unmasked = (run_batch(model, batch, source, masked=hidden) for hidden in (True, False))
    first, second = (float((each[0, : len(alone)] - alone).abs().max()) for each in (masked, unmasked))
    return first, second
