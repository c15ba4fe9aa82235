"""The reader's sentence, alone or filled up to the longest sentence of a batch."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st
import torch
from torch import Tensor

from model import Model, Trace
from model.experiments.padded_batch import Batch, fill_up, padding_token
from model.tokens.tokenizer import Token
from pages.shared.model_runs import traces
from pages.shared.session import state
from views.head_of_run import HeadOfRun

MAX_SENTENCES = 8  # of a padded batch


@dataclass(frozen=True)
class Sentence:
    """The tokens of a run. `written` is read by the last stack, `source` by the encoder of a translator.

    With a padded batch both end in padding, and `batch` and `source_batch` hold all its sentences.
    """

    written: tuple[Token, ...]
    source: tuple[Token, ...] = ()
    batch: Batch | None = None
    source_batch: Batch | None = None

    def side(self, screen: HeadOfRun, side: str) -> tuple[Token, ...]:
        """The tokens of the attention's "queries" or "keys"."""
        of_encoder = screen.at.stack == "encoder" or (side == "keys" and screen.at.is_cross)
        return self.source if of_encoder and self.source else self.written

    def is_real(self, screen: HeadOfRun, side: str) -> Tensor:
        """False where a token of that side is padding: (tokens,)."""
        tokens = self.side(screen, side)
        batch = self.source_batch if tokens is self.source else self.batch
        return torch.ones(len(tokens), dtype=torch.bool) if batch is None else batch.is_real[0]


def read_sentence(screen: HeadOfRun, padded: bool) -> Sentence:
    """The reader's sentence. Where it is padded, it is filled up to the longest of the batch."""
    run = screen.run
    if not padded:
        return Sentence(run.trace.tokens, run.trace.source_tokens)
    sentences = [run.trace, *_read_batch(run.model)]
    batch = fill_up([each.tokens for each in sentences], padding_token(run.model.output_tokenizer))
    if not run.trace.source_tokens:
        return Sentence(batch.tokens[0], (), batch)
    source = fill_up([each.source_tokens for each in sentences], padding_token(run.model.tokenizer))
    return Sentence(batch.tokens[0], source.tokens[0], batch, source)


def _read_batch(model: Model) -> list[Trace]:
    """The other sentences of the batch. One that cannot be read is left out, and the page says which one and why."""
    lines = [line.strip() for line in state.get("masks_batch").splitlines() if line.strip()]
    if len(lines) > MAX_SENTENCES - 1:
        st.warning(
            f"A batch holds {MAX_SENTENCES} sentences here: the last {len(lines) - MAX_SENTENCES + 1} are left out."
        )
    sentences = []
    for number, line in enumerate(lines[: MAX_SENTENCES - 1], 2):
        try:
            sentences.append(traces.trace(model, line, keep=()))
        except traces.errors() as error:
            st.warning(f"Sentence {number} of the batch is left out. {error}")
    return sentences
