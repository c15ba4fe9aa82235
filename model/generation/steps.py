"""Inference: the model writes one token at a time and reads it again.

Shamsi (2024), section 2.5; slides, "Language Modelling Head".
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Generator, Iterable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Literal

import torch
from torch import Tensor

from model.device import PLAIN, to_cpu, within_memory
from model.errors import SamplingError
from model.generation.half_width import HalfWidthSteps, half_width_steps
from model.generation.kept_cache import KeptCache
from model.generation.sampling import GREEDY, Sampling, Stages, check_scores, draw, stages
from model.network.kv_cache import KVCache
from model.network.transformer import Transformer
from model.tape import Tape, Trace
from model.tokens.tokenizer import Token

# "": it goes on; "end": <EOS> or another end; "limit": all requested tokens are written; "full": the model can read no
# more.
Stop = Literal["", "end", "limit", "full"]


@dataclass(frozen=True)
class GenerationStep:
    """One step: the logits after all tokens read so far, and the chosen token.

    `stop` says why this step is the last one; "" if it is not. `tensors` are those that `keep` named. They have rows
    only for tokens that are `new` to the model: the whole prompt in the first step, or what a kept cache lacks of it,
    and with a KV cache one token in each later step. A `Model` also gives `token`, and `trace` if tensors were kept.
    """

    index: int  # from 0
    length: int  # tokens that the model had read
    new: int  # of them, those whose keys and values were in no cache
    logits: Tensor  # (V,)
    chosen: int
    sampling: Sampling
    stop: Stop
    tensors: Mapping[str, Tensor] = field(default_factory=dict)
    token: Token | None = None
    trace: Trace | None = None

    @property
    def stages(self) -> Stages:
        """The distribution before and after each filter: (V,) each."""
        return stages(self.logits, self.sampling)

    @property
    def probability(self) -> float:
        """The chosen token's probability in the model's own distribution, before any filter: 0..1."""
        return float(self.logits.softmax(-1)[self.chosen])

    @property
    def rank(self) -> int:
        """The chosen token's place in the model's own order: 1 for the likeliest."""
        return int((self.logits > self.logits[self.chosen]).sum()) + 1


Read = tuple[Tensor, dict[str, Tensor]]  # the logits after the new token (V,), and the recorded tensors


@dataclass(frozen=True)
class NewToken:
    """What one step reads: one token (1,). The tokens before it are in the cache. `alone` reads it by itself."""

    id: Tensor
    memory: Tensor | None
    keep: tuple[str, ...]
    cache: KVCache
    alone: Callable[[], Read]


Join = Callable[[NewToken], Read]  # reads a token, perhaps together with those of other generations


@dataclass(frozen=True)
class StepsRequest:
    """All that `generate` is asked for, as a value: another process, which has the model, may do it.

    It asks for many runs, each over one token more.
    """

    ids: tuple[int, ...]
    max_new_tokens: int
    sampling: Sampling = GREEDY
    source: tuple[int, ...] = ()
    ends: tuple[int, ...] = ()
    seed: int = 0
    cache: bool = True
    keep: tuple[str, ...] = ()
    half_width: bool = True

    def steps(
        self, network: Transformer, join: Join | None = None, kept: KeptCache | None = None
    ) -> Generator[GenerationStep, None, None]:
        """`generate` with this network."""
        return generate(
            network,
            torch.tensor(self.ids),
            self.max_new_tokens,
            self.sampling,
            ends=self.ends,
            source=torch.tensor(self.source) if self.source else None,
            seed=self.seed,
            cache=self.cache,
            keep=self.keep,
            half_width=self.half_width,
            join=join,
            kept=kept,
        )


@torch.inference_mode()
def generate(
    network: Transformer,
    ids: Tensor,
    max_new_tokens: int,
    sampling: Sampling = GREEDY,
    *,
    ends: Collection[int] = (),
    source: Tensor | None = None,
    seed: int = 0,
    cache: bool = True,
    keep: str | Iterable[str] = (),
    half_width: bool = True,
    join: Join | None = None,
    kept: KeptCache | None = None,
) -> Generator[GenerationStep, None, None]:
    """Generates tokens after `ids` (T,), one a step, until one of `ends` or the limit, or until the caller stops.

    The first step reads all of `ids`. Each later step reads one token and finds the rest in the KV cache. Without
    `cache` every step reads all again, and chooses the same tokens. What `kept` has of the text's beginning is not read
    again. `source` (S,) is for the encoder of an encoder-decoder model, which uses no `kept`. `keep` names tensors to
    record, as in `Model.trace`.

    Greedy steps of SmolLM2 that record nothing use half-width weights (`model.generation.half_width`), unless
    `half_width` is False or there is a `join`, which reads the tokens of later steps where there is a cache. Logits and
    recorded tensors are on the CPU in float32; there the token is chosen. Raises `SamplingError`, `DeviceFull`,
    `NumbersNotFinite` where no token can be chosen, and `EditError` for a wrong edit.
    """
    _check_limit(max_new_tokens)
    chance, tape, keep = torch.Generator().manual_seed(seed), Tape(), (keep,) if isinstance(keep, str) else tuple(keep)
    with within_memory():
        memory = None if source is None else network.encode(source, tape)
    kept = kept if source is None and _may_keep(network) else None
    stored = _cache_for(network, ids, kept) if (cache := cache and network.can_cache) else None
    # A step that others join reads at full width, so what is in its cache must be of full width, too.
    may_round = half_width and cache and sampling.greedy and not keep and join is None
    text = _Text(network, memory, ids.to(PLAIN.device), stored, half_width_steps(network) if may_round else None)
    try:
        for index in range(max_new_tokens):
            now, length, new = tape.for_next_step(keep), len(text.ids), len(text.new)
            logits, recorded = text.read(now, keep, None if index == 0 else join)
            if index == 0:
                now.check_edits()  # an edited network, `model.experiments.surgery`, adds its own edits
            chosen = _choose(logits, sampling, chance)
            stop = _stop(chosen in ends, index + 1 == max_new_tokens, length == network.config.max_length)
            yield GenerationStep(index, length, new, logits, chosen, sampling, stop, recorded)
            if stop:
                return
            text.ids = torch.cat((text.ids, torch.tensor([chosen])))
    finally:
        text.leave(kept)


@dataclass
class _Text:
    """The text of one generation, and what reads its new tokens. `ids` (T,) are all its tokens so far.

    `memory`: what an encoder has made of the source. `half`: for steps of one token, at half width.
    """

    network: Transformer
    memory: Tensor | None
    ids: Tensor
    cache: KVCache | None
    half: HalfWidthSteps | None

    @property
    def new(self) -> Tensor:
        """The tokens that are not in the cache; all where there is none."""
        return self.ids if self.cache is None else self.ids[self.cache.length :]

    def read(self, tape: Tape, keep: tuple[str, ...], join: Join | None) -> Read:
        """The logits after the last of the new tokens (V,) and what the tape has recorded, on the CPU.

        `keep` names what the tape records.
        """
        new = self.new
        alone = partial(self._read, new, tape)
        if join is None or self.cache is None:
            return alone()
        return join(NewToken(new, self.memory, keep, self.cache, alone))

    def _read(self, new: Tensor, tape: Tape) -> Read:
        with within_memory():
            return PLAIN.take(self._next_logits(new, tape)), to_cpu(tape.records)

    def _next_logits(self, new: Tensor, tape: Tape) -> Tensor:
        """The logits after the last of the new tokens: (V,)."""
        if self.half is not None and self.cache is not None and len(new) == 1:
            return self.half.next_logits(new, self.memory, tape, self.cache)
        hidden = self.network.decode(new, self.memory, tape, cache=self.cache)  # (new tokens, d_model)
        return tape("logits", self.network.logits(hidden[-1]))

    def leave(self, kept: KeptCache | None) -> None:
        """Leave the cache to the next text, with what was read at full width."""
        if self.cache is not None and kept is not None:
            self.cache.forget(self.half.n_rounded if self.half is not None else 0)
            kept.bring_back(self.cache, self.ids)


def _may_keep(network: Transformer) -> bool:
    """Whether the beginning of a text has the same keys and values in another text. A recurrent network has one state
    instead, and an edit may be one of the last token."""
    return type(network) is Transformer


def _cache_for(network: Transformer, ids: Tensor, kept: KeptCache | None) -> KVCache:
    return KVCache() if kept is None else kept.take(network, ids)


def _choose(logits: Tensor, sampling: Sampling, chance: torch.Generator) -> int:
    """The next token, from its logits (V,). Raises `NumbersNotFinite` where they prefer none."""
    check_scores(logits)
    return int(logits.argmax()) if sampling.greedy else draw(stages(logits, sampling).min_p, chance)


def _check_limit(max_new_tokens: int) -> None:
    if max_new_tokens < 0:
        raise SamplingError(f"The limit is {max_new_tokens} new tokens; it must be 0 or more.")


def _stop(ended: bool, limit: bool, full: bool) -> Stop:
    return "end" if ended else "limit" if limit else "full" if full else ""
