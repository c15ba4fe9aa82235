"""Tensors on demand: a run that holds the residual stream before each layer, and makes the rest again when asked.

Everything of SmolLM2 at 256 tokens is over half a gigabyte. The stream before each layer is 18 MB, and one layer made
again from it takes tens of milliseconds.
"""

from __future__ import annotations

import math
import threading
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Mapping

import torch
from torch import Tensor

from model.config import TransformerConfig
from model.device import PLAIN, Place, to_cpu, within_memory
from model.errors import ModelMismatch
from model.graph.shapes import shape_of
from model.graph.table import make_graph
from model.network.transformer import Transformer
from model.tape import Edit, MadeTensors, Tape, storage_bytes

MADE_BYTES = 72_000_000  # of tensors made again: the logits of 256 tokens of SmolLM2 are 50 MB, a layer is 20 MB
Part = tuple[str, int]  # (stack, layer), or READ_OUT: tensors that are made together
READ_OUT: Part = ("", 0)  # what stands behind the last stack: logits, and scores of classes


def stream_names(config: TransformerConfig) -> tuple[str, ...]:
    """The tensors that such a run holds: the embedding, the stream that each layer finds, and what each stack gives."""
    graph = make_graph(config)
    found = [node for node in graph.nodes.values() if node.name.endswith(".resid_in")]
    streams = {name for node in found for name in (node.name, node.one("x"))} | set(graph.outputs.values())
    return tuple(name for name in graph.tensors if name in streams or "embed" in name.split("."))


class TensorsOnDemand(MadeTensors):
    """All tensors of one run by name. Some are held, and the others are made again, a layer at a time.

    They are the same numbers to the last bit as in a run that kept them. The tensors that were made stay in a cache
    of at most `max_bytes`, from which those go first that nobody has looked at for longest. Many threads can share it.
    """

    def __init__(
        self, network: Transformer, held: Mapping[str, Tensor], edits: Iterable[Edit] = (), max_bytes: int = MADE_BYTES
    ) -> None:
        """`held` are the tensors of `stream_names`, of a run with these edits whose tape watched all tensors."""
        self._network, self._held, self._edits = network, dict(held), tuple(edits)
        self._graph = make_graph(network.config)
        self._names = dict.fromkeys(self._graph.tensors)
        self._max_bytes = max_bytes
        self._held_bytes = storage_bytes(self._held.values())
        self._made: OrderedDict[Part, dict[str, Tensor]] = OrderedDict()
        self._made_bytes: dict[Part, int] = {}
        self._lock = threading.Lock()  # of the cache, for an instant
        self._making = threading.Lock()  # while a part is made, so that no part is made twice at once

    def __getitem__(self, name: str) -> Tensor:
        if name in self._held:
            return self._held[name]
        if name not in self._names:
            raise KeyError(name)
        part = part_of(name)
        found = self._find(part)
        if found is None:
            with self._making:
                found = self._find(part)  # another thread may have made it meanwhile
                if found is None:
                    self._make_room(self._size(part))
                    found = self._make(part)
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
    def nbytes(self) -> int:
        """Bytes of the tensors that are held and of those that were made and are still in the cache."""
        with self._lock:
            return self._held_bytes + self._count_made()

    def _find(self, part: Part) -> dict[str, Tensor] | None:
        with self._lock:
            if part in self._made:
                self._made.move_to_end(part)
            return self._made.get(part)

    def _make_room(self, nbytes: int) -> None:
        """Drops the parts that nobody has looked at for longest, until so many more bytes are within the bound."""
        with self._lock:
            while self._made and self._count_made() + nbytes > self._max_bytes:
                oldest, _ = self._made.popitem(last=False)
                del self._made_bytes[oldest]

    def _size(self, part: Part) -> int:
        """About how many bytes a part takes, so that there is room for it before it is made."""
        config = self._network.config
        rows = [len(self._held[name]) for name in self._graph.outputs.values()]
        names = (name for name in self._names if part_of(name) == part and name not in self._held)
        shapes = (shape_of(config, self._graph[name], rows[-1], rows[0]) for name in names)
        return sum(math.prod(shape) for shape in shapes) * PLAIN.dtype.itemsize

    def _count_made(self) -> int:
        return sum(self._made_bytes.values())

    @torch.inference_mode()
    def _make(self, part: Part) -> dict[str, Tensor]:
        """The tensors of one part that are not held."""
        tape = Tape("*", self._edits)
        with within_memory():
            if part == READ_OUT:
                self._network.read_out(self._take(self._graph.outputs[self._network.config.stacks[-1]]), tape)
            else:
                self._run_layer(*part, tape)
            made = to_cpu(tape.records)
        return {name: tensor for name, tensor in made.items() if name not in self._held}

    def _run_layer(self, stack: str, layer: int, tape: Tape) -> None:
        crosses = "cross_attn" in self._network.config.attentions(stack)
        memory = self._take(self._graph.outputs["encoder"]) if crosses else None
        # Not `resid_in` itself, which an edit may have replaced: the layer makes that edit again.
        before = self._graph[f"{stack}.{layer}.resid_in"].one("x")
        self._network.run_layer(stack, layer, self._take(before), tape, memory)

    def _take(self, name: str) -> Tensor:
        return Place.of(self._network).take(self._held[name])


def part_of(name: str) -> Part:
    """The tensors that are made together: those of one layer, or what stands behind the last stack."""
    stack, *rest = name.split(".")
    return (stack, int(rest[0])) if rest and rest[0].isdigit() else READ_OUT


def run_on_demand(
    network: Transformer,
    inputs: Tensor,
    source: Tensor | None,
    edits: Iterable[Edit],
    max_bytes: int,
    hold: Iterable[str] = (),
) -> TensorsOnDemand:
    """Runs the network over ids (tokens,), or over pixels (C, H, W), and holds the stream before each layer.

    `hold` names tensors, or patterns of them, that are held too, so that nobody waits for them.

    Raises `EditError` as `Model.trace` does; `ModelMismatch` for a recurrent network, which has no layers to make.
    """
    if not isinstance(network, Transformer):
        raise ModelMismatch("Only the tensors of a transformer can be made again; this is another kind of network.")
    edits = tuple(edits)
    tape = Tape((*stream_names(network.config), *hold), edits, watches_all=True)
    with torch.inference_mode(), within_memory():
        network(inputs, source, tape)
        tape.check_edits()
        return TensorsOnDemand(network, to_cpu(tape.records), edits, max_bytes)
