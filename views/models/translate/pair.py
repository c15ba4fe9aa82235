"""The sentence and its translation, for all parts of the page."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from model.config import TransformerConfig
from model.tokens.tokenizer import Token
from model.train.samples import hand_made_examples
from views.call import Call
from views.models.translate.languages import ENGLISH_TO_URDU, languages
from views.run import Run


@dataclass(frozen=True)
class Pair:
    """A source sentence and its translation, which the decoder wrote or the reader gave.

    `written` has one token for each step of the decoder, <EOS> among them.
    """

    run: Run
    source: tuple[Token, ...]
    written: tuple[Token, ...]
    given: bool

    @property
    def config(self) -> TransformerConfig:
        return self.run.config

    @property
    def source_ids(self) -> tuple[int, ...]:
        return tuple(token.id for token in self.source)

    @property
    def written_ids(self) -> tuple[int, ...]:
        return tuple(token.id for token in self.written)

    @property
    def start(self) -> int:
        return self.run.model.output_tokenizer.sequence_start

    @property
    def end(self) -> int:
        end = self.run.model.output_tokenizer.end
        assert end is not None, "a translator's tokenizer has a token that ends a sequence"
        return end

    def weights(self, stack: str, attention: str) -> Tensor:
        """The weights of all layers: (layers, heads, queries, keys)."""
        layers = range(self.run.model.config.n_layers(stack))
        return torch.stack([self.run.trace[f"{stack}.{l}.{attention}.weights"] for l in layers])

    def text(self, ids: tuple[int, ...]) -> str:
        return self.run.model.output_tokenizer.decode(ids)

    def made_by(self) -> Call:
        return Call(of_run, (self.run,))


def of_run(run: Run) -> Pair:
    """The pair of a run. In its own translation the model took the likeliest token at every step."""
    tokenizer = run.model.output_tokenizer
    if run.target is None:
        ids = run.trace.logits.argmax(-1).tolist()
    else:
        ids = [*(token.id for token in run.trace.tokens[1:]), tokenizer.end]
    return Pair(run, run.trace.source_tokens, tokenizer.tokens(ids), run.target is not None)


def truth(pair: Pair) -> tuple[str, str]:
    """The translation that teacher forcing starts from, and its origin in words."""
    if pair.given:
        return pair.run.target or "", "the translation of the bar"
    translation = _hand_translations().get(pair.run.text.strip().rstrip(".?!").lower())
    if translation is not None and languages(pair.run.model.card) == ENGLISH_TO_URDU:
        return translation, "translated by hand"
    return pair.text(pair.written_ids), "the model's own translation"


def _hand_translations() -> dict[str, str]:
    return {each.source_text.rstrip(".?!").lower(): each.target_text for each in hand_made_examples()}
