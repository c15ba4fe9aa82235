"""A model ready to run: a network, its tokenizers and its card. What pages and notebooks talk to."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from importlib import import_module

import torch
from torch import Tensor

from model.config import TransformerConfig
from model.errors import EmptyText, TextTooLong
from model.generate import greedy
from model.tape import Edit, Tape, Trace
from model.tokenization import Token, Tokenizer
from model.transformer import Transformer
from model.zoo import cards
from model.zoo.build import build
from model.zoo.cards import Card
from model.zoo.files import Progress, no_progress, verify


@dataclass(frozen=True)
class Model:
    """A network with what it needs to read text. It holds no state of any run: many threads can share it."""

    network: Transformer
    tokenizer: Tokenizer
    card: Card
    target_tokenizer: Tokenizer | None = None  # of a decoder with its own vocabulary

    @property
    def config(self) -> TransformerConfig:
        return self.network.config

    @property
    def output_tokenizer(self) -> Tokenizer:
        """The tokenizer of what the model writes."""
        return self.target_tokenizer or self.tokenizer

    def read(self, text: str) -> tuple[Token, ...]:
        """The tokens that the model gets for a text. Raises `EmptyText` or `TextTooLong`; never cuts."""
        if not text.strip():
            raise EmptyText("Type a sentence: there is nothing to look at yet.")
        return self._checked(self.tokenizer.encode(text))

    def _checked(self, tokens: tuple[Token, ...]) -> tuple[Token, ...]:
        if not any(not token.special for token in tokens):
            raise EmptyText(f"{self.card.title} sees no token in this text. Type a word.")
        if len(tokens) > self.config.max_length:
            raise TextTooLong(
                f"The text has {len(tokens):,} tokens; {self.card.title} takes at most {self.config.max_length:,}. "
                "Shorten it."
            )
        return tokens

    def trace(
        self,
        text: str,
        *,
        keep: str | Iterable[str] = "*",
        edits: Iterable[Edit] = (),
        target: str | None = None,
    ) -> Trace:
        """One run over a text, recording the tensors whose names match `keep` (see `model.names`) and applying `edits`.

        An encoder-decoder model reads `text` in its encoder and `target`, behind <SOS>, in its decoder; without a
        target it takes its own greedy translation. Raises `EmptyText`, `TextTooLong`.
        """
        tokens = self.read(text)
        if self.config.kind != "encoder-decoder":
            return self.trace_tokens(tokens, keep=keep, edits=edits)
        return self.trace_tokens(self.target_tokens(tokens, target), tokens, keep=keep, edits=edits)

    @torch.inference_mode()
    def trace_tokens(
        self,
        tokens: tuple[Token, ...],
        source_tokens: tuple[Token, ...] = (),
        *,
        keep: str | Iterable[str] = "*",
        edits: Iterable[Edit] = (),
    ) -> Trace:
        """One run over tokens that need not come from a text. An encoder-decoder model reads `source_tokens`."""
        tape = Tape(keep, edits)
        self.network(ids_of(tokens), ids_of(source_tokens) if source_tokens else None, tape)
        return Trace(tokens, tape.records, source_tokens)

    def target_tokens(self, source: tuple[Token, ...], target: str | None) -> tuple[Token, ...]:
        """The decoder's input: <SOS>, then the target's tokens, or the model's own translation."""
        writer = self.output_tokenizer
        if target is None:
            ids = [id for id in self.translate_ids(source) if id != writer.end]
        else:
            ids = [token.id for token in writer.encode(target, add_special=False)]
        return self._checked(writer.tokens([writer.sequence_start, *ids]))

    def translate_ids(self, source: tuple[Token, ...]) -> Iterator[int]:
        """The greedy translation of a source sentence, id by id, <EOS> included."""
        writer = self.output_tokenizer
        limit = self.config.max_length - 1
        return greedy(self.network, torch.tensor([writer.sequence_start]), limit, writer.end, source=ids_of(source))


def ids_of(tokens: Iterable[Token]) -> Tensor:
    return torch.tensor([token.id for token in tokens])


def load(name: str, progress: Progress = no_progress) -> Model:
    """The model of that name, its file checked against its SHA-256.

    Raises `UnknownModel`, `ModelMissing` (with the command that gets it), `DamagedWeights`.
    """
    card = cards.card(name)
    path = card.require()
    verify(path, card.sha256, progress)
    family = import_module(f"model.zoo.{card.family}")
    config, weights, tokenizer = family.read(path, progress)
    return Model(build(config, weights), tokenizer, card)
