"""The parts of the residual stream sum to it, before every attention and at the end of the encoder."""

from __future__ import annotations

import pytest
import torch

from model.analysis.head_steps import Attention, final_name, kinds
from model.analysis.stream_parts import Parts, keep_for_stream, parts_before, parts_of_memory
from model.graph.network_graph import make_graph
from model.network.norms import LayerNorm
from tests.model.networks import VARIANTS, small_model


@pytest.mark.parametrize("name", VARIANTS)
def test_the_parts_sum_to_the_stream(name: str) -> None:
    model = small_model(name)
    config, tokens = model.config, torch.tensor([2, 0, 3])
    keep = [name for stack in config.stacks for name in (*keep_for_stream(config, stack), final_name(config, stack))]
    trace = model.trace("I am a robot you", keep=keep, target="I like the" if len(config.stacks) > 1 else None)
    for stack, part in kinds(config):
        for layer in range(config.n_layers(stack)):
            parts = parts_before(model, trace, Attention(stack, layer, part), tokens)
            assert len(set(parts.names)) == len(parts.names) == len(parts.vectors)
            found = f"{stack}.{layer}.resid_in"
            if part == "cross_attn":  # it reads what self-attention has made, in a post-norm block after its norm
                found = f"{stack}.{layer}.resid_mid"
                if config.norm_position == "post":
                    norm = model.network.decoder.blocks[layer].attn_norm
                    torch.testing.assert_close(parts.vectors.sum(0), norm(trace[found][tokens]), atol=1e-4, rtol=1e-5)
                    continue
            torch.testing.assert_close(parts.vectors.sum(0), trace[found][tokens], atol=1e-4, rtol=1e-5)
    if len(config.stacks) > 1:
        memory = parts_of_memory(model, trace, tokens).vectors.sum(0)
        torch.testing.assert_close(memory, trace[make_graph(config).outputs["encoder"]][tokens], atol=1e-4, rtol=1e-5)


def test_a_norm_by_hand() -> None:
    """Mean 3, deviation 2: each part loses its own mean and is halved, and the bias is one more part."""
    norm = LayerNorm(2, 0.0)
    norm.bias.data = torch.tensor([10.0, 20.0])
    parts = Parts(("a", "b"), torch.tensor([[[1.0, 3.0]], [[0.0, 2.0]]]))
    made = parts.through(norm, torch.tensor([[1.0, 5.0]]), "bias")
    assert made.names == ("a", "b", "bias")
    assert made.vectors[:, 0].tolist() == [[-0.5, 0.5], [-0.5, 0.5], [10.0, 20.0]]
    assert parts.names == ("a", "b"), "the value stays as it was"
