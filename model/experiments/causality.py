"""What the causal mask is for: no prediction sees its future, so one run makes all predictions."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from model.device import PLAIN
from model.errors import GlassformerError
from model.run import Model, ids_of
from model.tape import Edit, replace
from model.tokens.tokenizer import Token

NO_MASK = torch.zeros(())  # hides nothing; it broadcasts to the shape of every mask


class NotOneToken(GlassformerError):
    """A word that cannot replace another one, because the sentence would change its length."""


def one_token(model: Model, word: str) -> Token:
    """The token of a word that shall replace another one. Raises `NotOneToken`."""
    text = word.strip()
    if not text:
        raise NotOneToken("Type a word to put in its place.")
    spellings = [model.output_tokenizer.encode(form, add_special=False) for form in (f" {text}", text)]
    single = next((tokens[0] for tokens in spellings if len(tokens) == 1), None)
    if single is None:
        raise NotOneToken(
            f"“{text}” is {len(spellings[0])} tokens for this model, and the sentence must keep its length. "
            "Choose a shorter or more common word."
        )
    return single


def change_token(tokens: tuple[Token, ...], at: int, to: Token) -> tuple[Token, ...]:
    """The same tokens, with `to` at the place `at`."""
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

    def most_changed_before(self, place: int) -> int:
        """The position before `place` whose logits change most. `place` must be at least 1."""
        return int(self.change[:place].argmax())

    def likeliest_at(self, position: int) -> tuple[int, float, float]:
        """The likeliest next token after a position: its id, and its probability before and after the change."""
        before, after = (logits[position].softmax(-1) for logits in (self.before, self.after))
        id = int(before.argmax())
        return id, float(before[id]), float(after[id])


def mask_edits(causal: bool) -> tuple[Edit, ...]:
    """The edits under which a decoder runs with its causal mask (none) or without it."""
    return () if causal else (replace("decoder.*.self_attn.mask", NO_MASK),)


def leak(
    model: Model, tokens: tuple[Token, ...], changed: tuple[Token, ...], source: tuple[Token, ...], causal: bool
) -> Leak:
    """A decoder run over two sentences that differ in one token, with its causal mask or without it."""
    edits = mask_edits(causal)
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
    return _time_run(lambda: PLAIN.take(model.network(ids, memory)))


def separate_passes(model: Model, tokens: tuple[Token, ...], source: tuple[Token, ...] = ()) -> Iterator[Pass]:
    """One run for each prefix: T runs for T predictions, the brute-force way of Palaskos (2022), section 3.9."""
    memory = ids_of(source) if source else None
    for length in range(1, len(tokens) + 1):
        yield _prefix_pass(model, ids_of(tokens[:length]), memory)


@torch.inference_mode()
def _prefix_pass(model: Model, ids: Tensor, memory: Tensor | None) -> Pass:
    logits, seconds = _time_run(lambda: PLAIN.take(model.network(ids, memory)))
    return Pass(len(ids), logits[-1], seconds)


@dataclass(frozen=True)
class PassComparison:
    """T separate passes beside one masked pass: their seconds and their logits. The tuples hold T values."""

    seconds: tuple[float, ...]  # of each separate pass
    together: float  # seconds of the masked pass
    differences: tuple[float, ...]  # the largest difference of a logit
    next_tokens: tuple[int, ...]  # the likeliest id after every prefix, by the separate passes
    agree: tuple[bool, ...]  # whether the masked pass has the same id


def compare_passes(passes: Sequence[Pass], logits: Tensor, seconds: float) -> PassComparison:
    """Compares the separate passes over a sentence with the logits (tokens, vocabulary) of the masked pass."""
    alone = torch.stack([each.logits for each in passes])  # (tokens, vocabulary)
    next_tokens = alone.argmax(-1)
    return PassComparison(
        tuple(each.seconds for each in passes),
        seconds,
        tuple((alone - logits).abs().amax(-1).tolist()),
        tuple(next_tokens.tolist()),
        tuple((next_tokens == logits.argmax(-1)).tolist()),
    )


def _time_run(run: Callable[[], Tensor]) -> tuple[Tensor, float]:
    start = time.perf_counter()
    result = run()
    return result, time.perf_counter() - start
