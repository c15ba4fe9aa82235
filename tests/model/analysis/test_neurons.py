import pytest
import torch
from torch import nn

from model.analysis.neurons import excited_by, explain_output, share_of_small, share_of_zero, strongest
from model.tape import Trace
from model.tokens.tokenizer import Token

NAME = "decoder.0.ffn.activated"


def trace(*rows: tuple[float, float]) -> Trace:
    tokens = tuple(Token(i, f"t{i}", b"t") for i in range(len(rows)))
    return Trace(tokens, {NAME: torch.tensor(rows)})


def test_the_strongest_neurons_of_a_token_by_size() -> None:
    values, neurons = strongest(torch.tensor([0.1, -3.0, 2.0]), 2)
    assert values.tolist() == [-3.0, 2.0]
    assert neurons.tolist() == [1, 2]


def test_the_tokens_that_excite_a_neuron_most_come_from_all_sentences() -> None:
    found = excited_by([trace((1.0, 0.0), (5.0, 0.0)), trace((3.0, 9.0))], NAME, neuron=0, count=2)
    assert [(each.activation, each.sentence, each.place) for each in found] == [(5.0, 0, 1), (3.0, 1, 0)]


def test_shares() -> None:
    activated = torch.tensor([0.0, 0.0, 0.001, 10.0])
    assert share_of_zero(activated) == 0.5
    assert share_of_small(activated) == 0.75


@pytest.mark.parametrize("bias", [None, 0.25])
def test_an_output_feature_is_a_sum_over_neurons(bias: float | None) -> None:
    contract = nn.Linear(4, 2, bias=bias is not None).requires_grad_(False)
    contract.weight.copy_(torch.tensor([[2.0, -1.0, 0.5, 1.0], [0.0, 0.0, 0.0, 0.0]]))
    if bias is not None:
        contract.bias.fill_(bias)
    activated = torch.tensor([1.0, 3.0, 2.0, 0.5])
    output = explain_output(contract, activated, contract(activated), 2)
    assert (output.feature, output.terms) == (0, {1: -3.0, 0: 2.0})
    assert (output.others, output.bias) == (1.5, bias or 0.0)
    assert output.total == 0.5 + (bias or 0.0)
