"""The gradient by distance against finite differences, and against a product that can be written down."""

from __future__ import annotations

import pytest
import torch

from model.config import TransformerConfig
from model.edits.edit import Change
from model.experiments.gradient_by_distance import gradient_by_distance, make_untrained
from model.recurrent.config import RecurrentConfig
from model.tape import Tape

RECURRENT = RecurrentConfig("decoder", "rnn", vocab_size=11, d_embed=3, width=4, max_length=16)
TRANSFORMER = TransformerConfig(
    vocab_size=11, d_model=8, n_heads=2, d_ff=8, max_length=16, n_decoder_layers=2, norm_position="pre"
)
IDS = torch.tensor([[1, 5, 3, 7, 2]])


@pytest.mark.parametrize("config", [RECURRENT, TRANSFORMER], ids=["rnn", "transformer"])
def test_it_is_the_derivative_that_finite_differences_find(config) -> None:
    network = make_untrained(config).double()
    entry, last = ("embed", "states") if config is RECURRENT else ("embed.out", "final_norm")
    found = gradient_by_distance(network, IDS, directions=1, seed=3)
    width = 4 if config is RECURRENT else 8
    direction = torch.randn(width, generator=torch.Generator().manual_seed(3))
    direction = (direction / direction.norm()).double()

    def shadow(place: int, feature: int, by: float) -> float:
        def nudge(x: torch.Tensor) -> torch.Tensor:
            x = x.clone()
            x[..., place, feature] += by
            return x

        tape = Tape(keep=last, edits=(Change(entry, nudge),))
        with torch.no_grad():
            network.decode(IDS, tape=tape)
        return float(tape.records[last][0, -1] @ direction)

    features = config.d_embed if config is RECURRENT else config.d_model
    for distance in range(5):
        place, step = 4 - distance, 1e-5
        slopes = [(shadow(place, f, step) - shadow(place, f, -step)) / (2 * step) for f in range(features)]
        assert float(found[distance]) == pytest.approx(float(torch.tensor(slopes).norm()), rel=1e-3)


def test_in_a_linear_range_it_falls_by_the_recurrent_weight() -> None:
    """One state near 0: tanh' = 1 there, so each step back multiplies by the one recurrent weight."""
    network = make_untrained(RecurrentConfig("decoder", "rnn", vocab_size=11, d_embed=1, width=1, max_length=16))
    for parameter, value in (
        (network.embed.weight, 0.0), (network.cell.from_input.weight, 1.0), (network.cell.from_state.weight, 0.5),
        (network.cell.from_input.bias, 0.0), (network.cell.from_state.bias, 0.0),
    ):  # fmt: skip
        parameter.data.fill_(value)
    found = gradient_by_distance(network, IDS)
    assert found.tolist() == pytest.approx([1.0, 0.5, 0.25, 0.125, 0.0625])


def test_the_same_seed_is_the_same_untrained_network() -> None:
    for config in (RECURRENT, TRANSFORMER):
        one, other = make_untrained(config, 1), make_untrained(config, 1)
        assert all(torch.equal(a, b) for a, b in zip(one.parameters(), other.parameters(), strict=True))
        assert not any(parameter.requires_grad for parameter in one.parameters())
