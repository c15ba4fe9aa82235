"""What each expert adds to the residual stream at one token, and how the tokens of a text are shared out among them."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from model.config import TransformerConfig
from model.tape import Trace

NEEDS = ("chosen", "gates", "expert_out", "shared.out", "shared_gate")  # the tensors of a layer's `ffn` that it reads


def written_at(config: TransformerConfig, trace: Trace, path: str, position: int) -> dict[str, Tensor]:
    """What each expert that a token takes adds: its weight times what it gives, (d_model,), the best expert first.

    `path` is "decoder.3.ffn", and the names are "decoder.3.ffn.experts.5" and, of a shared expert,
    "decoder.3.ffn.shared". Together they are `ffn.out`.
    """
    gates, given = trace[f"{path}.gates"][position], trace[f"{path}.expert_out"][:, position]  # (taken, d_model)
    chosen = trace[f"{path}.chosen"][position].long().tolist()
    written = {f"{path}.experts.{expert}": gates[expert] * given[slot] for slot, expert in enumerate(chosen)}
    if config.d_shared:
        share = trace[f"{path}.shared_gate"][position] if config.shared_gate else 1.0
        written[f"{path}.shared"] = share * trace[f"{path}.shared.out"][position]
    return written


def weight_of(trace: Trace, name: str, position: int) -> float:
    """What an expert, "decoder.3.ffn.experts.5", is multiplied by at a token; 1 of a feed-forward of all tokens."""
    path, _, which = name.partition(".ffn.")
    if which.startswith("experts."):
        return float(trace[f"{path}.ffn.gates"][position, int(which.rpartition(".")[2])])
    gate = f"{path}.ffn.shared_gate"
    return float(trace[gate][position]) if which == "shared" and gate in trace else 1.0


@dataclass(frozen=True)
class Load:
    """How the tokens of a text are shared out among the experts of a layer: (experts,) each.

    `taken` counts the tokens that take an expert. `weight` is the sum of its weights over all tokens.
    """

    taken: Tensor
    weight: Tensor

    @property
    def share(self) -> Tensor:
        """The share of all choices that fell on each expert. They sum to 1."""
        return self.taken / self.taken.sum()


def load_of(trace: Trace, path: str) -> Load:
    """The load of the experts of "decoder.3.ffn" over the text of a run."""
    gates = trace[f"{path}.gates"]  # (tokens, experts)
    chosen = trace[f"{path}.chosen"].long().flatten()
    return Load(torch.bincount(chosen, minlength=gates.shape[-1]), gates.sum(0))
