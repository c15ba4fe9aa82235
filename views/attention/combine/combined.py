"""What all views of Concat and W_O have: one attention with all its heads, the equations of their sum, and its code."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from model.analysis import head_parts
from model.analysis.head_parts import OutputSum, output_sum
from model.cached_property import cached_property
from model.edits.parts import Ablate
from model.network.attention import MultiHeadAttention
from views.head_of_run import tokens_of
from views.parts import Controls
from views.run import Run
from views.shared import sums
from views.shared.quotes import quote
from views.view import Needs, View, equation, work_out
from viz.shared.tokens import labels

if TYPE_CHECKING:
    from torch import Tensor

    from model.analysis.head_steps import Attention
    from model.config import TransformerConfig


@dataclass(frozen=True)
class Combined(View):
    """The heads of one attention of a run. `token`: the place of the chosen one."""

    run: Run
    attention: Attention
    token: int

    needs: ClassVar[Needs] = ("*.heads", "*.concat", "*_attn.out")

    @property
    def config(self) -> TransformerConfig:
        return self.run.config

    @cached_property
    def tokens(self) -> list[str]:
        """The labels of the queries."""
        return labels(tokens_of(self.run, self.attention.stack))

    @property
    def concat(self) -> Tensor:
        """The outputs of all heads side by side: (queries, heads * d_head)."""
        return self.run.trace[f"{self.attention.path}.concat"]

    @cached_property
    def output_sum(self) -> OutputSum:
        return output_sum(self.run.model, self.run.trace, self.attention)

    def formula_parts(self) -> Sequence[Any]:
        return [Controls("token"), *self.formula()]

    def formula(self) -> Sequence[Any]:
        config = self.config
        return [
            *equation(
                r"\mathrm{MHA}(X) = \mathrm{concat}(H_0, \dots, H_{h-1})\, W_O",
                "Encoder notes, eq. 0.1.6; Palaskos (2022), eqs. 3.44-3.45; Bishop, ch. 12 slides, algorithm 2.",
                {
                    "H_i": f"head $i$: ({len(self.tokens)}, {config.head_width})",
                    "W_O": f"({config.n_heads * config.head_width}, {config.d_model})",
                },
            ),
            *equation(
                r"\mathrm{concat}(H_0, \dots, H_{h-1})\, W_O = \sum_{i=0}^{h-1} H_i\, W_O^{(i)}",
                "A head meets only its own rows of $W_O$, so the output is a sum of one part a head.",
                {
                    r"W_O^{(i)}": f"rows {config.head_width}$i$ to {config.head_width}$(i+1)-1$ of $W_O$. Heads and "
                    "rows are counted from 0"
                },
            ),
            *self._worked_feature(),
        ]

    def _worked_feature(self) -> list[Any]:
        """The largest feature of the output at the chosen token, as the sum of the heads' parts of it."""
        token, output = self.token, self.output_sum
        feature = int(output.out[token].abs().argmax())
        bias = "" if output.bias is None else ", and the bias"
        return work_out(
            f"Feature {feature} of the output at {quote(self.tokens[token], token)}, its largest: the parts of "
            f"heads 0 to {self.config.n_heads - 1}{bias}:",
            sums.total(output.terms(token, feature)),
        )

    def code(self) -> Sequence[Any]:
        return [MultiHeadAttention.forward, head_parts.head_parts, Ablate]


def feature_rows(tokens: Sequence[str], features: Tensor) -> list[dict[str, Any]]:
    """One row a token, with its features as columns. features: (tokens, features)."""
    by_token = zip(tokens, features.tolist(), strict=True)
    return [{"token": token, **{str(n): value for n, value in enumerate(row)}} for token, row in by_token]
