"""tiny-lm-moe: its balance loss, and that what ships is what its card says."""

from __future__ import annotations

import json

import pytest
import torch

from corpora.world import SKILL_NAMES, held_out_probes
from model import load
from model.train.registry import make_task
from model.train.tiny_lm_moe import BUSIEST, EXPERTS, TAKEN, ExpertLanguage, balance_loss, shares
from model.zoo.cards import ASSETS


def test_the_balance_loss_is_1_of_an_even_router_and_grows_where_few_experts_are_taken() -> None:
    even = 3.0 * torch.eye(4)  # four tokens, each of which prefers another expert
    assert float(balance_loss(even, 1)) == pytest.approx(1.0)
    uneven = even[:1].expand(4, 4)  # all prefer the first: E f p = 4 * 1 * softmax(3, 0, 0, 0)[0]
    assert float(balance_loss(uneven, 1)) == pytest.approx(4 * float(uneven[0].softmax(0)[0]))
    assert shares(uneven, 1).tolist() == [1.0, 0.0, 0.0, 0.0]


def test_the_loss_has_the_balance_of_every_layer_and_its_gradient_reaches_the_routers() -> None:
    task = make_task("tiny-lm-moe")
    assert isinstance(task, ExpertLanguage)
    torch.manual_seed(0)
    network = task.make(task.config)
    batch = task.batch(0, 0).share(0, 12)
    total, count = task.loss(network, batch)
    plain, _ = super(ExpertLanguage, task).loss(network, batch)
    assert 0.01 * 4 * 0.9 < float((total - plain).detach()) / count < 0.01 * 4 * EXPERTS
    total.backward()  # type: ignore[no-untyped-call]
    assert all(float(block.ffn.router.weight.grad.abs().max()) > 0 for block in network.decoder.blocks)  # type: ignore


@pytest.mark.slow
def test_what_ships_reaches_the_measures_of_its_card() -> None:
    task, model = make_task("tiny-lm-moe"), load("tiny-lm-moe")
    assert isinstance(task, ExpertLanguage)
    assert model.config == task.config
    metrics = json.loads((ASSETS / "tiny-lm-moe" / "card.json").read_text(encoding="utf-8"))["metrics"]
    for skill in SKILL_NAMES:
        measured = task.accuracy(model.network, held_out_probes(skill, 60))
        assert measured == pytest.approx(metrics[skill], abs=0.06)
        assert measured > 0.9
    trace = model.trace("The dog likes the cat", keep="*.router")
    busiest = [float(shares(trace[f"decoder.{layer}.ffn.router"], TAKEN).max()) for layer in range(4)]
    assert metrics[BUSIEST] < 2 / EXPERTS < max(busiest)  # even over many texts, and not in one short sentence
