"""Tables of the Heads page, and the files that it exports: the same data as the pictures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
import streamlit as st
from numpy.typing import NDArray

from pages.attention.heads_parts.heads_view import HeadsView
from pages.shared import figures
from viz.attention.heads import products_figure, weights_figure
from viz.print import head_pictures
from viz.print.files import npz, rows_csv
from viz.shared.payload import unpack
from viz.shared.style import markdown_text

if TYPE_CHECKING:
    from model.analysis.head_measures import Kind
    from model.analysis.weight_story import Story


def table(shown: HeadsView, values: NDArray[Any]) -> pd.DataFrame:
    """A matrix (queries, keys) with its tokens; masked cells are empty."""
    return pd.DataFrame(
        np.where(shown.hidden, np.nan, values),
        index=_numbered(shown.query_words),
        columns=_numbered(shown.key_words),
    )


def show_matrix(frame: pd.DataFrame) -> None:
    """A matrix as numbers that line up."""
    decimals = {name: st.column_config.NumberColumn(format="%.3f") for name in frame.columns}
    height: Any = "content" if len(frame) <= 20 else 720
    st.dataframe(frame, height=height, column_config=decimals, placeholder="–")


def show_columns(frame: pd.DataFrame, decimals: str) -> None:
    """A long table whose measured columns share one format; counted ones stay whole."""
    measured = frame.select_dtypes("floating").columns
    config = {name: st.column_config.NumberColumn(format=decimals) for name in measured}
    st.dataframe(frame, height=560, column_config=config, hide_index=True)


def _numbered(words: Sequence[str]) -> list[str]:
    """Tokens repeat, names of rows and columns must not."""
    return [f"{i} {word}" for i, word in enumerate(words)]


def measures(tiles: bytes) -> NDArray[Any]:
    """(layers, heads, kinds), 0..1."""
    return unpack(tiles)[1]["metrics"]


def measures_table(tiles: bytes, kinds: Sequence[Kind], sort: str) -> pd.DataFrame:
    """One row a head: layer, head and every measure, in the order of the atlas."""
    values = measures(tiles)
    layer, head = np.divmod(np.arange(values.shape[0] * values.shape[1]), values.shape[1])
    flat = values.reshape(-1, len(kinds))
    found = pd.DataFrame({"layer": layer, "head": head} | {kind.label: flat[:, i] for i, kind in enumerate(kinds)})
    if sort == "layer":
        return found
    label = next(kind.label for kind in kinds if kind.key == sort)
    return found.sort_values(label, ascending=False, kind="stable")


def products_table(story: Story) -> pd.DataFrame:
    """One row a feature of the head, largest product first."""
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


def atlas_caption(shown: HeadsView, tiles: bytes, kinds: Sequence[Kind]) -> str:
    """What the eye should see in the atlas, from the measures. Markdown."""
    values = measures(tiles)
    told = []
    for i, kind in enumerate(kinds):
        if kind.threshold is None:
            continue
        layer, head = np.unravel_index(values[..., i].argmax(), values.shape[:2])
        many = int((values[..., i] >= kind.threshold).sum())
        if many:
            told.append(
                f"{many} of {values[..., i].size} heads are of the kind “{kind.label}”, most of all layer {layer}, "
                f"head {head} ({values[layer, head, i]:.2f})"
            )
    start = "Rows are queries and columns keys in every picture. "
    body = "; ".join(told) + "." if told else "No head passes the threshold of any kind on this sentence."
    return start + body + f" Framed: layer {shown.layer}, head {shown.head}. Click a picture to open its head."


def _name(shown: HeadsView, what: str) -> str:
    return f"{shown.run.name}-{shown.path().replace('.', '-')}-head{shown.head}-{what}"


def matrix(shown: HeadsView, values: NDArray[Any], what: str) -> None:
    """Exports of one head's weights or scores."""
    signed = what != "weights"
    seen = np.where(shown.hidden, np.nan, values)
    title = f"{shown.run.model.card.title}, {shown.place}: {what}"
    figure = partial(
        weights_figure,
        values,
        shown.query_words,
        shown.key_words,
        kind="scores" if signed else "weights",
        hidden=shown.hidden,
    )
    figures.files(
        _name(shown, what),
        partial(head_pictures.matrix_picture, seen, shown.query_words, shown.key_words, title, signed=signed),
        figure,
        CSV=partial(head_pictures.matrix_csv, values, shown.query_words, shown.key_words),
        NPZ=partial(npz, queries=shown.query_words, keys=shown.key_words, **{what: values}),
    )


def lines(shown: HeadsView, heads: Sequence[int], least: float) -> None:
    """Exports of the lines; the tables hold the chosen head's weights, the archive those of all heads with lines."""
    weights = shown.all_weights()[list(heads)]
    title = f"{shown.run.model.card.title}, {shown.place}"
    figure = partial(weights_figure, shown.weights, shown.query_words, shown.key_words, hidden=shown.hidden)
    figures.files(
        _name(shown, "lines"),
        partial(head_pictures.lines_picture, weights, heads, shown.query_words, shown.key_words, title, least=least),
        figure,
        CSV=partial(head_pictures.matrix_csv, shown.weights, shown.query_words, shown.key_words),
        NPZ=partial(npz, weights=weights, heads=heads, queries=shown.query_words, keys=shown.key_words),
    )


def atlas(shown: HeadsView, tiles: bytes, kinds: Sequence[Kind]) -> None:
    """Exports of all heads: small pictures, and the measures with full weights."""
    every = [shown.all_weights(layer) for layer in range(shown.layers)]
    title, place = f"{shown.run.model.card.title}: all heads", (shown.layer, shown.head)
    figure = partial(weights_figure, shown.weights, shown.query_words, shown.key_words, hidden=shown.hidden)
    figures.files(
        f"{shown.run.name}-{shown.stack}-{shown.attention}-all-heads",
        lambda theme: head_pictures.atlas_picture(np.stack(every), title, framed=place, theme=theme),
        figure,
        CSV=lambda: rows_csv(measures_table(tiles, kinds, "layer").to_dict("records")),
        NPZ=lambda: npz(weights=np.stack(every), queries=shown.query_words, keys=shown.key_words),
    )


def products(shown: HeadsView) -> None:
    """Exports of the products behind one score."""
    story = shown.story
    assert story is not None
    q, k = story.q.numpy(), story.k.numpy()
    title = f"{shown.query_words[story.query]} · {shown.key_words[story.key]}, {shown.place}"
    figures.files(
        _name(shown, f"query{story.query}-key{story.key}"),
        partial(head_pictures.products_picture, q, k, title),
        partial(products_figure, q, k),
        CSV=lambda: rows_csv(products_table(story).to_dict("records")),
        NPZ=partial(npz, q=q, k=k, products=q * k),
    )


def export_comparison(
    parts: Sequence[tuple[str, NDArray[Any], Sequence[str], Sequence[str]]], shown: HeadsView
) -> None:
    """Exports of two matrices and their difference: the title, values, queries and keys of each."""
    seen = [(name, np.where(shown.hidden, np.nan, values), queries, keys) for name, values, queries, keys in parts]
    first, second, difference = (values for _, values, *_ in parts)
    _, _, queries, keys = parts[-1]
    figures.files(
        _name(shown, "compared"),
        partial(head_pictures.compared_picture, seen, shown.run.model.card.title),
        partial(weights_figure, difference, queries, keys, kind="difference", hidden=shown.hidden),
        CSV=lambda: rows_csv(_cells(queries, keys, {"first": first, "second": second, "difference": difference})),
        NPZ=partial(npz, first=first, second=second, difference=difference, queries=queries, keys=keys),
    )


def _cells(queries: Sequence[str], keys: Sequence[str], values: Mapping[str, NDArray[Any]]) -> list[dict[str, Any]]:
    """One row a cell of matrices (queries, keys)."""
    return [
        {"query_index": i, "query": query, "key_index": j, "key": key}
        | {name: float(matrix[i, j]) for name, matrix in values.items()}
        for i, query in enumerate(queries)
        for j, key in enumerate(keys)
    ]


def pair_words(first: Sequence[str], second: Sequence[str]) -> list[str]:
    """One label for the tokens of two sentences at the same place: both words where they differ."""
    return [a if a == b else f"{a} / {b}" for a, b in zip(first, second, strict=True)]


def difference_caption(values: NDArray[Any], hidden: NDArray[Any], queries: Sequence[str], keys: Sequence[str]) -> str:
    """Where two matrices differ most. Markdown."""
    change = np.where(hidden, 0, values)
    i, j = divmod(int(np.abs(change).argmax()), change.shape[1])
    if change[i, j] == 0:
        return "Both are the same."
    more, query, key = ("first" if change[i, j] > 0 else "second"), markdown_text(queries[i]), markdown_text(keys[j])
    moved = float(np.abs(change).sum(1).mean() / 2)
    return (
        f"They differ most at **{query}** → **{key}**: the {more} gives {abs(change[i, j]):.2f} more. On average "
        f"{100 * moved:.0f}% of a query's attention goes to other keys."
    )
