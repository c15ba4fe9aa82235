"""What one number goes into: the cells that are made with it, and the tensors that read a tensor."""

from __future__ import annotations

from collections.abc import Sequence

from model.config import TransformerConfig
from model.graph.nodes import Cells
from model.graph.operations import OPERATIONS
from model.graph.recording import Recording
from model.tape import Trace


def uses(
    source: Trace | TransformerConfig, name: str, index: Sequence[int], config: TransformerConfig | None = None
) -> tuple[Cells, ...]:
    """The cells that are made with the number `index` of the tensor or weight `name`; () for a result of the model.

    They are the cells whose `explain` names this one among its `sources`. With a configuration in the place of a run,
    the tokens are unknown: then a row of the embedding table may stand at any place.

    Raises KeyError for a name that the model lacks, IndexError for a cell that the tensor does not have,
    `ModelMismatch` for a run of no transformer, and for a trace that does not know its model without `config`.

    >>> from glassformer import load, uses
    >>> uses(load("tiny-lm").trace("the dog sees"), "decoder.1.self_attn.weights", (0, 3, 1))
    (Cells(name='decoder.1.self_attn.heads', index=(0, 3, slice(None, None, None))),)
    """
    run, index = Recording.of(source, config), tuple(index)
    run.check(name, index)
    return tuple(
        Cells(node.name, cells)
        for node in run.graph.consumers[name]
        for read in node.inputs
        if read.name == name
        for cells in OPERATIONS[node.operation].targets(node, run, read, index)
    )
