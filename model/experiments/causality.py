"""What the causal mask is for: no prediction sees its future, so one run makes all predictions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from model import work_bound
from model.analysis.head_steps import final_name
from model.device import PLAIN
from model.edits.edit import Edit
from model.edits.parts import Zero
from model.errors import GlassformerError
from model.run import Model, ids_of
from model.tokens.tokenizer import Token

AT_ONCE = 64  # positions: 13 MB of logits for a vocabulary of 49,152


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
    """The predictions at every position before and after one token was changed."""

    change: Tensor  # (tokens,), the largest change of any logit; exactly 0 where nothing leaks
    likeliest: Tensor  # (tokens,), the id of the likeliest next token before the change
    chances: Tensor  # (tokens, 2), the probability of that next token before and after the change

    def most_changed_before(self, place: int) -> int:
        """The position before `place` whose logits change most. `place` must be at least 1."""
        return int(self.change[:place].argmax())

    def likeliest_at(self, position: int) -> tuple[int, float, float]:
        """The likeliest next token after a position: its id, and its probability before and after the change."""
        before, after = self.chances[position].tolist()
        return int(self.likeliest[position]), before, after


def compare_predictions(before: Tensor, after: Tensor, unembed: Callable[[Tensor], Tensor]) -> Leak:
    """What changes between two runs, whose last hidden states are (tokens, d_model) each.

    `unembed` makes logits (tokens, vocabulary) of them. Those of a long text are many, 200 MB for 1,024 tokens of a
    vocabulary of 49,152. So they are made of `AT_ONCE` positions at a time. The results are written into tensors that
    are there before: small ones that are made between large ones keep the memory of these from being used again.
    """
    count = len(before)
    change, chances = torch.empty(count), torch.empty(count, 2)
    likeliest = torch.empty(count, dtype=torch.long)
    for first in range(0, count, AT_ONCE):
        work_bound.check()
        here = slice(first, first + AT_ONCE)
        logits = [unembed(before[here]), unembed(after[here])]  # (positions, vocabulary) each
        likeliest[here] = logits[0].argmax(-1)
        change[here] = (logits[1] - logits[0]).abs().amax(-1)
        for run, each in enumerate(logits):
            chances[here, run] = each.softmax(-1).gather(-1, likeliest[here, None]).squeeze(-1)
    return Leak(change, likeliest, chances)


def mask_edits(causal: bool) -> tuple[Edit, ...]:
    """The edits under which a decoder runs with its causal mask (none) or without it."""
    return () if causal else (Zero("decoder.*.self_attn.mask"),)


@torch.inference_mode()
def leak(
    model: Model, tokens: tuple[Token, ...], changed: tuple[Token, ...], source: tuple[Token, ...], causal: bool
) -> Leak:
    """A decoder run over two sentences that differ in one token, with its causal mask or without it."""
    before, after = (last_vectors(model, each, source, causal) for each in (tokens, changed))
    return compare_predictions(before, after, model.on_cpu.network.logits)


def last_vectors(model: Model, tokens: tuple[Token, ...], source: tuple[Token, ...], causal: bool) -> Tensor:
    """The hidden states from which a decoder predicts, with its causal mask or without it: (tokens, d_model)."""
    final = final_name(model.config, "decoder")
    return model.trace_tokens(tokens, source, keep=final, edits=mask_edits(causal))[final]


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
    start = work_bound.working_seconds()
    result = run()
    return result, work_bound.working_seconds() - start
