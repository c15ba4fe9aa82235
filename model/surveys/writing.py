"""How what a head writes reaches the output layer, on many texts at once: with the scales that the norms had there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from torch import Tensor, nn

from model.analysis.attribution import SUM_BEFORE_NORM
from model.analysis.circuits.direct_path import end_of, norms_between, stack_of, sublayer_of
from model.analysis.circuits.head_matrices import output_rows
from model.analysis.frozen_norm import freeze
from model.analysis.head_steps import Attention
from model.run import Model

OUT_NORM_OF = {"self_attn": "attn_out_norm", "cross_attn": "cross_out_norm"}


@dataclass(frozen=True, eq=False)
class Writing:
    """The way of a head to the output layer: `w_o` (d_head, d_model), and the norms after it, each by the name of the
    tensor that it reads."""

    at: Attention
    head: int
    w_o: Tensor
    norms: Mapping[str, nn.Module]
    out_norm: nn.Module | None = None  # that of the attention's output: its gain is in `w_o`, its scale is not

    @classmethod
    def of(cls, model: Model, at: Attention, head: int) -> Writing | None:
        """The way of a head; None in an encoder, which has no output layer that reads a vocabulary."""
        if at.stack != "decoder":
            return None
        block = stack_of(model, at.stack).blocks[at.layer]
        out_norm = getattr(block, OUT_NORM_OF[at.part])
        return cls(at, head, output_rows(model, at)[head], _norms(model, at), out_norm)

    @property
    def names(self) -> tuple[str, ...]:
        """The tensors that a run must record."""
        own = () if self.out_norm is None else (f"{self.at.path}.out",)
        return (f"{self.at.path}.heads", *own, *self.norms)

    def added(self, tensors: Mapping[str, Tensor]) -> Tensor:
        """What the head adds to what the output layer reads: (texts, queries, d_model). Its product with the row of a
        word is what it gives to the logit of the word.

        `tensors`: those of `names`, of runs together, on the CPU. It is the part of the head in the account of a logit
        (`model.analysis.attribution`), of all words and texts at once.
        """
        added = tensors[f"{self.at.path}.heads"][:, self.head] @ self.w_o
        if self.out_norm is not None:
            added = added / freeze(self.out_norm, tensors[f"{self.at.path}.out"]).scale
        for name, norm in self.norms.items():
            added = freeze(norm, tensors[name]).push(added)
        return added


def _norms(model: Model, at: Attention) -> dict[str, nn.Module]:
    stack, parts = stack_of(model, at.stack), (*model.config.attentions(at.stack), "ffn")
    first, layers = sublayer_of(model, at), len(stack.blocks)
    if not model.config.norms_sums:
        names = [f"{at.stack}.{layers - 1}.resid_out"]
    else:
        places = (divmod(sublayer, len(parts)) for sublayer in range(first, layers * len(parts)))
        names = [f"{at.stack}.{layer}.{SUM_BEFORE_NORM[parts[part]]}" for layer, part in places]
    return dict(zip(names, norms_between(end_of(stack), first), strict=True))
