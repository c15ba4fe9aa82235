"""Mixtures of experts in GGUF files: each kind of matrix of all experts of a layer is one tensor there."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from torch import Tensor

from model.config import TransformerConfig
from model.errors import DamagedWeights
from model.zoo.family import Named
from model.zoo.values.known_values import KnownValues, Only

FFN = "decoder.blocks.{}.ffn."
OF_ALL_EXPERTS = ".all_experts."  # before our name of a kind of matrix, of a tensor (experts, rows, columns)
NAMES: Mapping[str, str | None] = {
    "blk.{}.ffn_gate_inp.weight": FFN + "router.weight",
    "blk.{}.ffn_gate_exps.weight": FFN + "all_experts.expand",
    "blk.{}.ffn_up_exps.weight": FFN + "all_experts.up",
    "blk.{}.ffn_down_exps.weight": FFN + "all_experts.contract",
    "blk.{}.ffn_gate_shexp.weight": FFN + "shared.expand.weight",
    "blk.{}.ffn_up_shexp.weight": FFN + "shared.up.weight",
    "blk.{}.ffn_down_shexp.weight": FFN + "shared.contract.weight",
    "blk.{}.ffn_gate_inp_shexp.weight": FFN + "shared_gate.weight",
}
SOFTMAX = 1  # of `expert_gating_func`
KNOWN = KnownValues(
    read=(
        *("expert_count", "expert_used_count", "expert_feed_forward_length"),
        "expert_shared_feed_forward_length",
    ),
    refused={"expert_gating_func": Only((0, SOFTMAX, None), "the router would weigh its experts by a sigmoid")},
)
Fit = Callable[[str, Tensor, TransformerConfig], Iterable[Named]]


def experts_of(own: dict[str, Any], **fields: Any) -> dict[str, Any]:
    """The fields of the experts, in the values of an architecture; none where a file has no experts.

    `fields` are what the architecture has in all its models, such as `normalise_taken`. Raises `KeyError`.
    """
    if not own.get("expert_count"):
        return {}
    return {
        "n_experts": own["expert_count"],
        "n_taken": own["expert_used_count"],
        "d_ff": own.get("expert_feed_forward_length") or own["feed_forward_length"],
        "d_shared": own.get("expert_shared_feed_forward_length") or 0,
        **fields,
    }


def apart(fit: Fit) -> Fit:
    """`fit`, after the matrices of each expert have been told apart. It raises `DamagedWeights` for another number."""

    def fit_expert(name: str, tensor: Tensor, config: TransformerConfig) -> Iterable[Named]:
        if name.endswith("shared_gate.weight"):
            yield name, tensor.reshape(1, -1)  # stored as a row without the axis of its one output
            return
        if OF_ALL_EXPERTS not in name:
            yield from fit(name, tensor, config)
            return
        place, part = name.split(OF_ALL_EXPERTS)
        if tensor.dim() != 3 or len(tensor) != config.n_experts or not tensor.numel():
            raise DamagedWeights(f"{name} has the shape {tuple(tensor.shape)}; there are {config.n_experts} experts.")
        for number, matrix in enumerate(tensor):
            yield f"{place}.experts.{number}.{part}.weight", matrix

    return fit_expert
