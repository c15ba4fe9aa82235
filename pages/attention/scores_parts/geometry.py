"""Queries and keys as points: the key with the largest product is the one that the query finds."""

from __future__ import annotations

import numpy as np
import pandas as pd
import streamlit as st

from pages.shared import figures, head_controls, layout, state
from pages.shared.head_on_screen import HeadOnScreen
from viz.attention.scores import geometry_figure
from viz.shared.style import markdown_text, number

PROMPTS = (
    layout.Prompt(
        "What “cool” finds",
        "Palaskos asks which key fits “cool” in this sentence.",
        {"text": "The Transformer model is cool", "scores_query": -1, "scores_key": -1},
    ),
    layout.Prompt(
        "The other sentence",
        "The same word, other keys to find.",
        {"text": "The weather is cool", "scores_query": -1, "scores_key": -1},
    ),
)


def show(depth: str) -> None:
    from model.analysis.scores import project

    if depth == "Code":
        _code()
        return
    if depth == "Formula":
        _formula()
    shown = head_controls.choose("scores", row=True)
    table = _table(shown)
    best = _best(table)
    if depth == "Formula":
        if best is not None:
            _worked(shown, table, best)
        return
    h = shown.steps
    found = project(h.q, h.k)
    figure = geometry_figure(
        found.queries.numpy(),
        found.keys.numpy(),
        found.explained.numpy(),
        (shown.queries, shown.keys),
        shown.query,
        best,
        table["visible"].to_numpy(),
        state.theme(),
    )
    if depth == "Numbers":
        st.dataframe(table.sort_values("q · k", ascending=False).round(4), hide_index=True)
    else:
        figures.chart(figure, key="scores geometry", alt="Queries and keys of the head in three dimensions.")
    layout.caption(_what_to_see(shown.queries[shown.query], table, best, float(found.explained.sum())))
    figures.export(
        f"{shown.file_name}-geometry",
        figure,
        lambda: table.to_dict("records"),
        q=h.q,
        k=h.k,
        queries_3d=found.queries,
        keys_3d=found.keys,
        explained=found.explained,
    )
    layout.try_this(*PROMPTS)


def _code() -> None:
    from model.analysis import scores
    from model.vectors.principal_components import principal_components

    layout.code(scores.project, principal_components)


def _formula() -> None:
    layout.equation(
        r"q \cdot k = |q|\,|k| \cos\theta",
        "Palaskos (2022), section 3.3.4 and fig. 3.4",
        {r"\theta": "the angle between query and key: small where they point the same way"},
    )
    layout.caption(
        "The picture keeps three principal components of all queries and keys of the head, so angles in it "
        "are only nearly those of the full vectors. Products and ranks are computed in all dimensions."
    )


def _table(shown: HeadOnScreen) -> pd.DataFrame:
    """Every key of the chosen query, measured in all dimensions: product, angle, distance."""
    query, keys = shown.steps.q[shown.query].numpy(), shown.steps.k.numpy()  # (d_k,), (keys, d_k)
    products = keys @ query
    sizes = np.linalg.norm(keys, axis=1) * np.linalg.norm(query)
    cosine = np.divide(products, sizes, out=np.zeros_like(products), where=sizes > 0)
    return pd.DataFrame(
        {
            "key": [f"{i} {word}" for i, word in enumerate(shown.keys)],
            "q · k": products,
            "cosine": cosine,
            "distance": np.linalg.norm(keys - query, axis=1),
            "weight": shown.steps.weights[shown.query].numpy(),
            "visible": np.isfinite(shown.steps.mask[shown.query].numpy()),
        }
    )


def _best(table: pd.DataFrame) -> int | None:
    """The key with the largest product among those that the query may see."""
    seen = table[table["visible"]]
    return int(seen["q · k"].idxmax()) if len(seen) else None


def _worked(shown: HeadOnScreen, table: pd.DataFrame, best: int) -> None:
    """The product of the key that fits best, by lengths and angle."""
    q, k = (vectors.norm(dim=-1) for vectors in (shown.steps.q[shown.query], shown.steps.k[best]))
    query, key = layout.quote(shown.queries[shown.query]), layout.quote(shown.keys[best])
    lengths = (float(q), float(k), float(table["cosine"][best]))
    layout.work_out(
        f"For {query} and {key}, the key with the largest product:",
        r"|q|\,|k| \cos\theta = "
        + r" \cdot ".join(layout.tex(each, 5) for each in lengths)
        + f" = {layout.tex(float(table['q · k'][best]))}",
    )


def _what_to_see(query: str, table: pd.DataFrame, best: int | None, explained: float) -> str:
    start = f"Three components keep {100 * explained:.0f}% of the variance of this head's queries and keys. "
    if best is None:
        return start + f"Every key is hidden from **{markdown_text(query)}**."
    seen = table[table["visible"]]
    name = markdown_text(str(table["key"][best]))
    angle = int(seen["cosine"].idxmax())
    near = int(seen["distance"].idxmin())
    row = table.loc[best]
    told = (
        f"Of the keys that **{markdown_text(query)}** may see, **{name}** has the largest product, "
        f"{number(float(row['q · k']))}, so it gets the most weight ({float(row['weight']):.2f}). "
    )
    if angle == best == near:
        return start + told + "It is also the nearest, by angle and by distance."
    others = {"angle": angle, "distance": near}
    differ = [f"by {way} is **{markdown_text(str(table['key'][i]))}**" for way, i in others.items() if i != best]
    return start + told + f"The nearest {' and '.join(differ)}: a long key can win over a near one."
