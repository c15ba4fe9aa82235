"""Concat and W_O, view Side by side: the outputs of all heads as one row a token."""

from __future__ import annotations

from functools import partial
from typing import Any

from model.arrays import Array
from pages.attention.combine_parts.combine_view import CombineView
from pages.shared.elements import figures, layout
from pages.shared.session import state
from viz.attention.combine import slices_figure


def show(view: CombineView, numbers: bool) -> None:
    concat, config = view.concat.numpy(), view.config
    rows = partial(concat_rows, view.tokens, concat)
    figure = slices_figure(concat, view.tokens, config.n_heads, theme=state.theme())
    figures.show_or_list(numbers, figure, f"The outputs of {config.n_heads} heads side by side, one row a token", rows)
    layout.caption(
        f"Each band is a head: {config.n_heads} heads × {config.head_width} features make {concat.shape[1]:,}, "
        f"which $W_O$ turns into the {config.d_model:,} features of the residual stream."
    )
    figures.export(f"{view.run.name}-concat", figure, rows, concat=concat)


def concat_rows(tokens: list[str], concat: Array) -> list[dict[str, Any]]:
    """One row a token, with its features as columns. concat: (queries, heads * d_head)."""
    by_token = zip(tokens, concat.tolist(), strict=True)
    return [{"token": token, **{str(n): value for n, value in enumerate(row)}} for token, row in by_token]
