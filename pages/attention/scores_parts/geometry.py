"""Queries and keys as points: the key with the largest product is the one that the query finds."""

from __future__ import annotations

from dataclasses import dataclass

import pandas as pd
import streamlit as st
from torch import Tensor

from model.analysis import scores
from model.analysis.scores import KeyFit, fit_keys, project
from model.cached_property import cached_property
from model.vectors.principal_components import principal_components
from pages.shared.elements import claims, figures, head_controls, layout
from pages.shared.elements.claims import Claim
from pages.shared.session import state
from views.head_of_run import HeadOfRun
from views.shared import quotes
from views.shared.matrix_tables import number_words
from viz.attention.scores import geometry_figure
from viz.shared.style import number, percent

QUERY = "the query"
PROMPTS = (
    layout.Prompt(
        "What “cool” finds",
        "Palaskos asks which key fits “cool” in this sentence.",
        {"text": "The Transformer model is cool", "query": -1, "key": -1},
        claim=Claim(QUERY, "is", "cool"),
    ),
    layout.Prompt(
        "The other sentence",
        "The same word, other keys to find.",
        {"text": "The weather is cool", "query": -1, "key": -1},
        claim=Claim(QUERY, "is", "cool"),
    ),
)


@dataclass(frozen=True)
class QueryAndKeys:
    """The singled-out query of the head, and how well every key fits it."""

    screen: HeadOfRun

    @cached_property
    def fit(self) -> KeyFit:
        return fit_keys(self.screen.steps.q[self.screen.query], self.screen.steps.k)

    @property
    def visible(self) -> Tensor:
        """True where the query may look: (keys,)."""
        return ~self.screen.hidden[self.screen.query]

    @property
    def best(self) -> int | None:
        """The visible key with the largest product."""
        return self.fit.best(self.visible)

    @property
    def weights(self) -> Tensor:
        """(keys,)."""
        return self.screen.weights[self.screen.query]

    def table(self) -> pd.DataFrame:
        """One row for each key, measured in all dimensions."""
        return pd.DataFrame(
            {
                "key": number_words(self.screen.keys),
                "q · k": self.fit.products.numpy(),
                "cosine": self.fit.cosines.numpy(),
                "distance": self.fit.distances.numpy(),
                "weight": self.weights.numpy(),
                "visible": self.visible.numpy(),
            }
        )


def show(depth: str) -> None:
    if depth == "Formula":
        _show_equation()
    row = QueryAndKeys(head_controls.choose())
    if depth == "Code":
        _show_code()
        return
    if depth == "Formula":
        _work_out_product(row)
        return
    _show_points(row, depth == "Numbers")
    layout.try_this(*PROMPTS)


def _show_points(row: QueryAndKeys, numbers: bool) -> None:
    screen, steps, table = row.screen, row.screen.steps, row.table()
    claims.tell(QUERY, screen.queries[screen.query])
    points = project(steps.q, steps.k)
    figure = geometry_figure(
        points.queries.numpy(),
        points.keys.numpy(),
        points.explained.numpy(),
        (screen.queries, screen.keys),
        screen.query,
        row.best,
        row.visible.numpy(),
        state.theme(),
    )
    if numbers:
        st.dataframe(table.sort_values("q · k", ascending=False), hide_index=True)
    else:
        figures.chart(figure, key="scores geometry", alt="Queries and keys of the head in three dimensions.")
    layout.caption(
        f"Each point is a query or a key of this head, a vector of {steps.q.shape[-1]} numbers. The three axes are the "
        f"directions in which these vectors differ most (their principal components), and hold "
        f"{percent(float(points.explained.sum()))} of the differences (the variance). The rest is "
        f"computed with all {steps.q.shape[-1]} numbers. {_describe(row)}"
    )
    figures.export(
        f"{screen.file_name}-geometry",
        figure,
        lambda: table.to_dict("records"),
        q=steps.q,
        k=steps.k,
        queries_3d=points.queries,
        keys_3d=points.keys,
        explained=points.explained,
    )


def _show_code() -> None:
    layout.code(scores.fit_keys, scores.project, principal_components)


def _show_equation() -> None:
    layout.equation(
        r"q \cdot k = |q|\,|k| \cos\theta",
        "Palaskos (2022), section 3.3.4 and fig. 3.4",
        {r"\theta": "the angle between query and key: small where they point the same way"},
    )
    layout.caption(
        "The picture keeps three principal components of all queries and keys of the head, so angles in it "
        "are only nearly those of the full vectors. Products and ranks are computed in all dimensions."
    )


def _work_out_product(row: QueryAndKeys) -> None:
    """The product of the key that fits best, by lengths and angle."""
    if row.best is None:
        return
    screen, best = row.screen, row.best
    lengths = (float(vector.norm()) for vector in (screen.steps.q[screen.query], screen.steps.k[best]))
    factors = (*lengths, float(row.fit.cosines[best]))
    layout.work_out(
        f"For {quotes.quote(screen.queries[screen.query], screen.query)} and {quotes.quote(screen.keys[best], best)}, "
        "the key with the largest product:",
        r"|q|\,|k| \cos\theta = "
        + r" \cdot ".join(quotes.tex(factor, 5) for factor in factors)
        + f" = {quotes.tex(float(row.fit.products[best]))}",
    )


def _describe(row: QueryAndKeys) -> str:
    """The key that fits best, and those that are nearest by angle and by distance. Markdown."""
    screen, best, visible = row.screen, row.best, row.visible
    query = quotes.quote(screen.queries[screen.query], screen.query, "blue")
    if best is None:
        return f"Every key is hidden from {query}."
    names = [quotes.quote(key, place, "orange") for place, key in enumerate(screen.keys)]
    sentence = (
        f"Of the keys that {query} may see, {names[best]} has the largest product q · k, "
        f"{number(float(row.fit.products[best]))}, "
    )
    weight, most = percent(float(row.weights[best])), int(row.weights.argmax())
    if row.weights[most] > row.weights[best]:  # relative positions and ALiBi add a bias to each product
        sentence += f"and the weight {weight}. With the bias of its place, {names[most]} gets more, "
        sentence += f"{percent(float(row.weights[most]))}. "
    else:
        sentence += f"so it gets the most weight, {weight}. "
    nearest = {"angle": row.fit.nearest_by_angle(visible), "distance": row.fit.nearest(visible)}
    others = [f"by {way} is {names[key]}" for way, key in nearest.items() if key is not None and key != best]
    if not others:
        return sentence + "It is also the nearest, by angle and by distance."
    return sentence + f"The nearest {' and '.join(others)}: a long key can win over a near one."
