"""What the causal mask is for: no prediction sees its future, so one run makes all predictions."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import torch
from torch import Tensor

from model.device import PLAIN
from model.errors import GlassformerError
from model.run import Model, ids_of
from model.tape import replace
from model.tokens.tokenizer import Token

OPEN = torch.zeros(())  # a mask that hides nothing, of whatever shape is wanted


class NotOneToken(GlassformerError):
    """A word that cannot stand in another's place, because the sentence would change its length."""


def one_token(model: Model, word: str) -> Token:
    """The token of a word that is to stand in another's place. Raises `NotOneToken`."""
    text = word.strip()
    if not text:
        raise NotOneToken("Type a word to put in its place.")
    found = [model.output_tokenizer.encode(form, add_special=False) for form in (f" {text}", text)]
    single = next((tokens[0] for tokens in found if len(tokens) == 1), None)
    if single is None:
        raise NotOneToken(
            f"“{text}” is {len(found[0])} tokens for this model, and the sentence must keep its length. "
            "Choose a shorter or more common word."
        )
    return single


def change_token(tokens: tuple[Token, ...], at: int, to: Token) -> tuple[Token, ...]:
    """The same tokens with another one in place `at`."""
    return (*tokens[:at], to, *tokens[at + 1 :])


@dataclass(frozen=True)
class Leak:
    """The logits at every position before and after one token was changed: (tokens, vocabulary)."""

    before: Tensor
    after: Tensor

    @property
    def change(self) -> Tensor:
        """The largest change of any logit at each position: (tokens,). Exactly 0 where nothing leaks."""
        return (self.after - self.before).abs().amax(-1)


def leak(
    model: Model, tokens: tuple[Token, ...], changed: tuple[Token, ...], source: tuple[Token, ...], causal: bool
) -> Leak:
    """A decoder run over two sentences that differ in one token, with its causal mask or without it."""
    edits = () if causal else (replace("decoder.*.self_attn.mask", OPEN),)
    before, after = (model.trace_tokens(each, source, keep="logits", edits=edits).logits for each in (tokens, changed))
    return Leak(before, after)


@dataclass(frozen=True)
class Pass:
    """One run over the first `length` tokens: its last logits (vocabulary,), and its wall time in seconds."""

    length: int
    logits: Tensor
    seconds: float


@torch.inference_mode()
def masked_pass(model: Model, tokens: tuple[Token, ...], source: tuple[Token, ...] = ()) -> tuple[Tensor, float]:
    """All predictions at once, under the causal mask: logits (tokens, vocabulary), and seconds."""
    ids, memory = ids_of(tokens), ids_of(source) if source else None
    return _timed(lambda: PLAIN.take(model.network(ids, memory)))


def separate_passes(model: Model, tokens: tuple[Token, ...], source: tuple[Token, ...] = ()) -> Iterator[Pass]:
    """One run for each prefix, the brute-force way of Palaskos (2022), section 3.9: T runs for T predictions."""
    memory = ids_of(source) if source else None
    for length in range(1, len(tokens) + 1):
        yield _prefix_pass(model, ids_of(tokens[:length]), memory)


@torch.inference_mode()
def _prefix_pass(model: Model, ids: Tensor, memory: Tensor | None) -> Pass:
    logits, seconds = _timed(lambda: PLAIN.take(model.network(ids, memory)))
    return Pass(len(ids), logits[-1], seconds)


def _timed(run: Callable[[], Tensor]) -> tuple[Tensor, float]:
    start = time.perf_counter()
    result = run()
    return result, time.perf_counter() - start
