"""Induction: does a head, at a token that has come before, look at what followed it then?"""

from __future__ import annotations

import torch
from torch import Tensor

from model.config import TransformerConfig
from model.run import Model
from model.tokens.tokenizer import Tokenizer

LENGTH = 24  # random tokens before they repeat


def repeated_tokens(tokenizer: Tokenizer, vocab_size: int, length: int = LENGTH, seed: int = 0) -> Tensor:
    """Random ids, then the same ids again: (2 * length,). No special token is among them, and none stands twice in a
    half, so that a token's only earlier place is `length` before it.

    The same seed gives the same ids. Raises ValueError where the vocabulary has too few tokens.
    """
    known = [id for id in range(min(vocab_size, tokenizer.size)) if not tokenizer.token(id).special]
    if length > len(known):
        raise ValueError(f"The vocabulary has {len(known)} tokens that are not special; {length} are asked for.")
    order = torch.randperm(len(known), generator=torch.Generator().manual_seed(seed))[:length]
    return torch.tensor(known)[order].repeat(2)


def repeated_input(model: Model, stack: str, source: tuple[int, ...] = ()) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The ids of a run in which a stack reads `repeated_tokens`: those of the last stack, and those of the source.

    In a translator the other stack reads `source`, or the start of a sentence. A model without a source has no ids
    there.
    """
    config, of_encoder = model.config, stack == "encoder"
    reader = model.tokenizer if of_encoder else model.output_tokenizer
    vocab_size = config.vocab_size if of_encoder else config.target_vocab_size or config.vocab_size
    ids = tuple(repeated_tokens(reader, vocab_size, repeated_length(config)).tolist())
    if config.kind != "encoder-decoder":
        return ids, ()
    return ((model.output_tokenizer.sequence_start,), ids) if of_encoder else (ids, source)


def repeated_length(config: TransformerConfig) -> int:
    """How many random tokens a model reads before they repeat: `LENGTH`, or as many as it can read twice."""
    return min(LENGTH, config.max_length // 2)


def induction(weights: Tensor) -> Tensor:
    """Mean weight, over the second half's tokens, on the token after the same one's first place: (...), 0 to 1.

    weights (..., tokens, tokens) are of a run over `repeated_tokens`: query i looks at key i - tokens / 2 + 1. Olsson
    et al. (2022), arXiv:2209.11895, "prefix matching".
    """
    half = weights.shape[-1] // 2
    return weights.diagonal(offset=1 - half, dim1=-2, dim2=-1)[..., 1:].mean(-1)  # queries half .. 2 half - 1
