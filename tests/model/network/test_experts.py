"""Mixtures of experts: the sum over the experts that a token takes, worked out one token after another."""

from __future__ import annotations

from typing import Any

import pytest
import torch

from model.config import TransformerConfig
from model.edits.edit import Change
from model.errors import ConfigError
from model.network.experts import Experts
from model.tape import SILENT, Tape
from tests.model.networks import SHAPE

VALUES: dict[str, dict[str, Any]] = {
    "plain": {"n_experts": 5, "n_taken": 2},
    "gated, not normalised": {"n_experts": 4, "n_taken": 3, "normalise_taken": False, "gated": True, "bias": False},
    "all of them": {"n_experts": 3, "n_taken": 3},
    "shared": {"n_experts": 4, "n_taken": 1, "d_shared": 7},
    "shared, gated": {"n_experts": 4, "n_taken": 2, "d_shared": 7, "shared_gate": True},
}


def made(name: str) -> Any:
    torch.manual_seed(0)
    return Experts(TransformerConfig(**SHAPE, n_decoder_layers=1, **VALUES[name])).requires_grad_(False)


def one_by_one(experts: Any, x: torch.Tensor) -> torch.Tensor:
    """What the experts give for a token (d_model,), each worked out alone."""
    router = experts.router(x)
    taken = router.topk(experts.n_taken).indices
    gates = router[taken].softmax(-1) if experts.normalise_taken else router.softmax(-1)[taken]
    out = sum(gate * experts.experts[e](x, SILENT) for gate, e in zip(gates, taken.tolist(), strict=True))
    if experts.shared is not None:
        gate = 1.0 if experts.shared_gate is None else experts.shared_gate(x).sigmoid()
        out = out + gate * experts.shared(x, SILENT)
    return out  # type: ignore[no-any-return]


@pytest.mark.parametrize("name", VALUES)
def test_a_token_gets_the_weighted_sum_of_the_experts_that_it_takes(name: str) -> None:
    experts, x = made(name), torch.randn(2, 6, 16)  # (batch, tokens, d_model)
    expected = torch.stack([torch.stack([one_by_one(experts, token) for token in text]) for text in x])
    for tape in (SILENT, Tape("*")):  # what is recorded changes no number
        torch.testing.assert_close(experts(x, tape), expected)


@pytest.mark.parametrize("name", VALUES)
def test_what_is_recorded_sums_to_the_output(name: str) -> None:
    experts, x, tape = made(name), torch.randn(6, 16), Tape("*")
    out, found = experts(x, tape), tape.records
    assert ((found["gates"] > 0).sum(-1) == experts.n_taken).all()
    if experts.normalise_taken:
        torch.testing.assert_close(found["gates"].sum(-1), torch.ones(6))
    assert found["router"].gather(-1, found["chosen"].long()).diff(dim=-1).le(0).all()  # the best expert first
    weights = found["gates"].gather(-1, found["chosen"].long()).T[..., None]  # (taken, tokens, 1)
    routed = (weights * found["expert_out"]).sum(0)
    torch.testing.assert_close(found.get("routed", out), routed)


def test_an_expert_whose_weight_is_0_gives_nothing_and_one_whose_logit_is_is_not_taken() -> None:
    experts, x, whole = made("plain"), torch.randn(6, 16), Tape("*")
    experts(x, whole)
    best = int(whole.records["chosen"][0, 0])
    column = torch.arange(5) == best
    muted, closed = Tape("*", edits=[mute(column)]), Tape("*", edits=[close(column)])
    out = experts(x, muted)
    rest = whole.records["gates"].masked_fill(column, 0.0)
    assert muted.records["gates"].equal(rest)
    assert not out[0].allclose(whole.records["out"][0])
    experts(x, closed)
    assert best not in closed.records["chosen"].flatten().tolist()
    torch.testing.assert_close(closed.records["gates"].sum(-1), torch.ones(6))


def mute(column: torch.Tensor) -> Change:
    return Change("gates", lambda gates: gates.masked_fill(column, 0.0))


def close(column: torch.Tensor) -> Change:
    return Change("router", lambda router: router.masked_fill(column, -torch.inf))


@pytest.mark.parametrize(
    "values",
    [
        {"n_experts": 4},
        {"n_taken": 1},
        {"n_experts": 2, "n_taken": 3},
        {"d_shared": 4},
        {"n_experts": 2, "n_taken": 1, "shared_gate": True},
    ],
)
def test_values_that_make_no_mixture_are_refused(values: dict[str, Any]) -> None:
    with pytest.raises(ConfigError):
        TransformerConfig(**SHAPE, n_decoder_layers=1, **values)
