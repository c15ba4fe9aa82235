"""A sentence and its continuation, token by token, and the step at which it is looked at."""

from __future__ import annotations

from collections.abc import Generator, Mapping
from dataclasses import dataclass, field, replace

from torch import Tensor

from model import Trace
from model.cached_property import cached_property
from model.config import TransformerConfig
from model.generation.kept_cache import KeptCache
from model.generation.sampling import Sampling
from model.generation.steps import GenerationStep
from model.tokens.tokenizer import Token
from views.call import Call
from views.parts import Pick
from views.run import Run

KEEP = ("decoder.*.self_attn.weights", "logits")


@dataclass(frozen=True)
class Continuation:
    """The reader's sentence and its continuation, run once more as a whole.

    Step i chose `path[i]` from the logits after `len(prompt)` + i tokens. Step `len(path)` has chosen nothing yet.
    """

    run: Run  # of the sentence alone
    prompt: tuple[Token, ...]
    path: tuple[int, ...]
    trace: Trace = field(compare=False)
    ended: str = ""  # why nothing more can be written, or "" if more can

    @property
    def config(self) -> TransformerConfig:
        return self.run.config

    @property
    def ids(self) -> tuple[int, ...]:
        return tuple(token.id for token in self.trace.tokens)

    @property
    def tokens(self) -> tuple[Token, ...]:
        """Those of the path. In a conversation they are of the turn that the prompt has begun."""
        written, begun = self.trace.tokens[len(self.prompt) :], self.prompt[-1].said
        if begun is None:
            return written
        return tuple(replace(token, said=replace(begun, is_frame=token.special)) for token in written)

    @property
    def steps(self) -> int:
        return len(self.path) + 1

    @cached_property
    def logits(self) -> Tensor:
        """The logits of every step: (steps, V)."""
        return self.trace.logits_at(slice(len(self.prompt) - 1, len(self.trace.tokens)))

    def query(self, step: int) -> int:
        """The place of the last token that the model read at a step."""
        return len(self.prompt) - 1 + step

    @property
    def as_run(self) -> Run:
        """The whole text as a run."""
        return replace(self.run, spec=replace(self.run.spec, tokens=self.trace.tokens), trace=self.trace)

    def made_by(self) -> Call:
        return Call(continue_run, (self.run, self.path), {"ended": self.ended} if self.ended else {})


def continue_run(run: Run, path: tuple[int, ...], ended: str = "") -> Continuation:
    """The run of a sentence, continued by the tokens of a path."""
    ids = (*(token.id for token in run.trace.tokens), *path)
    return Continuation(run, run.trace.tokens, path, run.of_tokens(ids, KEEP), ended)


def write_path(
    run: Run,
    sampling: Sampling,
    seed: int,
    count: int,
    written: tuple[int, ...] = (),
    kept: KeptCache | None = None,
) -> Generator[GenerationStep, None, None]:
    """The steps in which the model writes `count` tokens after the sentence of a run and those that are `written`.

    Tokens in `kept` are not read again.
    """
    return run.model.generate(
        run.text,
        max_new_tokens=count,
        temperature=sampling.temperature,
        top_k=sampling.top_k,
        top_p=sampling.top_p,
        min_p=sampling.min_p,
        seed=seed,
        written=written,
        kept=kept,
    )


def why_ended(run: Run, path: tuple[int, ...], limit: int) -> str:
    """Why nothing more can be written after a path, where a text has at most `limit` tokens; "" if more can."""
    if path and path[-1] in run.model.tokenizer.ends:
        return "The model has ended its text."
    is_full = len(run.trace.tokens) + len(path) >= limit
    return f"The text has {limit} tokens, as many as this page draws." if is_full else ""


@dataclass(frozen=True)
class Playhead:
    """A continuation at a `step`, its tokens drawn through the filters of `sampling`, seen by a head of a layer.

    `head`: -1 for the mean of all. `others`: other settings with which the text was written. `is_whole`: its bars are
    shares of 100%, and not of the largest one, so that those of two models can be compared. `picks`: what the player's
    events change, by the name of the event.
    """

    written: Continuation
    step: int
    sampling: Sampling
    layer: int
    head: int
    others: tuple[str, ...] = ()
    is_whole: bool = False
    picks: Mapping[str, Pick] = field(default_factory=dict, compare=False)

    @property
    def query(self) -> int:
        """The place of the token that was read last."""
        return self.written.query(self.step)

    @property
    def logits(self) -> Tensor:
        """The logits of the step: (V,)."""
        return self.written.logits[self.step]
