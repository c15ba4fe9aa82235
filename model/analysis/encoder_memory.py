"""How every decoder layer receives the encoder's output. Palaskos (2022), fig. 3.10."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from model.config import TransformerConfig
from model.graph.network_graph import make_graph
from model.network.transformer import Transformer
from model.tape import Trace

KEEP = ("encoder.final_norm", "encoder.*.ffn_norm", "*.cross_attn.memory", "*.cross_attn.k")


@dataclass(frozen=True)
class MemoryUse:
    """The encoder's output as one decoder layer reads it.

    `memory` (source tokens, d_model) is the tensor that the layer received, and `keys` (kv_heads, source tokens,
    d_head) are the keys that it made. `is_output`: the received tensor is the encoder's output itself, at the same
    place in memory. `difference` is the largest one between `keys` and the keys made anew from the encoder's output.
    """

    name: str
    memory: Tensor
    keys: Tensor
    is_output: bool
    difference: float


def encoder_output_name(config: TransformerConfig) -> str:
    """The tensor that leaves the encoder: the final norm if there is one, else the last layer's last norm."""
    return make_graph(config).outputs["encoder"]


@torch.inference_mode()
def memory_uses(network: Transformer, trace: Trace) -> list[MemoryUse]:
    """One entry a decoder layer. `trace` needs the tensors of `KEEP`; `network` is on the CPU, as the trace is."""
    assert network.decoder is not None, "an encoder-decoder has a decoder"
    output = trace[encoder_output_name(network.config)]
    uses = []
    for layer, block in enumerate(network.decoder.blocks):
        name = f"decoder.{layer}.cross_attn.memory"
        memory, keys = trace[name], trace[f"decoder.{layer}.cross_attn.k"]
        is_output = memory.data_ptr() == output.data_ptr() and memory.shape == output.shape
        expected = block.cross_attn.keys_and_values(output)[0]  # type: ignore[operator,union-attr]
        uses.append(MemoryUse(name, memory, keys, is_output, float((expected - keys).abs().max())))
    return uses
