"""A model ready to run: a network, its tokenizers and its card. Pages and notebooks use this class."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from importlib import import_module

import torch
from torch import Tensor

from model.config import TransformerConfig
from model.device import PLAIN, Place, choose, copy_to, to_cpu, within_memory
from model.errors import EmptyText, ModelMismatch, TextTooLong
from model.generation.sampling import Sampling
from model.generation.steps import Step, generate
from model.network.linear import store_transposed
from model.network.transformer import Transformer
from model.recurrent.networks import make_recurrent
from model.tape import Edit, Tape, Trace
from model.tokens.tokenizer import Token, Tokenizer
from model.zoo import bundled, cards
from model.zoo.build import build
from model.zoo.card_values import RECURRENT_KIND, TEXT_KINDS
from model.zoo.cards import Card
from model.zoo.files import Progress, no_progress, verify


@dataclass(frozen=True)
class Model:
    """A network with its tokenizers and its card. It holds no state of any run: many threads can share it."""

    network: Transformer
    tokenizer: Tokenizer
    card: Card
    target_tokenizer: Tokenizer | None = None  # only where the decoder has its own vocabulary

    @property
    def config(self) -> TransformerConfig:
        """The configuration of the network."""
        return self.network.config

    @cached_property
    def place(self) -> Place:
        """The device on which the network computes, and the type of its numbers."""
        return Place.of(self.network)

    @cached_property
    def on_cpu(self) -> Model:
        """The same model on the CPU in float32, like the tensors of a trace. Use it to compute with both.

        A model that is already there returns itself. Any other is copied at the first use.
        """
        return self if self.place == PLAIN else replace(self, network=copy_to(self.network, PLAIN))

    @property
    def nbytes(self) -> int:
        """Bytes of the weights, with the copy of `on_cpu` if one was made."""
        networks = {self.network, vars(self).get("on_cpu", self).network}
        return sum(weights.nbytes for network in networks for weights in network.parameters())

    @property
    def output_tokenizer(self) -> Tokenizer:
        """The tokenizer of the text that the model writes."""
        return self.target_tokenizer or self.tokenizer

    def tokens_of(self, text: str) -> tuple[Token, ...]:
        """The tokens of a text, as the model reads it. Raises `EmptyText`, `TextTooLong`; never cuts a text."""
        if not text.strip():
            raise EmptyText("Type a sentence: there is nothing to look at yet.")
        tokens = self.tokenizer.encode(text)
        if all(token.special for token in tokens):
            raise EmptyText(f"{self.card.title} sees no token in this text. Type a word.")
        return self._check_length(tokens)

    def _check_length(self, tokens: tuple[Token, ...], what: str = "text") -> tuple[Token, ...]:
        if len(tokens) > self.config.max_length:
            raise TextTooLong(
                f"The {what} has {len(tokens):,} tokens; {self.card.title} takes at most {self.config.max_length:,}. "
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
        """Runs the model over a text, applies `edits`, and records the tensors that `keep` names (`model.names`).

        The encoder of an encoder-decoder model reads `text`; its decoder reads `target` behind <SOS>. Without a target,
        the decoder reads the model's own greedy translation. The trace is always on the CPU in float32. Edits get
        tensors on the model's device.

        Raises `EmptyText`, `TextTooLong`; `EditError` if an edit names no tensor of this run, or changes a shape;
        `DeviceFull` if a GPU has too little memory.
        """
        tokens = self.tokens_of(text)
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
        """Runs the model over tokens, which need not come from a text.

        The encoder of an encoder-decoder model reads `source_tokens`; its decoder reads `tokens`.
        """
        tape = Tape(keep, edits)
        with within_memory():
            self.network(ids_of(tokens), ids_of(source_tokens) if source_tokens else None, tape)
            tape.check_edits()
            return Trace(tokens, to_cpu(tape.records), source_tokens)

    def target_tokens(self, source: tuple[Token, ...], target: str | None) -> tuple[Token, ...]:
        """The decoder's input: <SOS>, then the target's tokens, or the model's own translation."""
        writer = self.output_tokenizer
        if target is None:
            ids = [id for id in self.translate_ids(source) if id != writer.end]
        else:
            ids = [token.id for token in writer.encode(target, add_special=False)]
        return self._check_length(writer.tokens([writer.sequence_start, *ids]), "translation")

    def translate_ids(self, source: tuple[Token, ...]) -> Iterator[int]:
        """The greedy translation of a source sentence, id by id, <EOS> included."""
        writer = self.output_tokenizer
        start, limit = torch.tensor([writer.sequence_start]), self.config.max_length - 1
        steps = generate(self.network, start, limit, end=writer.end, source=ids_of(source))
        return (step.chosen for step in steps)

    def generate(
        self,
        text: str,
        *,
        max_new_tokens: int = 32,
        temperature: float = 0.0,
        top_k: int = 0,
        top_p: float = 1.0,
        seed: int = 0,
        written: Iterable[int] = (),
        cache: bool = True,
        keep: str | Iterable[str] = (),
    ) -> Iterator[Step]:
        """Writes new tokens, one `Step` each. They continue the text; an encoder-decoder model translates it.

        Temperature 0 is greedy; see `model.generation.sampling.Sampling` for the filters. `written` are ids that the
        model goes on from, as if it had written them: another branch. `keep` names the tensors of each `step.trace`.
        Close the iterator to stop early. Raises `EmptyText`, `TextTooLong`, `SamplingError`, `DeviceFull`;
        `ModelMismatch` for an encoder-only model.
        """
        if self.config.kind == "encoder":
            raise ModelMismatch(f"{self.card.title} is an encoder: it reads whole texts and predicts no next token.")
        sampling = Sampling(temperature, top_k, top_p)
        tokens, writer = self.tokens_of(text), self.output_tokenizer
        source: tuple[Token, ...] = ()
        if self.config.kind == "encoder-decoder":
            source, tokens = tokens, writer.tokens([writer.sequence_start])
        tokens = self._check_length(tokens + writer.tokens(written))
        steps = generate(
            self.network,
            ids_of(tokens),
            max_new_tokens,
            sampling,
            end=writer.end,
            source=ids_of(source) if source else None,
            seed=seed,
            cache=cache,
            keep=keep,
        )
        return self._add_tokens(steps, tokens, source)

    def _add_tokens(
        self, steps: Iterator[Step], tokens: tuple[Token, ...], source: tuple[Token, ...]
    ) -> Iterator[Step]:
        for step in steps:
            token = self.output_tokenizer.token(step.chosen)
            trace = Trace(tokens, step.tensors, source_tokens=source) if step.tensors else None
            yield replace(step, token=token, trace=trace)
            tokens = (*tokens, token)


def ids_of(tokens: Iterable[Token]) -> Tensor:
    """The ids as a network reads them: (tokens,)."""
    return torch.tensor([token.id for token in tokens])


def load_tokenizer(name: str) -> Tokenizer:
    """The tokenizer of a text model, without the model's weights.

    Raises `UnknownModel`, `ModelMissing` (with the command that gets it), `DamagedWeights`.
    """
    card = cards.card(name, *TEXT_KINDS, RECURRENT_KIND)
    return import_module(f"model.zoo.{card.family}").read_tokenizer(card.require())


@torch.inference_mode(False)  # tensors made in inference mode could never take part in training
def load(
    name: str,
    progress: Progress = no_progress,
    snapshot: int | None = None,
    device: str = "auto",
    dtype: str | torch.dtype = "auto",
) -> Model:
    """Loads the model of that name, after a check of its file against its SHA-256.

    `snapshot` selects one moment in the training of a bundled model; `card.details["snapshots"]` lists them, from 0.
    A recurrent network (`model.recurrent.networks`) has the same methods, but no heads, layers or masks.

    `device` is "auto", "cpu", "cuda" or "mps", `dtype` "auto", "float32", "float16" or "bfloat16". `choose` in
    `model.device` says what "auto" means. A tensor in float16 is off by up to 2% of its size, in bfloat16 by 15%.

    Raises `UnknownModel`, `ModelMissing` (with the command that gets it), `DamagedWeights`, `DeviceMissing`;
    `DeviceFull` if a GPU has too little memory.
    """
    card, place = cards.card(name, *TEXT_KINDS, RECURRENT_KIND), choose(device, dtype)
    path, sha256 = (card.require(), card.sha256) if snapshot is None else card.snapshot(snapshot)
    verify(path, sha256, progress)
    if card.kind == RECURRENT_KIND:
        shape, tensors, words = bundled.read_recurrent(path, progress)
        recurrent = store_transposed(build(shape, tensors, make_recurrent))
        return Model(copy_to(recurrent, place), words, card)  # type: ignore[arg-type]
    family = import_module(f"model.zoo.{card.family}")  # so that gguf and onnx load only for their models
    config, weights, tokenizer = family.read(path, progress)
    return Model(copy_to(store_transposed(build(config, weights)), place), tokenizer, card)
