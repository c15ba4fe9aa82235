"""Heads, view Query · key: the products of one query and one key, feature by feature, which sum to their score."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
import streamlit as st

from pages.attention.heads_parts import weight_story
from pages.attention.heads_parts.all_heads import show_columns
from pages.shared.elements import figures, layout
from pages.shared.session import state
from views.head_of_run import HeadOfRun
from viz.attention.heads import products_figure
from viz.print.files import npz, rows_csv
from viz.shared.style import number, plain_text, plotly_text

if TYPE_CHECKING:
    from model.analysis.weight_story import Story


def show(screen: HeadOfRun, numbers: bool) -> None:
    story = screen.story
    if story is None:
        st.info("Choose a query and a key first: click two tokens in Lines, or a cell of the Matrix.")
        return
    with weight_story.picture_column(screen):
        caption = _describe(screen, story)
        if numbers:
            show_columns(_table(story), 3)
        else:
            figure = products_figure(story.q.numpy(), story.k.numpy(), theme=state.theme())
            figures.chart(figure, key="heads products figure", alt=plain_text(caption))
        layout.caption(caption)
        _export(screen, story)


def _table(story: Story) -> pd.DataFrame:
    """One row for each feature of the head, the largest product first."""
    products = story.products.numpy()
    order = np.argsort(-products, kind="stable")
    return pd.DataFrame(
        {
            "feature": order,
            "q": story.q.numpy()[order],
            "k": story.k.numpy()[order],
            "q × k": products[order],
            "running sum": products[order].cumsum(),
        }
    )


def _describe(screen: HeadOfRun, story: Story) -> str:
    query, key = weight_story.pair_names(screen)
    products = np.sort(story.products.numpy())[::-1]
    positive = products[products > 0]
    half = int(np.searchsorted(np.cumsum(positive), positive.sum() / 2)) + 1 if len(positive) else 0
    return (
        f"The {story.d_head} products of the query of {query} and the key of {key} sum to "
        f"{number(story.raw_score)}. The largest is {number(float(products[0]))}; {half} of the {len(positive)} "
        f"positive ones make half of all that is positive, and {int((products < 0).sum())} pull the score down."
    )


def _export(screen: HeadOfRun, story: Story) -> None:
    q, k = story.q.numpy(), story.k.numpy()
    title = f"{screen.queries[story.query]} · {screen.keys[story.key]}, {screen.place}"
    figures.files(
        f"{screen.file_name}-query{story.query}-key{story.key}",
        lambda theme="light": products_figure(q, k, theme=theme).update_layout(title_text=plotly_text(title)),
        partial(products_figure, q, k),
        CSV=lambda: rows_csv(_table(story).to_dict("records")),
        NPZ=partial(npz, q=q, k=k, products=q * k),
    )
