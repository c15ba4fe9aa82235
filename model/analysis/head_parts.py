"""What each head adds: the output of attention as a sum over heads."""

from __future__ import annotations

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
