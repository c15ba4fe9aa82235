"""Concat and W_O, view Each head's part: the output at one token as a sum over the heads."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import streamlit as st

from pages.attention.combine_parts.combine_view import CombineView, read_token
from pages.shared.elements import claims, figures, layout
from pages.shared.session import state
from views.shared import quotes
from viz.attention.combine import parts_figure, sizes_figure
from viz.shared.style import number

if TYPE_CHECKING:
    from torch import Tensor

    from model.analysis.head_parts import OutputSum

LARGEST = "the largest part, in sizes of the smallest,"


def show(view: CombineView, numbers: bool) -> None:
    output = view.output_sum
    token = read_token(view)
    _show_parts(view, output, token, numbers)
    if not numbers:
        _show_sizes(view, output.sizes)
    sizes = output.sizes[:, token]  # (heads,)
    largest = int(sizes.argmax())
    if float(sizes.min()) > 0:
        claims.tell(LARGEST, float(sizes.max() / sizes.min()))
    layout.caption(
        f"At {quotes.quote(view.tokens[token], token)} head {largest} adds most ({number(float(sizes[largest]))}). "
        f"Over all tokens, the sum of the parts and the output of attention differ by at most "
        f"{number(output.difference)}."
    )


def _show_parts(view: CombineView, output: OutputSum, token: int, numbers: bool) -> None:
    """The part of every head at one token, the bias, and their sum."""
    rows = [{"head": head, "size of its part": size} for head, size in enumerate(output.sizes[:, token].tolist())]
    bias = None if output.bias is None else output.bias.numpy()
    figure = parts_figure(output.parts[:, token].numpy(), output.out[token].numpy(), bias, theme=state.theme())
    with st.container(key="combine parts"):
        alt = f"What each head adds at {view.tokens[token]}, and their sum"
        figures.show_or_list(numbers, figure, alt, lambda: rows)
    arrays = {"parts": output.parts.numpy(), "out": output.out.numpy()}
    figures.export(f"{view.run.name}-parts", figure, lambda: rows, **arrays)


def _show_sizes(view: CombineView, sizes: Tensor) -> None:
    """The size of every part at every token. sizes: (heads, queries)."""
    draw = partial(sizes_figure, sizes.numpy(), view.tokens)
    figures.show(draw(theme=state.theme()), "Size of each head's part at each token")

    def rows() -> list[dict[str, Any]]:
        by_token = zip(view.tokens, sizes.T.tolist(), strict=True)
        return [{"token": token, **{f"head {head}": size for head, size in enumerate(row)}} for token, row in by_token]

    figures.export(f"{view.run.name}-sizes", draw, rows, sizes=sizes.numpy())
