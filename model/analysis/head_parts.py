"""What each head adds: the output of attention as a sum over heads."""

from __future__ import annotations

from dataclasses import dataclass

from torch import Tensor

from model.analysis.head_steps import Attention, module_of
from model.run import Model
from model.tape import Trace


def head_parts(model: Model, trace: Trace, at: Attention) -> Tensor:
    """head_i W_O[i] for every head: (heads, queries, d_model). With the bias they sum to the attention's output.

    concat(head_1 .. head_h) W_O is the same as the sum of these, since a head meets only its own rows of W_O
    (Vaswani et al. section 3.2.2; encoder notes, eq. 0.1.6). The trace must hold `heads` of this attention.
    """
    rows = module_of(model, at).out.weight.mT.unflatten(0, (-1, model.config.head_width))  # (heads, d_head, d_model)
    return trace[f"{at.path}.heads"] @ rows


@dataclass(frozen=True)
class OutputSum:
    """The output of an attention, (queries, d_model), as the sum of a part for each head and a bias."""

    parts: Tensor  # (heads, queries, d_model)
    bias: Tensor | None  # (d_model,)
    out: Tensor  # as the run recorded it: (queries, d_model)

    @property
    def sizes(self) -> Tensor:
        """The length of each part: (heads, queries)."""
        return self.parts.norm(dim=-1)

    @property
    def difference(self) -> float:
        """The largest difference between the sum and the recorded output."""
        total = self.parts.sum(0) if self.bias is None else self.parts.sum(0) + self.bias
        return float((total - self.out).abs().max())

    def terms(self, query: int, feature: int) -> list[float]:
        """The numbers that sum to one feature of the output: one for each head, and the bias last."""
        bias = [] if self.bias is None else [float(self.bias[feature])]
        return self.parts[:, query, feature].tolist() + bias


def output_sum(model: Model, trace: Trace, at: Attention) -> OutputSum:
    """The sum of one attention. The trace must hold its `heads` and `out`."""
    return OutputSum(head_parts(model, trace, at), module_of(model, at).out.bias, trace[f"{at.path}.out"])
