"""Lengths and cosines of the residual stream, by hand and on a small network."""

import pytest
import torch

from model.analysis.stream_growth import layer_cosines, layer_lengths, length_terms, mean_lengths
from model.config import TransformerConfig
from model.experiments.gradients import fresh, narrow
from model.tape import Trace

CONFIG = TransformerConfig(
    vocab_size=20, d_model=8, n_heads=2, d_ff=16, max_length=16, n_encoder_layers=2, norm_position="pre"
)
# (layers, tokens, d_model): each layer turns the first token by 90 degrees and doubles the second.
TRACE = Trace(
    (),
    {
        "encoder.0.resid_in": torch.tensor([[3.0, 0.0], [0.0, 1.0]]),
        "encoder.0.resid_out": torch.tensor([[0.0, 5.0], [0.0, 2.0]]),
        "encoder.1.resid_in": torch.tensor([[0.0, 5.0], [0.0, 2.0]]),
        "encoder.1.resid_out": torch.tensor([[1.0, 0.0], [0.0, 4.0]]),
    },
)


def test_layers_are_measured_in_their_order() -> None:
    lengths = layer_lengths(CONFIG, TRACE, "encoder", ("resid_in", "resid_out"))
    assert {name: each.tolist() for name, each in lengths.items()} == {
        "resid_in": [[3, 1], [5, 2]],
        "resid_out": [[5, 2], [1, 4]],
    }
    assert layer_cosines(CONFIG, TRACE, "encoder").tolist() == [[0, 1], [0, 1]]


def test_the_squared_length_of_a_sum_has_three_terms() -> None:
    assert length_terms(torch.tensor([1.0, 2.0]), torch.tensor([3.0, -1.0])) == (5, 10, 2)


@pytest.mark.parametrize("order", ["pre", "post"])
def test_only_post_norm_keeps_the_length_of_the_stream(order: str) -> None:
    config = narrow(TransformerConfig.from_dict(CONFIG.to_dict() | {"norm_position": order}), 16)
    network = fresh(config, 8, residual=True, norm=True)
    lengths = mean_lengths(network, torch.arange(6))
    assert len(lengths) == 8
    assert network.encoder is not None
    if order == "post":  # after a norm of gain 1, each vector has length sqrt(d_model)
        assert lengths[1:] == pytest.approx([4.0] * 7, rel=1e-3)
    else:
        assert lengths[-1] > lengths[0]
