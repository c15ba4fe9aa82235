"""One layer at a time gives the gradients of autograd over the whole run, and keeps the graph of one layer."""

from __future__ import annotations

from weakref import WeakSet

import pytest
import torch
from torch import Tensor

from model import ablate
from model.edits.edit import Change, Edit
from model.experiments.gradients import track_gradient
from model.experiments.layerwise_gradient import LayerGradient, layer_gradients, record_streams
from model.experiments.surgery import without
from model.network.transformer import Transformer
from model.tape import Tape
from tests.model.networks import VARIANTS, inputs, variant

EDITS = (
    ablate("*.self_attn", 1),
    Change("*.1.resid_in", lambda x: 2 * x + 1),
    Change("*.cross_attn.memory", lambda x: x.flip(0) / 2),
    Change("*embed.out", lambda x: x - 1),
    Change("*final_norm", lambda x: x * x),
)


def weights_for(network: Transformer) -> Tensor:
    """The gradient with respect to the hidden states of their sum with these weights: (tokens, d_model)."""
    tokens = len(inputs(network)[0])
    return torch.randn(tokens, network.config.d_model, generator=torch.Generator().manual_seed(2), dtype=torch.float64)


def by_one_graph(network: Transformer) -> dict[str, Tensor]:
    """The gradient of that sum for each `resid_in`, and for the embeddings, by autograd over the whole run."""
    ids, source = inputs(network)
    tape = Tape(("*.resid_in", "*embed.out"), (Change("*embed.out", track_gradient),))
    if network.decoder is None:
        hidden = network.encode(ids, tape)
    else:
        hidden = network.decode(ids, None if source is None else network.encode(source, tape), tape)
    gradients = torch.autograd.grad((hidden * weights_for(network)).sum(), list(tape.records.values()))
    return dict(zip(tape.records, gradients, strict=True))


def by_layers(network: Transformer) -> list[LayerGradient]:
    with torch.inference_mode():  # as on a page
        streams = record_streams(network, *inputs(network))
        return list(layer_gradients(network, streams, lambda hidden: weights_for(network)))


@pytest.mark.parametrize("edits", [(), EDITS], ids=["whole", "edited"])
@pytest.mark.parametrize("name", VARIANTS)
def test_the_gradients_are_those_of_one_graph(name: str, edits: tuple[Edit, ...]) -> None:
    network = variant(name).double()
    network = without(network, (), edits) if edits else network
    expected, found = by_one_graph(network), by_layers(network)
    layers = {f"{each.stack}.{each.layer}.resid_in": each for each in found}
    assert {*layers} == {name for name in expected if name.endswith("resid_in")}
    for name, each in layers.items():
        torch.testing.assert_close(each.of_resid_in, expected[name])
        if each.layer == 0:
            embedding = f"{each.stack}.embed.out" if len(network.config.stacks) > 1 else "embed.out"
            torch.testing.assert_close(each.of_x, expected[embedding])


def test_the_last_layer_comes_first_and_the_encoder_behind_the_decoder() -> None:
    order = [(each.stack, each.layer) for each in by_layers(variant("paper").double())]
    assert order == [("decoder", 2), ("decoder", 1), ("decoder", 0), ("encoder", 1), ("encoder", 0)]


def test_the_graph_of_one_layer_is_kept_at_a_time() -> None:
    def most_saved(layers: int) -> int:
        """The most tensors that all graphs keep at once for their ways back."""
        saved, counts = WeakSet[Saved](), list[int]()

        def pack(tensor: Tensor) -> Saved:
            kept = Saved(tensor)
            saved.add(kept)
            counts.append(len(saved))
            return kept

        with torch.autograd.graph.saved_tensors_hooks(pack, lambda kept: kept.tensor):
            by_layers(variant("Llama", n_decoder_layers=layers).double())
        return max(counts)

    assert most_saved(6) == most_saved(2) > 0


class Saved:
    def __init__(self, tensor: Tensor) -> None:
        self.tensor = tensor
