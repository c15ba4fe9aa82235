"""What the layout of the map knows of a model: its tensors and tokens. It loads torch when it is asked."""

from __future__ import annotations

from collections.abc import Sequence

from model.config import TransformerConfig
from model.graph.nodes import PIXELS, WEIGHT, Node
from model.graph.shapes import shape_of
from model.names import describe
from viz.home.layout.facts import ModelFacts, TensorFacts


def model_facts(config: TransformerConfig, tokens: Sequence[str], sources: Sequence[str] = ()) -> ModelFacts:
    """`tokens` are labels of the last stack's tokens, `sources` of the encoder's where there is a decoder."""
    from model.graph.network_graph import make_graph  # torch is not loaded before a run is made

    nodes = make_graph(config).nodes
    return ModelFacts(
        layers={stack: config.n_layers(stack) for stack in config.stacks},
        n_heads=config.n_heads,
        kv_heads=config.kv_heads,
        head_width=config.head_width,
        tensors={name: _facts(config, node, len(tokens), len(sources)) for name, node in nodes.items()},
        source_tokens=sources or tokens,
        target_tokens=tokens if len(config.stacks) == 2 else (),
    )


def _facts(config: TransformerConfig, node: Node, tokens: int, sources: int) -> TensorFacts:
    shape = shape_of(config, node, tokens, sources)
    if node.operation == PIXELS:
        return TensorFacts(node.name, node.axes, shape, meaning="the prepared picture")
    if node.operation == WEIGHT:
        return TensorFacts(node.name, node.axes, shape, is_weight=True)
    kind = describe(node.name, config.gated)
    return TensorFacts(node.name, node.axes, shape, kind.symbol, kind.meaning, is_share=node.operation == "softmax")
