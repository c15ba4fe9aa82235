"""The sentence of a run, alone or filled up to the longest sentence of a batch."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import torch
from torch import Tensor

from model.experiments.padded_batch import Batch, fill_up, padding_token
from model.tokens.tokenizer import Token
from views.head_of_run import HeadOfRun
from views.run import Run


@dataclass(frozen=True)
class Sentence:
    """The tokens of a run. `written` is read by the last stack, `source` by the encoder of a translator.

    With a padded batch both end in padding, and `batch` and `source_batch` hold all its sentences. `others`: the runs
    of those beside it.
    """

    written: tuple[Token, ...]
    source: tuple[Token, ...] = ()
    batch: Batch | None = field(default=None, compare=False)
    source_batch: Batch | None = field(default=None, compare=False)
    others: tuple[Run, ...] = ()

    @property
    def last_real(self) -> int:
        """The place of the last token that is no padding."""
        return (len(self.written) if self.batch is None else int(self.batch.is_real[0].sum())) - 1

    def side(self, head: HeadOfRun, side: str) -> tuple[Token, ...]:
        """The tokens of the attention's "queries" or "keys"."""
        of_encoder = head.at.stack == "encoder" or (side == "keys" and head.at.is_cross)
        return self.source if of_encoder and self.source else self.written

    def is_real(self, head: HeadOfRun, side: str) -> Tensor:
        """False where a token of that side is padding: (tokens,)."""
        tokens = self.side(head, side)
        batch = self.source_batch if tokens is self.source else self.batch
        return torch.ones(len(tokens), dtype=torch.bool) if batch is None else batch.is_real[0]


def alone(run: Run) -> Sentence:
    """The sentence of a run as it is."""
    return Sentence(run.trace.tokens, run.trace.source_tokens)


def batch_lines(text: str) -> list[str]:
    """The sentences of a text, one a line."""
    return [line.strip() for line in text.splitlines() if line.strip()]


def in_batch(run: Run, others: Sequence[Run]) -> Sentence:
    """The sentence of a run, filled up to the longest of a batch that it makes with those of the `others`."""
    sentences, model = [each.trace for each in (run, *others)], run.model
    batch = fill_up([each.tokens for each in sentences], padding_token(model.output_tokenizer))
    if not run.trace.source_tokens:
        return Sentence(batch.tokens[0], (), batch, others=tuple(others))
    source = fill_up([each.source_tokens for each in sentences], padding_token(model.tokenizer))
    return Sentence(batch.tokens[0], source.tokens[0], batch, source, tuple(others))
