"""Two sentences of equally many tokens with their runs, and the places where one run can be patched into the other."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, nullcontext, suppress
from dataclasses import dataclass

import torch
from torch import Tensor

from model import work_bound
from model.device import PLAIN, Placement
from model.errors import GlassformerError
from model.experiments.surgery import edits_above
from model.graph.network_graph import make_graph
from model.names import SITES
from model.network.kv_cache import RecordedCache
from model.network.transformer import Transformer
from model.tape import AllRecorded, Look, Tape, storage_bytes

ALL = slice(None)
OF_HEADS = ("heads", "q", "k", "v", "weights")  # the tensors of an attention that have a row for each head
TOGETHER = ".all"  # ends the name of what is patched in all heads of a layer together
OF_ALL_HEADS = tuple(f"{kind}{TOGETHER}" for kind in OF_HEADS[1:])  # all outputs of heads are those of the attention
OF_KEYS = ("k", "v")  # those that have a row for each key head, and one of these for each key
LIKELY = 10  # tokens, of which one is the rival of the answer


class UnequalPrompts(GlassformerError):
    """Two sentences cannot be patched into each other."""


@dataclass(frozen=True)
class Prompt:
    """The ids that the last stack reads (tokens,), and those of an encoder before it (sources,).

    `position` is the place whose word is asked for: -1 is the last one. A class is asked of the whole text.
    """

    ids: Tensor
    source: Tensor | None = None
    position: int = -1

    def of(self, stack: str) -> Tensor:
        """The ids that a stack reads."""
        return self.source if stack == "encoder" and self.source is not None else self.ids

    @property
    def from_end(self) -> int:
        """The place counted from the end: -1 is the last one."""
        return self.position if self.position < 0 else self.position - len(self.ids)


@dataclass(frozen=True)
class Site:
    """A kind of tensor that is patched: in each layer, one row after another.

    A row of the outputs, queries, keys, values or patterns of heads is one head at all tokens. Where several heads
    share a key head, a row of keys or values is that key head, so it changes its whole group. A row of every other
    tensor is all features at one token. So is one of queries, keys, values or patterns of all heads together.
    """

    stack: str
    part: str  # "resid_in", "self_attn.out", "ffn.out"; "self_attn.heads", or "q", "k", "v", "weights", "q.all", ...

    @property
    def is_of_heads(self) -> bool:
        """Whether a row is one head."""
        return self.has_heads and not self.part.endswith(TOGETHER)

    @property
    def has_heads(self) -> bool:
        """Whether its tensor has a part for each head."""
        return self._kind in OF_HEADS

    @property
    def is_of_keys(self) -> bool:
        """Whether its heads are key heads, and its tokens those that are looked at."""
        return self._kind in OF_KEYS

    @property
    def is_output(self) -> bool:
        """Whether it is the stream, or what joins it: an output of a head or of a sublayer."""
        return not self.has_heads or self._kind == "heads"

    @property
    def is_pattern(self) -> bool:
        """Whether it is the attention weights: their tokens are those that look."""
        return self._kind == "weights"

    @property
    def read_stack(self) -> str:
        """The stack whose tokens are looked at."""
        return "encoder" if self.part.startswith("cross_attn.") else self.stack

    @property
    def token_stack(self) -> str:
        """The stack whose tokens it has."""
        return self.read_stack if self.is_of_keys else self.stack

    @property
    def tensor(self) -> str:
        """The tensor of a layer: "self_attn.q"."""
        return self.part.removesuffix(TOGETHER)

    @property
    def _kind(self) -> str:
        return self.tensor.rpartition(".")[2]

    def name(self, layer: int) -> str:
        """The name of the tensor on the tape."""
        return f"{self.stack}.{layer}.{self.tensor}"

    def title(self, has_several: bool) -> str:
        """The site in words; with the stack's name where several stacks of the model have one."""
        words = SITES[self.part]
        return f"{self.stack}: {words}" if has_several and self.read_stack == self.stack else words


def sites_of(network: Transformer) -> tuple[Site, ...]:
    """All sites of a network, those of the encoder first."""
    config = network.config
    return tuple(
        Site(stack, part)
        for stack in config.stacks
        for part in (
            "resid_in",
            *(f"{attention}.out" for attention in config.attentions(stack)),
            "ffn.out",
            *(f"{attention}.{kind}" for attention in config.attentions(stack) for kind in (*OF_HEADS, *OF_ALL_HEADS)),
        )
    )


@dataclass(frozen=True)
class SentencePair:
    """A clean and a corrupted prompt. `runs` has the "logits" of each, of the words or of an encoder's classes,
    (answers,). It has the stream before each layer, "decoder.3.resid_in", (tokens, d_model), and of a translator the
    "memory", (sources, d_model). From there each layer can be run again. All are on the CPU.

    In a decoder without an encoder, a token sees only those before it. So the first `shared` tokens, which are the same
    in both sentences, have the same tensors in both runs. The recorded streams begin after them. The corrupted run
    also has the keys "decoder.3.self_attn.k" and values "decoder.3.self_attn.v" of all tokens, (kv_heads, tokens,
    d_head), so that a run can go on from any token.
    """

    clean: Prompt
    corrupted: Prompt
    runs: tuple[dict[str, Tensor], dict[str, Tensor]]
    shared: int = 0

    @property
    def logits(self) -> tuple[Tensor, Tensor]:
        """The logits of the answers in the clean and in the corrupted run: (answers,) each."""
        clean, corrupted = (run["logits"] for run in self.runs)
        return clean, corrupted

    @property
    def nbytes(self) -> int:
        """Bytes of the recorded tensors."""
        return sum(storage_bytes(run.values()) for run in self.runs)

    def telling_tokens(self, answer: int | None = None, exclusive: bool = True) -> tuple[int, int | None]:
        """The answer, and the answer that stands for the corrupted sentence.

        Without `answer`, the first is the one that the clean sentence predicts. The second is the likeliest answer to
        the corrupted sentence. Where both sentences predict the same, it is the likely answer whose logit rises most.
        It is None where answers are not `exclusive`, such as labels of which several can be right: each of these is
        compared with itself in the other sentence.
        """
        clean, corrupted = self.logits
        answer = int(clean.argmax()) if answer is None else answer
        if not exclusive:
            return answer, None
        against = int(corrupted.argmax())
        if answer != against:
            return answer, against
        likely = corrupted.topk(min(LIKELY, len(corrupted))).indices
        rises = (corrupted - clean)[likely].masked_fill(likely == answer, -torch.inf)
        return answer, int(likely[rises.argmax()])


@torch.inference_mode()
def record_pair(
    network: Transformer,
    clean: Prompt,
    corrupted: Prompt,
    *,
    take_turn: Callable[[], AbstractContextManager[None]] = nullcontext,
) -> SentencePair:
    """Both runs. Raises `UnequalPrompts` where parts of one have no place in the other, or where nothing differs.

    A decoder without an encoder reads the shared tokens once. `take_turn` waits for a turn at the processor before each
    run.
    """
    shared = compare_prompts(network, clean, corrupted)
    with take_turn():  # the room for both runs is made before them: see `_make_room`
        rooms = [_make_room(network, prompt, shared, has_keys=prompt is corrupted) for prompt in (clean, corrupted)]
        if shared:
            network.decode(clean.ids[:shared], tape=Tape(look=_into(rooms[1], slice(shared))))
    before = tokens_before(network, rooms[1], shared) if network.encoder is None else None
    for prompt, room in zip((clean, corrupted), rooms, strict=True):
        with take_turn():
            _record(network, prompt, before, room)
    return SentencePair(clean, corrupted, (rooms[0], rooms[1]), shared)


@torch.inference_mode()
def record_beside(
    network: Transformer,
    clean: Prompt,
    corrupted: Prompt,
    own: Mapping[str, Tensor],
    logits: Tensor,
    *,
    take_turn: Callable[[], AbstractContextManager[None]] = nullcontext,
) -> SentencePair:
    """As `record_pair`, where the clean run is there already. So only the corrupted one is made.

    `own` has the tensors of the clean run that `model.graph.on_demand.stream_names` names, and `logits` are those of
    its answers, (answers,). All are on the CPU. The run may go on after the tokens of the prompt. The pair shares its
    memory. The numbers differ from those of `record_pair` by rounding: that one reads the shared tokens by themselves.
    """
    shared = compare_prompts(network, clean, corrupted)
    run = {name: own[name][shared : len(clean.of(stack))] for stack, name in _streams(network)} | {"logits": logits}
    if network.config.kind == "encoder-decoder":
        run["memory"] = own[make_graph(network.config).outputs["encoder"]]
    with take_turn():
        room, before = _make_room(network, corrupted, shared, has_keys=True), None
        if network.encoder is None:
            for layer in range(network.config.n_decoder_layers):
                _make_keys(network, own, layer, shared, room)
            before = tokens_before(network, room, shared)
        _record(network, corrupted, before, room)
    return SentencePair(clean, corrupted, (run, room), shared)


def compare_prompts(network: Transformer, clean: Prompt, corrupted: Prompt) -> int:
    """The number of shared tokens. Raises `UnequalPrompts` as `record_pair` does."""
    if not network.config.has_answer:
        raise UnequalPrompts(
            "This model gives neither a word nor a class of a text, so there is no answer whose logit could change."
        )
    for stack in network.config.stacks:
        counts = len(clean.of(stack)), len(corrupted.of(stack))
        if counts[0] != counts[1]:
            raise UnequalPrompts(
                f"Both sentences need as many tokens: the first has {counts[0]}, the second {counts[1]}. Only then has "
                "a part of one run its place in the other. Change words, not the number of tokens."
            )
    if all(clean.of(stack).equal(corrupted.of(stack)) for stack in network.config.stacks):
        raise UnequalPrompts("Both sentences have the same tokens, so nothing tells them apart. Change a word.")
    return _count_shared(network, clean, corrupted)


def tokens_before(network: Transformer, run: Mapping[str, Tensor], count: int) -> RecordedCache:
    """The recorded keys and values of the first tokens of a run."""
    cache, here = RecordedCache(count), Placement.of(network)
    for layer in range(network.config.n_decoder_layers):
        k, v = (run[f"decoder.{layer}.self_attn.{name}"][:, :count] for name in "kv")
        cache.keep(f"{layer}.self_attn", here.take(k), here.take(v))
    return cache


def _count_shared(network: Transformer, clean: Prompt, corrupted: Prompt) -> int:
    """The tokens before the first that differs, and before the one that is asked; 0 if a token sees later ones."""
    if network.encoder is not None:
        return 0
    first = int((clean.ids != corrupted.ids).nonzero()[0])
    return min(first, len(clean.ids) + clean.from_end)


def _streams(network: Transformer) -> Iterator[tuple[str, str]]:
    """Each stack with the name of the stream before each of its layers."""
    for stack in network.config.stacks:
        for layer in range(network.config.n_layers(stack)):
            yield stack, f"{stack}.{layer}.resid_in"


def _make_room(network: Transformer, prompt: Prompt, shared: int, has_keys: bool) -> dict[str, Tensor]:
    """Empty tensors for the streams of a run after the shared tokens, and for the keys and values of a decoder alone.

    They are made before the run. What a run keeps stands between its large tensors, and their memory cannot be used
    again.
    """
    config, room = network.config, dict[str, Tensor]()
    for stack, name in _streams(network):
        room[name] = torch.empty(len(prompt.of(stack)) - shared, config.d_model)
    if has_keys and network.encoder is None:
        for layer in range(config.n_decoder_layers):
            for name in "kv":
                keys = torch.empty(config.kv_heads, len(prompt.ids), config.head_width)
                room[f"decoder.{layer}.self_attn.{name}"] = keys
    work_bound.keep(storage_bytes(room.values()))
    return room


def _make_keys(
    network: Transformer, run: Mapping[str, Tensor], layer: int, count: int, room: dict[str, Tensor]
) -> None:
    """Fills in the keys and values of a decoder's first tokens in one layer, from the recorded stream before it."""
    start = f"decoder.{layer}.resid_in"
    names = [f"decoder.{layer}.self_attn.{name}" for name in "kv"]
    tape = Tape(names, edits_above(network, start), ends_after=len(names))  # the attention itself is not made
    assert network.decoder is not None, "only a decoder keeps the keys of the tokens before"
    with suppress(AllRecorded):
        network.decoder.run(Placement.of(network).take(run[start][:count]), tape, first=layer, stop=layer + 1)
    for name in names:
        room[name][:, :count] = tape.records[name]


def _into(room: dict[str, Tensor], tokens: slice) -> Look:
    """Copies each tensor of a run that has room into its place at these tokens."""

    def take(name: str, tensor: Tensor) -> None:
        if name in room and (tokens == ALL or not name.endswith(".resid_in")):
            room[name][..., tokens, :] = tensor

    return take


def _record(network: Transformer, prompt: Prompt, before: RecordedCache | None, room: dict[str, Tensor]) -> None:
    """Fills the room with the tensors of the tokens after those `before`, and adds the logits and the memory, if any.

    `before` belongs to a decoder without an encoder.
    """
    tape = Tape(look=_into(room, ALL))
    if before is not None:
        hidden = network.decode(prompt.ids[before.length :], tape=tape, cache=before)
    elif network.decoder is None:
        hidden = network.encode(prompt.ids, tape)  # (tokens, d_model)
    else:
        assert prompt.source is not None, "a translator reads a source"
        memory = network.encode(prompt.source, tape)  # (sources, d_model)
        hidden = network.decode(prompt.ids, memory, tape)
        room["memory"] = PLAIN.take(memory)
    room["logits"] = PLAIN.take(network.answer(hidden, prompt.from_end))
