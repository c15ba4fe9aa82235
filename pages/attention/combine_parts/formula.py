"""Concat and W_O at the depths Formula and Code: the equations with the numbers of a token, and the code."""

from __future__ import annotations

from model.analysis import head_parts
from model.edits.parts import Ablate
from model.network.attention import MultiHeadAttention
from pages.attention.combine_parts.combine_view import CombineView, read_token
from pages.shared.elements import layout
from views.shared import quotes, sums


def show(view: CombineView) -> None:
    config = view.config
    layout.equation(
        r"\mathrm{MHA}(X) = \mathrm{concat}(H_0, \dots, H_{h-1})\, W_O",
        "Encoder notes, eq. 0.1.6; Palaskos (2022), eqs. 3.44-3.45; Bishop, ch. 12 slides, algorithm 2.",
        {
            "H_i": f"head $i$: ({len(view.tokens)}, {config.head_width})",
            "W_O": f"({config.n_heads * config.head_width}, {config.d_model})",
        },
    )
    layout.equation(
        r"\mathrm{concat}(H_0, \dots, H_{h-1})\, W_O = \sum_{i=0}^{h-1} H_i\, W_O^{(i)}",
        "A head meets only its own rows of $W_O$, so the output is a sum of one part a head.",
        {
            r"W_O^{(i)}": f"rows {config.head_width}$i$ to {config.head_width}$(i+1)-1$ of $W_O$. Heads and rows are "
            "counted from 0"
        },
    )
    _work_out_feature(view)


def _work_out_feature(view: CombineView) -> None:
    """The largest feature of the output at the chosen token, as the sum of the heads' parts of it."""
    token = read_token(view)
    output = view.output_sum
    feature = int(output.out[token].abs().argmax())
    bias = "" if output.bias is None else ", and the bias"
    layout.work_out(
        f"Feature {feature} of the output at {quotes.quote(view.tokens[token], token)}, its largest: the parts of "
        f"heads 0 to {view.config.n_heads - 1}{bias}:",
        sums.total(output.terms(token, feature)),
    )


def show_code(view: CombineView) -> None:
    """The code of all views. The run bar chooses a token, as at the other depths."""
    read_token(view)
    layout.code(MultiHeadAttention.forward, head_parts.head_parts, Ablate)
