"""Tensors on demand: a run that holds the residual stream before each layer, and makes the rest again when asked.

Everything of SmolLM2 at 256 tokens is over half a gigabyte. The stream before each layer is 18 MB, and one layer made
again from it takes tens of milliseconds. At 1,024 tokens the weights of all heads alone are 1.1 GB, the streams 73 MB.
"""

from __future__ import annotations

import copy
import math
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, nullcontext, suppress
from functools import lru_cache
from itertools import accumulate

import torch
from torch import Tensor, nn

from model import work_bound
from model.config import TransformerConfig
from model.device import PLAIN, Placement, to_cpu, within_memory
from model.edits.edit import Edit
from model.errors import ModelMismatch
from model.graph.network_graph import make_graph
from model.graph.shapes import shape_of
from model.network.transformer import Transformer
from model.process_memory import FreeMemory
from model.tape import AllRecorded, LazyTensors, Look, Tape, matcher, storage_bytes

MADE_BYTES = 72_000_000  # of tensors made again: the logits of 256 tokens of SmolLM2 are 50 MB, a layer is 20 MB
GROWTH_BYTES = 200_000_000  # of a process in a run: 1,024 tokens of SmolLM2 take 190 million, of which 73 stay
TensorGroup = tuple[str, int]  # (stack, layer), or READ_OUT: tensors that are made together
READ_OUT: TensorGroup = ("", 0)  # what stands after the last stack: logits, and scores of classes


def stream_names(config: TransformerConfig) -> tuple[str, ...]:
    """What such a run holds: the embeddings, the input of each layer, and the output of each stack."""
    graph = make_graph(config)
    found = [node for node in graph.nodes.values() if node.name.endswith(".resid_in")]
    streams = {name for node in found for name in (node.name, node.one("x"))} | set(graph.outputs.values())
    return tuple(name for name in graph.tensors if name in streams or "embed" in name.split("."))


@lru_cache(maxsize=256)
def kept_bytes(config: TransformerConfig, keep: tuple[str, ...], tokens: int, sources: int = 0) -> int:
    """The bytes of the tensors that `keep` names, in a run of so many tokens. Shared memory counts for each name.

    `tokens` and `sources` are as in `shape_of`.
    """
    graph, matches = make_graph(config), matcher(keep)
    kept = (graph[name] for name in graph.tensors if matches(name))
    return sum(math.prod(shape_of(config, node, tokens, sources)) for node in kept) * PLAIN.dtype.itemsize


def last_kept(network: Transformer, keep: tuple[str, ...], edits: Iterable[Edit]) -> int | None:
    """How many tensors a run records before it may end; None where it must go on to find an edit that is nowhere."""
    own = getattr(network, "edits", ())  # of `model.experiments.surgery.EditedTransformer`
    may_end = all(_count(network.config, (edit.pattern,)) for edit in (*edits, *own))
    return _count(network.config, keep) if may_end else None


@lru_cache(maxsize=1024)
def _count(config: TransformerConfig, patterns: tuple[str, ...]) -> int:
    """How many tensors of a run the patterns name."""
    return sum(map(matcher(patterns), make_graph(config).tensors))


class TensorsOnDemand(LazyTensors):
    """All tensors of one run by name. Some are held, and the others are made again, a layer at a time.

    They are the same numbers to the last bit as in a run that kept them. The tensors that were made stay in a cache of
    at most `max_bytes`, from which the least recently used go first. Where a whole layer is larger than that, its large
    tensors are made one by one. Many threads can share it.
    """

    def __init__(
        self,
        network: Transformer,
        held: Mapping[str, Tensor],
        edits: Iterable[Edit] = (),
        max_bytes: int = MADE_BYTES,
        take_turn: Callable[[], AbstractContextManager[None]] = nullcontext,
    ) -> None:
        """`held` are the tensors of `stream_names`, of a run with these edits whose tape watched all tensors.

        `take_turn` waits for a turn at the processor, since to make a tensor is to run a layer.
        """
        self._config, self._network, self._take_turn = network.config, network, take_turn
        self._held, self._edits = dict(held), tuple(edits)
        self._graph = make_graph(network.config)
        self._names = dict.fromkeys(self._graph.tensors)
        self._max_bytes = max_bytes
        self._held_bytes = storage_bytes(self._held.values())
        self._made: OrderedDict[TensorGroup, dict[str, Tensor]] = OrderedDict()
        self._made_bytes: dict[TensorGroup, int] = {}
        self._lock = threading.Lock()  # of the cache, for an instant
        self._making = threading.Lock()  # while a part is made, so that no part is made twice at once

    def keeping(self, keep: str | Iterable[str]) -> TensorsOnDemand:
        """As `LazyTensors.keeping`. A layer is made up to the last of its tensors that is named."""
        shared, matches = copy.copy(self), matcher(keep)
        shared._names = dict.fromkeys(name for name in self._graph.tensors if matches(name))
        return shared

    def computed_by(self, network: nn.Module | None) -> TensorsOnDemand:
        """As `LazyTensors.computed_by`. So a cache can keep the tensors, but not the network."""
        shared = copy.copy(self)
        shared._network = network  # type: ignore[assignment]  # a transformer, as it was before
        return shared

    def logits_at(self, places: int | slice) -> Tensor:
        """As `LazyTensors.logits_at`. They may differ in the last bits from those of all positions together."""
        read_out = [name for name in self._graph.tensors if name == "logits" or name.startswith("transform.")]
        is_edited = any(edit.matches(name) for edit in self._edits for name in read_out)
        if is_edited or "logits" in self._held or "logits" in self._find(READ_OUT):
            return self["logits"][places]
        if "logits" not in self:
            raise KeyError("logits")
        assert self._network is not None, "see _make"
        hidden = self._held[self._graph.outputs[self._config.stacks[-1]]][places]  # (positions, d_model)
        with self._take_turn(), within_memory(), torch.inference_mode():
            return PLAIN.take(self._network.word_logits(Placement.of(self._network).take(hidden)))

    def __getitem__(self, name: str) -> Tensor:
        if name not in self._names:
            raise KeyError(name)
        if name in self._held:
            return self._held[name]
        part = part_of(name)
        found = self._find(part)
        if name not in found:
            with work_bound.alone(self._making), self._take_turn():
                found = self._find(part)  # another thread may have made it meanwhile
                if name not in found:
                    missing = self._made_with(name, found)
                    self._make_room(self._size(missing))
                    found = self._find(part) | self._make(part, missing)
                    with self._lock:
                        self._made[part], self._made_bytes[part] = found, storage_bytes(found.values())
                    self._make_room(0)
        return found[name]

    def __contains__(self, name: object) -> bool:
        return name in self._names

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)

    @property
    def held(self) -> Mapping[str, Tensor]:
        """As `LazyTensors.held`, also those that `keeping` leaves out."""
        return self._held

    @property
    def nbytes(self) -> int:
        """Bytes of the tensors that are held and of those that were made and are still in the cache."""
        with self._lock:
            return self._held_bytes + self._count_made()

    @property
    def most_bytes(self) -> int:
        return self._held_bytes + self._max_bytes

    def _find(self, part: TensorGroup) -> dict[str, Tensor]:
        """The tensors of a group that were made and are still in the cache."""
        with self._lock:
            if part in self._made:
                self._made.move_to_end(part)
            return self._made.get(part, {})

    def _make_room(self, nbytes: int) -> None:
        """Drops the least recently used groups until `nbytes` more bytes fit below the bound."""
        with self._lock:
            while self._made and self._count_made() + nbytes > self._max_bytes:
                oldest, _ = self._made.popitem(last=False)
                del self._made_bytes[oldest]

    def _size(self, names: Iterable[str]) -> int:
        """About how many bytes tensors take, so that there is room for them before they are made."""
        rows = [len(self._held[name]) for name in self._graph.outputs.values()]
        shapes = (shape_of(self._config, self._graph[name], rows[-1], rows[0]) for name in names)
        return sum(math.prod(shape) for shape in shapes) * PLAIN.dtype.itemsize

    def _made_with(self, name: str, found: dict[str, Tensor]) -> list[str]:
        """The tensors that are made together with one. `found` are there already.

        They are those of its layer, or as many of them as can be kept, the smallest first.
        """
        part = part_of(name)
        missing = [each for each in self._names if part_of(each) == part and each not in self._held | found]
        missing.sort(key=lambda each: (each != name, self._size([each])))
        sizes = accumulate(self._size([each]) for each in missing)
        return [each for each, size in zip(missing, sizes, strict=True) if each == name or size <= self._max_bytes]

    def _count_made(self) -> int:
        return sum(self._made_bytes.values())

    @torch.inference_mode()
    def _make(self, part: TensorGroup, names: list[str]) -> dict[str, Tensor]:
        """Computes these tensors of one group. What comes after the last of them is not computed."""
        assert self._network is not None, "the tensors of a cache are made by the network of the page that asks"
        tape = Tape(names, self._edits, watches_all=True, ends_after=len(names))
        with within_memory():
            with suppress(AllRecorded):
                if part == READ_OUT:
                    self._network.read_out(self._take(self._graph.outputs[self._config.stacks[-1]]), tape)
                else:
                    self._run_layer(self._network, *part, tape)
            return to_cpu(tape.records)

    def _run_layer(self, network: Transformer, stack: str, layer: int, tape: Tape) -> None:
        crosses = "cross_attn" in self._config.attentions(stack)
        memory = self._take(self._graph.outputs["encoder"]) if crosses else None
        # Not `resid_in` itself, which an edit may have replaced: the layer makes that edit again.
        before = self._graph[f"{stack}.{layer}.resid_in"].one("x")
        network.run_layer(stack, layer, self._take(before), tape, memory)

    def _take(self, name: str) -> Tensor:
        assert self._network is not None, "see _make"
        return Placement.of(self._network).take(self._held[name])


def part_of(name: str) -> TensorGroup:
    """The tensors that are made together: those of one layer, or what stands after the last stack."""
    stack, *rest = name.split(".")
    return (stack, int(rest[0])) if rest and rest[0].isdigit() else READ_OUT


def run_on_demand(
    network: Transformer,
    inputs: Tensor,
    source: Tensor | None,
    edits: Iterable[Edit],
    max_bytes: int,
    hold: Iterable[str] = (),
    take_turn: Callable[[], AbstractContextManager[None]] = nullcontext,
    look: Look | None = None,
) -> TensorsOnDemand:
    """Runs the network over ids (tokens,), or over pixels (C, H, W), and holds the stream before each layer.

    `hold` names more tensors, or patterns of them, to hold, so that reading them later takes no time. `take_turn` is
    that of `TensorsOnDemand`. `look` sees every tensor of the layers once, as in `Tape`: to make it again costs a
    layer.

    Raises `EditError` as `Model.trace` does; `ModelMismatch` for a recurrent network, which has no layers to make.
    """
    if not isinstance(network, Transformer):
        raise ModelMismatch("Only the tensors of a transformer can be made again; this is another kind of network.")
    edits, held = tuple(edits), (*stream_names(network.config), *hold)
    free = FreeMemory(_most_growth(network.config, len(inputs), 0 if source is None else len(source)))

    def watch(name: str, tensor: Tensor) -> None:
        if name.endswith(".resid_in"):  # the layer before has freed its tensors
            free.bound()
        if look is not None:
            look(name, tensor)

    # The logits of a long text are large, and nobody has asked for them.
    tape = Tape(held, edits, watches_all=True, ends_after=last_kept(network, held, edits), look=watch)
    with torch.inference_mode(), within_memory():
        with suppress(AllRecorded):
            network(inputs, source, tape)
            tape.check_edits()
        return TensorsOnDemand(network, to_cpu(tape.records), edits, max_bytes, take_turn)


def _most_growth(config: TransformerConfig, tokens: int, sources: int) -> int:
    """The bytes by which a process may grow before it gives free memory back: at least those of a layer's tensors.

    `tokens` and `sources` are as in `shape_of`.
    """
    return max(GROWTH_BYTES, kept_bytes(config, (f"{config.stacks[-1]}.0.*",), tokens, sources))
