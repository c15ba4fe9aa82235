"""Queries and keys as points: the key with the largest product is the one that the query finds."""

from __future__ import annotations

import numpy as np
import pandas as pd
import streamlit as st

from pages.attention import files, one_head
from pages.attention.one_head import OneHead
from pages.shared import figures, lesson, state
from viz.scores import geometry_figure
from viz.style import isolated, markdown_text, number

PROMPTS = (
    lesson.Prompt(
        "What “cool” finds",
        "Palaskos asks which key fits “cool” in this sentence.",
        {"text": "The Transformer model is cool", "scores_query": -1, "scores_key": -1},
    ),
    lesson.Prompt(
        "The other sentence",
        "The same word, other keys to find.",
        {"text": "The weather is cool", "scores_query": -1, "scores_key": -1},
    ),
)


def show(depth: str) -> None:
    from model import attention_steps
    from model.attention_steps import project

    if depth == "Code":
        from model.principal import principal_components

        lesson.code(attention_steps.project, principal_components)
        return
    if depth == "Formula":
        lesson.equation(
            r"q \cdot k = |q|\,|k| \cos\theta",
            "Palaskos (2022), section 3.3.4 and fig. 3.4",
            {r"\theta": "the angle between query and key: small where they point the same way"},
        )
        lesson.caption(
            "The picture keeps three principal components of all queries and keys of the head, so angles in it "
            "are only nearly those of the full vectors. Products and ranks are computed in all dimensions."
        )
    shown = one_head.choose("scores", row=True)
    h = shown.steps
    found = project(h.q, h.k)
    visible = np.isfinite(h.mask[shown.query].numpy())
    table = _table(shown.keys, h.q[shown.query].numpy(), h.k.numpy(), h.weights[shown.query].numpy(), visible)
    seen = table[table["visible"]]
    best = int(seen["q · k"].to_numpy().argmax()) if len(seen) else None
    best = None if best is None else int(seen.index[best])
    if depth == "Formula":
        if best is not None:
            _worked(shown, table, best)
        return
    figure = geometry_figure(
        found.queries.numpy(),
        found.keys.numpy(),
        found.explained.numpy(),
        (shown.queries, shown.keys),
        shown.query,
        best,
        visible,
        state.theme(),
    )
    if depth == "Numbers":
        st.dataframe(table.sort_values("q · k", ascending=False).round(4), hide_index=True)
    else:
        figures.chart(figure, key="scores geometry", alt="Queries and keys of the head in three dimensions.")
    lesson.caption(_what_to_see(shown.queries[shown.query], table, best, float(found.explained.sum())))
    figures.export(
        f"{files.name_of(shown)}-geometry",
        figure,
        lambda: table.to_dict("records"),
        q=h.q,
        k=h.k,
        queries_3d=found.queries,
        keys_3d=found.keys,
        explained=found.explained,
    )
    lesson.try_this(*PROMPTS)


def _table(
    keys: list[str], query: np.ndarray, all_keys: np.ndarray, weights: np.ndarray, visible: np.ndarray
) -> pd.DataFrame:
    """Every key of the chosen query, measured in all dimensions: product, angle, distance."""
    products = all_keys @ query
    sizes = np.linalg.norm(all_keys, axis=1) * np.linalg.norm(query)
    cosine = np.divide(products, sizes, out=np.zeros_like(products), where=sizes > 0)
    return pd.DataFrame(
        {
            "key": [f"{i} {word}" for i, word in enumerate(keys)],
            "q · k": products,
            "cosine": cosine,
            "distance": np.linalg.norm(all_keys - query, axis=1),
            "weight": weights,
            "visible": visible,
        }
    )


def _worked(shown: OneHead, table: pd.DataFrame, best: int) -> None:
    """The product of the key that fits best, by lengths and angle."""
    q, k = (vectors.norm(dim=-1) for vectors in (shown.steps.q[shown.query], shown.steps.k[best]))
    query, key = (isolated(markdown_text(word)) for word in (shown.queries[shown.query], shown.keys[best]))
    st.markdown(f"For **{query}** and **{key}**, the key with the largest product:")
    lengths = (float(q), float(k), float(table["cosine"][best]))
    st.latex(
        r"|q|\,|k| \cos\theta = "
        + r" \cdot ".join(lesson.tex(each, 5) for each in lengths)
        + f" = {lesson.tex(float(table['q · k'][best]))}"
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
    differ = [f"by {way} **{markdown_text(str(table['key'][i]))}**" for way, i in others.items() if i != best]
    return start + told + f"The nearest {' and '.join(differ)}: a long key can win over a near one."
