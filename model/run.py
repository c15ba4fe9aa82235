"""A model ready to run: a network, its tokenizers and its card. Pages and notebooks use this class."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext, suppress
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import torch
from torch import Tensor

from model.chat.turns import Conversation, Text, as_text
from model.config import TransformerConfig
from model.device import PLAIN, PLAIN_COPIES, Placement, plain_copy
from model.edits.edit import Edit
from model.errors import EmptyText, ModelMismatch, NumbersNotFinite, TextTooLong
from model.generation.kept_cache import KeptCache
from model.generation.sampling import Sampling
from model.generation.steps import GenerationStep, StepsRequest
from model.graph.batch import can_batch, record_together, windows
from model.graph.on_demand import MADE_BYTES, kept_bytes, run_on_demand
from model.graph.run_request import RunRequest
from model.network.transformer import Transformer
from model.notebook.model_card import model_card
from model.tape import Look, Origin, Trace
from model.tokens.padding import check_placed
from model.tokens.tokenizer import Token, Tokenizer
from model.zoo.cards import Card
from model.zoo.file_card import facts_of
from model.zoo.memory import check_memory, free_memory


@dataclass(frozen=True, repr=False)
class Model:
    """A network with its tokenizers and its card. It holds no state of any run: many threads can share it.

    >>> from glassformer import load
    >>> model = load("tiny-lm")
    >>> model.config.n_heads, model.config.d_model, model.place.width
    (4, 128, 'float32')
    >>> [step.token.text for step in model.generate("the dog sees the", max_new_tokens=2)]
    [' sad', '.']
    """

    network: Transformer
    tokenizer: Tokenizer
    card: Card
    target_tokenizer: Tokenizer | None = None  # only where what is written is cut by another one

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.card.name}>"

    def _repr_html_(self) -> str:
        """For notebooks."""
        return model_card(
            self.card.title,
            self.card.about,
            facts_of(self.card, self.config, self.place),
            'model.trace("I am a robot")',
        )

    @property
    def config(self) -> TransformerConfig:
        """The configuration of the network."""
        return self.network.config

    @cached_property
    def place(self) -> Placement:
        """The device on which the network computes, and the type of its numbers."""
        return Placement.of(self.network)

    @property
    def version(self) -> int:
        """Which weights these are: another number after each change. Those of a file never change."""
        return 0

    @property
    def state(self) -> str:
        """A text for keys of caches: where the network is, which weights it has, and whether it reads texts with
        another beginning than its files say."""
        version, tokenizer = self.version, self.tokenizer
        begin = "" if tokenizer.begins == tokenizer.puts_begin else f" begins {tokenizer.begins}"
        return f"{self.place}{f' {version}' if version else ''}{begin}"

    def with_begin(self, begin: bool | None) -> Model:
        """The same model, which reads every text after its begin token, or without it; None: as its files say.

        A model that has none to choose (`Tokenizer.begin` is None) stays as it is.
        """
        tokenizer = self.tokenizer.with_begin(begin)
        return self if tokenizer is self.tokenizer else replace(self, tokenizer=tokenizer)

    @cached_property
    def on_cpu(self) -> Model:
        """The same model on the CPU in float32, like the tensors of a trace. Use it to compute with both.

        A model that is already there returns itself. Any other is copied at the first use. Raises `NotEnoughMemory`.
        """
        if self.place == PLAIN:
            return self
        if self.network not in PLAIN_COPIES:
            count = sum(weights.numel() for weights in self.network.parameters())
            check_memory(f"A copy of {self.card.title}", count * PLAIN.dtype.itemsize, free_memory(), PLAIN.dtype)
        return replace(self, network=plain_copy(self.network))

    @property
    def nbytes(self) -> int:
        """Bytes of the weights, with the copy of `on_cpu` if one was made."""
        networks = {self.network, PLAIN_COPIES.get(self.network, self.network)}
        return sum(weights.nbytes for network in networks for weights in network.parameters())

    @property
    def output_tokenizer(self) -> Tokenizer:
        """The tokenizer of the text that the model writes."""
        return self.target_tokenizer or self.tokenizer

    @property
    def converses(self) -> bool:
        """Whether the model has a chat template, so that it reads a `Conversation`."""
        return self.tokenizer.chat is not None

    def tokens_of(self, text: Text) -> tuple[Token, ...]:
        """The tokens of a text or of turns, which are never cut off.

        Raises `EmptyText`, `TextTooLong`, `UnreadableText`, `ConversationError`.
        """
        text = as_text(text)
        if not text.strip() or (isinstance(text, Conversation) and not text.last.text.strip()):
            raise EmptyText("Type a sentence: there is nothing to look at yet.")
        tokens = self.tokenizer.encode(text)
        if all(token.special for token in tokens):
            raise EmptyText(f"{self.card.title} sees no token in this text. Type a word.")
        check_placed(tokens, self.config.unplaced_token, self.card.title)
        return self._check_length(tokens)

    def _check_length(self, tokens: tuple[Token, ...], what: str = "text") -> tuple[Token, ...]:
        most = self.config.max_length
        if len(tokens) > most:
            raise TextTooLong(
                f"The {what} has {len(tokens):,} tokens; {self.card.title} takes at most {most:,}. Shorten it."
            )
        return tokens

    def trace(
        self,
        text: Text,
        *,
        keep: str | Iterable[str] = "*",
        edits: Iterable[Edit] = (),
        target: str | None = None,
    ) -> Trace:
        """Runs the model over a text or turns, applies `edits`, and records the tensors that `keep` names.

        The encoder of an encoder-decoder model reads `text`; its decoder reads `target` after <SOS>. Without a target,
        the decoder reads the model's own greedy translation. The trace is always on the CPU in float32. Edits get
        tensors on the model's device.

        A layer of whose attention no matrix is kept is computed by one fused kernel. It adds in another order, so that
        tensors of `keep="*.resid_out"` may differ from those of `keep="*"` by rounding: some 1e-6 of their size.

        Raises `EmptyText`, `TextTooLong`; `EditError` if an edit names no tensor of this run, or changes a shape;
        `DeviceFull` if a GPU has too little memory.

        >>> from glassformer import load
        >>> trace = load("tiny-lm").trace("the dog sees the cat", keep="*.weights")
        >>> trace["decoder.1.self_attn.weights"].shape  # (heads, queries, keys)
        torch.Size([4, 6, 6])

        A model with a chat template reads turns, and each token knows who said it:

        >>> from glassformer import Turn
        >>> trace = load("smollm2-135m").trace([Turn("user", "What is the capital of France?")], keep="logits")
        >>> [token.said.role for token in trace.tokens[-6:]]
        ['user', 'user', 'assistant', 'assistant', 'assistant', 'assistant']
        """
        text = as_text(text)
        return self.trace_tokens(*self.tokens_to_run(text, target), keep=keep, edits=edits).of_text(text, target)

    def trace_on_demand(
        self, text: Text, *, edits: Iterable[Edit] = (), target: str | None = None, max_bytes: int = MADE_BYTES
    ) -> Trace:
        """As `trace`, with every tensor, in little memory: a trace that makes again what it does not hold.

        It holds the residual stream before each layer. A tensor that is looked at is made with all tensors of its
        layer, with the same numbers to the last bit. What was made stays in a cache of at most `max_bytes`.
        """
        text = as_text(text)
        made = self.trace_tokens_on_demand(*self.tokens_to_run(text, target), edits=edits, max_bytes=max_bytes)
        return made.of_text(text, target)

    def trace_tokens_on_demand(
        self,
        tokens: tuple[Token, ...],
        source_tokens: tuple[Token, ...] = (),
        *,
        edits: Iterable[Edit] = (),
        max_bytes: int = MADE_BYTES,
        hold: Iterable[str] = (),
        take_turn: Callable[[], AbstractContextManager[None]] = nullcontext,
        look: Look | None = None,
    ) -> Trace:
        """As `trace_on_demand`, over tokens, which need not come from a text.

        It also holds the tensors that `hold` names, so that reading them later takes no time. `take_turn` waits for a
        turn at the processor before a tensor is made. `look` sees every tensor of the layers once, while the run is
        made.
        """
        source, edits = ids_of(source_tokens) if source_tokens else None, tuple(edits)
        tensors = run_on_demand(self.network, ids_of(tokens), source, edits, max_bytes, hold, take_turn, look)
        return Trace(tokens, tensors, source_tokens, self._origin(edits))

    def tokens_to_run(self, text: Text, target: str | None = None) -> tuple[tuple[Token, ...], tuple[Token, ...]]:
        """The tokens that the last stack reads, and those of an encoder before it."""
        tokens = self.tokens_of(text)
        return (self.target_tokens(tokens, target), tokens) if self.config.kind == "encoder-decoder" else (tokens, ())

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
        edits = tuple(edits)
        request = request_of(tokens, source_tokens, keep)
        return Trace(tokens, self._record(request, edits), source_tokens, self._origin(edits, request.keep))

    def _origin(self, edits: tuple[Edit, ...] = (), keep: tuple[str, ...] = ("*",), **more: Any) -> Origin:
        return Origin(self.network, edits, model=self, keep=keep, version=self.version, **more)

    def trace_batch(
        self, texts: Iterable[Text], *, keep: str | Iterable[str] = "*", edits: Iterable[Edit] = ()
    ) -> list[Trace]:
        """The traces of many texts, in their order: each as `trace` gives it, and all of them in less time.

        Texts of like length run in one pass: shorter ones are filled up, a mask hides the padding, and no tensor of a
        trace has any of it. A tensor may differ from that of `trace` by rounding: at most by 1e-5 of its largest
        number, or of 1. Runs with edits, and those of recurrent networks, are made one by one. Raises as `trace` does.

        >>> from glassformer import load
        >>> traces = load("tiny-lm").trace_batch(["the dog sees the cat", "the dog"], keep="*.weights")
        >>> [trace["decoder.1.self_attn.weights"].shape for trace in traces]  # (heads, queries, keys)
        [torch.Size([4, 6, 6]), torch.Size([4, 3, 3])]
        """
        return list(self.trace_each(texts, keep=keep, edits=edits))

    def trace_each(
        self, texts: Iterable[Text], *, keep: str | Iterable[str] = "*", edits: Iterable[Edit] = ()
    ) -> Iterator[Trace]:
        """As `trace_batch`, one trace after another: for more texts than their traces would fit into memory.

        It takes texts as it needs them, and holds half a gigabyte of tensors that nobody has asked for yet.
        """
        keep, edits = (keep,) if isinstance(keep, str) else tuple(keep), tuple(edits)
        if edits or not can_batch(self.network):
            yield from (self.trace(text, keep=keep, edits=edits) for text in texts)
            return
        asked = (self._asked(*self.tokens_to_run(text), keep, text) for text in map(as_text, texts))
        yield from self._in_windows(asked, keep)

    def trace_tokens_each(
        self,
        rows: Iterable[tuple[tuple[Token, ...], tuple[Token, ...]]],
        *,
        keep: str | Iterable[str] = "*",
        edits: Iterable[Edit] = (),
    ) -> Iterator[Trace]:
        """As `trace_each`, over tokens as `tokens_to_run` gives them, which need not come from a text."""
        keep, edits = (keep,) if isinstance(keep, str) else tuple(keep), tuple(edits)
        if edits or not can_batch(self.network):
            yield from (self.trace_tokens(*row, keep=keep, edits=edits) for row in rows)
            return
        yield from self._in_windows((self._asked(*row, keep) for row in rows), keep)

    def _asked(
        self, tokens: tuple[Token, ...], source: tuple[Token, ...], keep: tuple[str, ...], text: Text | None = None
    ) -> Trace:
        """A run that is to be made, without its tensors."""
        return Trace(tokens, {}, source, self._origin(keep=keep, text=text))

    def _in_windows(self, asked: Iterable[Trace], keep: tuple[str, ...]) -> Iterator[Trace]:
        for window in windows(asked, self._kept_bytes):
            yield from self._with_tensors(window, keep)

    def _with_tensors(self, runs: list[Trace], keep: tuple[str, ...]) -> Iterator[Trace]:
        recorded = self._record_together([request_of(each.tokens, each.source_tokens, keep) for each in runs])
        yield from (replace(each, tensors=tensors) for each, tensors in zip(runs, recorded, strict=True))

    def _kept_bytes(self, run: Trace) -> int:
        assert run.origin is not None, "a run that was asked for has an origin"
        return kept_bytes(self.config, run.origin.keep, len(run.tokens), len(run.source_tokens))

    def _record(self, request: RunRequest, edits: tuple[Edit, ...]) -> Mapping[str, Tensor]:
        return request.record(self.network, edits)

    def _record_together(self, requests: Sequence[RunRequest]) -> Sequence[Mapping[str, Tensor]]:
        return record_together(self.network, requests)

    def target_tokens(self, source: tuple[Token, ...], target: str | None) -> tuple[Token, ...]:
        """The decoder's input: <SOS>, then the target's tokens, or the model's own translation."""
        writer = self.output_tokenizer
        if target is None:
            ids = [id for id in self.translate_ids(source) if id not in writer.ends]
        else:
            ids = [token.id for token in writer.encode(target, add_special=False)]
        return self._check_length(writer.tokens([writer.sequence_start, *ids]), "translation")

    def translate_ids(self, source: tuple[Token, ...]) -> Iterator[int]:
        """The greedy translation of a source sentence, id by id, <EOS> included.

        It ends where the model's scores are no finite numbers: a run of such a model shows where that begins.
        """
        writer = self.output_tokenizer
        start, limit = (writer.sequence_start,), self.config.max_length - 1
        steps = self._steps(StepsRequest(start, limit, source=tuple(token.id for token in source), ends=writer.ends))
        with suppress(NumbersNotFinite):
            for step in steps:
                yield step.chosen

    def generate(
        self,
        text: Text,
        *,
        max_new_tokens: int = 32,
        temperature: float = 0.0,
        top_k: int = 0,
        top_p: float = 1.0,
        min_p: float = 0.0,
        seed: int = 0,
        written: Iterable[int] = (),
        cache: bool = True,
        keep: str | Iterable[str] = (),
        kept: KeptCache | None = None,
    ) -> Generator[GenerationStep, None, None]:
        """Writes new tokens, one `GenerationStep` each. They continue the text; an encoder-decoder model translates it.

        Temperature 0 is greedy; see `model.generation.sampling.Sampling` for the filters. `written` are ids that the
        model goes on from, as if it had written them: another branch. `keep` names the tensors of each `step.trace`.
        Of a text whose beginning is in `kept`, only the rest is read: the next turn of a conversation goes on there.
        Close the iterator to stop early. Raises `EmptyText`, `TextTooLong`, `SamplingError`, `DeviceFull`;
        `NumbersNotFinite` for scores that prefer no token; `ModelMismatch` for an encoder-only model.
        """
        if self.config.kind == "encoder":
            raise ModelMismatch(f"{self.card.title} is an encoder: it reads whole texts and predicts no next token.")
        sampling = Sampling(temperature, top_k, top_p, min_p)
        tokens, writer = self.tokens_of(text), self.output_tokenizer
        source: tuple[Token, ...] = ()
        if self.config.kind == "encoder-decoder":
            source, tokens = tokens, writer.tokens([writer.sequence_start])
        tokens = self._check_length(tokens + writer.tokens(written))
        ids, source_ids = (tuple(token.id for token in each) for each in (tokens, source))
        patterns = (keep,) if isinstance(keep, str) else tuple(keep)
        request = StepsRequest(ids, max_new_tokens, sampling, source_ids, writer.ends, seed, cache, patterns)
        return self._add_tokens(self._steps(request, kept), tokens, source)

    def _steps(self, request: StepsRequest, kept: KeptCache | None = None) -> Iterator[GenerationStep]:
        if kept is not None:
            kept.follow(self.network, self.version)
        return request.steps(self.network, kept=kept)

    def _add_tokens(
        self, steps: Iterator[GenerationStep], tokens: tuple[Token, ...], source: tuple[Token, ...]
    ) -> Generator[GenerationStep, None, None]:
        for step in steps:
            token = self.output_tokenizer.token(step.chosen)
            trace = Trace(tokens, step.tensors, source, self._origin(keep=(), is_step=True)) if step.tensors else None
            yield replace(step, token=token, trace=trace)
            tokens = (*tokens, token)


def request_of(tokens: Iterable[Token], source_tokens: Iterable[Token], keep: str | Iterable[str]) -> RunRequest:
    """The run over these tokens, as a value."""
    ids, source = (tuple(token.id for token in each) for each in (tokens, source_tokens))
    return RunRequest(ids, source, (keep,) if isinstance(keep, str) else tuple(keep))


def ids_of(tokens: Iterable[Token]) -> Tensor:
    """The ids as a network reads them: (tokens,)."""
    return torch.tensor([token.id for token in tokens])
