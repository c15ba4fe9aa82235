import math

import pytest
import torch

from model.analysis.attribution import account_of, keep_for_account
from model.analysis.neuron_parts import AT_ONCE, keep_for_neurons, neuron_parts, written_tokens
from model.tape import Trace
from tests.model.networks import VARIANTS, small_model

DECODERS = [name for name, (kind, _) in VARIANTS.items() if kind != "encoder"]


def run(name):  # type: ignore[no-untyped-def]
    model = small_model(name)
    target = "I am a" if model.config.kind == "encoder-decoder" else None
    keep = (*keep_for_account(model.config), *keep_for_neurons(model.config), "*activated", "logits")
    trace = model.trace("I am a robot you like", keep=keep, target=target)
    return model, trace, account_of(model, trace, position=2)


def activated_at(trace: Trace, path: str, position: int) -> torch.Tensor:
    """The neurons of a feed-forward, or those of an expert times its weight, as the run recorded them."""
    ffn, _, which = path.partition(".ffn")
    if ".experts." not in which:
        gate = f"{ffn}.ffn.shared_gate"
        weight = trace[gate][position] if which and gate in trace else 1.0
        return weight * trace[f"{path}.activated"][position]
    expert = int(which.rpartition(".")[2])
    slot = trace[f"{ffn}.ffn.chosen"][position].tolist().index(expert)
    return trace[f"{ffn}.ffn.gates"][position, expert] * trace[f"{ffn}.ffn.expert_activated"][slot, position]


@pytest.mark.parametrize("name", DECODERS)
def test_the_neurons_and_the_bias_sum_to_the_part(name: str) -> None:
    model, trace, account = run(name)
    for layer in range(model.config.n_decoder_layers):
        paths = [name for name in account.parts if name.startswith(f"decoder.{layer}.ffn") and "bias" not in name]
        assert len(paths) == max(1, model.config.n_taken) + bool(model.config.d_shared)
        for path in paths:
            found = neuron_parts(model, trace, account, path)
            torch.testing.assert_close(found.activated, activated_at(trace, path, 2))
            assert found.total == pytest.approx(account.parts[found.path], abs=1e-5)
            assert (found.bias != 0) == model.config.bias
            largest = found.largest(4)
            assert found.parts.abs()[largest[0]] == found.parts.abs().max()


def through_cap(cap: float | None, logit: float) -> float:
    """The ratio of a logit to what it was before its cap; 1 where there is none."""
    return 1.0 if cap is None else logit / (cap * math.atanh(logit / cap))


@pytest.mark.parametrize("name", DECODERS)
def test_what_a_neuron_writes_holds_its_part(name: str) -> None:
    """Among the rises of all tokens is that of the token of the account: the neuron's part. The batches change none."""
    model, trace, account = run(name)
    path = next(name for name in account.parts if name.startswith("decoder.0.ffn") and "bias" not in name)
    found = neuron_parts(model, trace, account, path)
    neurons = torch.arange(AT_ONCE + 3)
    vocabulary = len(trace.logits[0])
    written = written_tokens(model, account, found, neurons, vocabulary + 5)
    assert [each.neuron for each in written] == neurons.tolist()
    for each in written:
        rises = dict(zip(each.ids.tolist(), each.rises.tolist(), strict=True))
        assert len(rises) == vocabulary
        part = float(found.parts[each.neuron]) / through_cap(model.config.logit_cap, account.value)
        assert rises[account.token] == pytest.approx(part, abs=1e-4)
        assert each.rises.tolist() == sorted(each.rises.tolist(), reverse=True)
