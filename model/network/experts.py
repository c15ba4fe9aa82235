"""A mixture of experts: many feed-forward networks, of which each token takes a few."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from model.config import TransformerConfig
from model.network.feed_forward import ACTIVATIONS, FeedForward, add_feed_forward
from model.network.graph_builder import GraphBuilder
from model.network.linear import Linear, linear_weights
from model.tape import Tape


class Experts(nn.Module):
    """sum over the k taken experts e of g_e FFN_e(x), with g of softmax(W_r x).

    Shazeer et al. (2017), arXiv:1701.06538, eqs. 1 to 5. A router gives each expert a logit, and a token takes the k
    experts with the largest. With `normalise_taken`, the softmax is over these alone, so that their weights g sum to 1
    (Jiang et al. 2024, arXiv:2401.04088); otherwise over all experts. With `d_shared`, every token also takes a shared
    expert of that many hidden features, times a gate sigmoid(w x) where `shared_gate` says so (Yang et al. 2024,
    arXiv:2407.10671, section 2.2.2).
    """

    def __init__(self, config: TransformerConfig) -> None:
        super().__init__()
        self.n_taken, self.normalise_taken = config.n_taken, config.normalise_taken
        self.activation = ACTIVATIONS[config.activation]
        self.gated = config.gated
        self.router = Linear(config.d_model, config.n_experts, bias=config.bias)
        self.experts = nn.ModuleList(FeedForward(config) for _ in range(config.n_experts))
        self.shared = FeedForward(config, config.d_shared) if config.d_shared else None
        self.shared_gate = Linear(config.d_model, 1, bias=False) if config.shared_gate else None

    def forward(self, x: Tensor, tape: Tape) -> Tensor:
        """x (..., tokens, d_model) -> the same shape."""
        router = tape("router", self.router(x))  # (tokens, experts)
        chosen = tape("chosen", router.topk(self.n_taken).indices.to(x.dtype)).long()  # (tokens, taken)
        gates = tape("gates", self.weigh(router, chosen))  # (tokens, experts)
        # The tokens of one expert stand together: each expert is one product, and what it gives is put back.
        order = chosen.flatten().argsort(stable=True)
        counts = chosen.flatten().bincount(minlength=len(self.experts)).tolist()
        token = order // self.n_taken

        def apply(part: str, rows: Tensor) -> Tensor:
            pieces = zip(self.experts, rows.split(counts), strict=True)
            return torch.cat([getattr(expert, part)(piece) for expert, piece in pieces if len(piece)])

        def record(name: str, rows: Tensor) -> Tensor:
            if not tape.watches(name):
                return rows
            placed = torch.empty_like(rows).index_copy_(0, order, rows).unflatten(0, chosen.shape)
            seen = placed.transpose(-3, -2)  # (taken, tokens, features)
            recorded = tape(name, seen)
            return rows if recorded is seen else recorded.transpose(-3, -2).flatten(0, -2)[order]  # edited

        rows = x.flatten(0, -2)[token]  # (tokens * taken, d_model)
        activated = self.activation(record("expert_hidden", apply("expand", rows)))
        if self.gated:
            activated = activated * record("expert_up", apply("up", rows))
        given = record("expert_out", apply("contract", record("expert_activated", activated)))
        weight = gates.gather(-1, chosen).flatten()[order, None]
        out = torch.zeros_like(x).flatten(0, -2).index_add(0, token, weight * given).view_as(x)
        if self.shared is not None:
            out, shared = tape("routed", out), self.shared(x, tape.at("shared"))
            if self.shared_gate is not None:
                shared = tape("shared_gate", self.shared_gate(x).sigmoid()[..., 0])[..., None] * shared
            out = out + shared
        return tape("out", out)  # (tokens, d_model)

    def weigh(self, router: Tensor, chosen: Tensor) -> Tensor:
        """The weight of each expert for each token, 0 of those that it does not take: (..., tokens, experts)."""
        shares = router.softmax(-1)
        taken = torch.zeros_like(shares).scatter(-1, chosen, shares.gather(-1, chosen))
        return taken / taken.sum(-1, keepdim=True) if self.normalise_taken else taken


def add_experts(graph: GraphBuilder, experts: Experts, x: str) -> str:
    """What makes each tensor that `Experts` records, and the name of its result."""
    router = graph.add("router", "linear", x=x, **linear_weights(graph, experts.router))
    chosen = graph.add("chosen", "choose", x=router)
    gates = graph.add("gates", "gates", x=router, chosen=chosen)

    def add_each(name: str, part: str, x: str) -> str:
        each = [linear_weights(graph, getattr(expert, part)) for expert in experts.experts]
        weights = {role: tuple(found[role] for found in each) for role in each[0]}
        return graph.add(name, "linear of experts", x=x, chosen=chosen, **weights)

    hidden = add_each("expert_hidden", "expand", x)
    up = {"up": add_each("expert_up", "up", x)} if experts.gated else {}
    activated = graph.add("expert_activated", "activation", x=hidden, **up)
    given = add_each("expert_out", "contract", activated)
    mixed = {"x": given, "gates": gates, "chosen": chosen}
    if experts.shared is None:
        return graph.add("out", "mix experts", **mixed)
    routed, shared = (
        graph.add("routed", "mix experts", **mixed),
        add_feed_forward(graph.at("shared"), experts.shared, x),
    )
    if experts.shared_gate is None:
        return graph.add("out", "add", x=(routed, shared))
    gate = graph.add("shared_gate", "gate of shared", x=x, **linear_weights(graph, experts.shared_gate))
    return graph.add("out", "add gated", x=routed, shared=shared, gate=gate)
