import pytest
import torch

from model.analysis.neurons import excited_by, explain_output, share_of_small, share_of_zero, strongest
from model.tape import Trace
from model.tokens.tokenizer import Token
from tests.model.graph.runs import network_of, run_small
from tests.model.networks import small_network

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


@pytest.mark.parametrize("name", ["paper", "wide heads"])
def test_an_output_feature_is_a_sum_over_neurons(name: str) -> None:
    run = run_small(small_network(name))
    contract = network_of(run).get_submodule("decoder.blocks.1.ffn.contract")
    activated, out = (run[f"decoder.1.ffn.{part}"][2] for part in ("activated", "out"))
    feature = int(out.abs().argmax())
    terms = contract.weight[feature].detach() * activated  # (d_ff,)
    output = explain_output(run, "decoder.1.ffn.out", 2, count=3)
    assert output.feature == feature
    assert list(output.terms) == terms.abs().topk(3).indices.tolist()
    assert list(output.terms.values()) == pytest.approx([float(terms[n]) for n in output.terms])
    assert output.bias == (0.0 if contract.bias is None else float(contract.bias[feature]))
    assert output.total == float(out[feature])
    assert output.others == pytest.approx(float(terms.sum()) - sum(output.terms.values()), abs=1e-5)
