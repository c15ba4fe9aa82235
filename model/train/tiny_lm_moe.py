"""tiny-lm-moe: tiny-lm with eight experts in each layer, of which a token takes two."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import torch
from torch import Tensor, nn

from corpora.world import held_out_line
from model.tape import Tape
from model.train.task import Batch, token_loss
from model.train.tiny_lm import MEASURES, TRAINING_TOKENS, TinyLM

EXPERTS, TAKEN = 8, 2
BALANCE = 0.01  # the weight of the balance loss; Fedus et al. (2022) take it, too
BUSIEST = "busiest"


def task(name: str) -> ExpertLanguage:
    """The task of this name, for `model.train.registry`."""
    return ExpertLanguage(name)


def balance_loss(router: Tensor, taken: int) -> Tensor:
    """E sum_e f_e p_e of the logits of one layer's router, (..., tokens, experts): 1 where all experts are taken alike.

    f_e is the share of all choices that fell on expert e, and p_e its mean probability. Fedus et al. (2022),
    arXiv:2101.03961, eqs. 4 to 6.
    """
    return router.shape[-1] * (shares(router, taken) * router.softmax(-1).flatten(0, -2).mean(0)).sum()


def shares(router: Tensor, taken: int) -> Tensor:
    """The share of all choices that fell on each expert: (..., tokens, experts) -> (experts,)."""
    chosen = router.topk(taken).indices.flatten()
    return chosen.bincount(minlength=router.shape[-1]) / chosen.numel()


class ExpertLanguage(TinyLM):
    """The same documents, tokens, steps, and hidden features for a token as tiny-lm: two experts have 128 each."""

    def __init__(self, name: str) -> None:
        super().__init__("tiny-lm")
        self.name, self.family = name, ()
        self.config = replace(self.config, d_ff=self.config.d_ff // TAKEN, n_experts=EXPERTS, n_taken=TAKEN)
        self.recipe = replace(self.recipe, snapshots=4)

    def loss(self, network: nn.Module, batch: Batch) -> tuple[Tensor, int]:
        """The cross-entropy, and for each layer the balance loss, without which a router comes to take few experts."""
        tape = Tape(keep="*.router")
        logits = network(batch.inputs, tape=tape)
        total, count = token_loss(logits, batch.labels, self.recipe.label_smoothing)
        balance = sum((balance_loss(router, TAKEN) for router in tape.records.values()), torch.zeros(()))
        return total + BALANCE * balance * count, count

    def evaluate(self, network: nn.Module, limit: int | None = None) -> dict[str, float]:
        """As of tiny-lm, and how evenly the experts are taken."""
        tape = Tape(keep="*.router")
        network(self.rows(Random("held-out"), max(8, (limit or 1000) // 10), TRAINING_TOKENS, held_out_line), tape=tape)
        busiest = max(float(shares(router, TAKEN).max()) for router in tape.records.values())
        return super().evaluate(network, limit) | {BUSIEST: busiest}

    def describe(self) -> dict[str, Any]:
        words = f"the share of the choices of a layer that fell on its busiest expert; {1 / EXPERTS:.3f} is even"
        return super().describe() | {
            "title": "Tiny language model with experts",
            "about": "tiny-lm with eight experts in each layer. Its routers give each token two of them.",
            "measures": MEASURES | {BUSIEST: words},
        }
