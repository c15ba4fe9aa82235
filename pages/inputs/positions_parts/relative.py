"""Relative positions: the bias of each head by the distance from query to key, of the model in the run bar."""

from __future__ import annotations

from typing import Any

import pandas as pd
import streamlit as st
import torch

from model import Model
from model.analysis.circuits.distance import bias_by_distance
from model.graph.distances import say_distance
from model.network import relative_positions
from pages.inputs.positions_parts import controls
from pages.inputs.positions_parts.controls import Sentence
from pages.shared.elements import figures, layout
from pages.shared.session import state
from views.shared import quotes
from viz.inputs.relative_positions import bias_figure
from viz.shared.style import markdown_text, number

Tables = dict[str, tuple[torch.Tensor, torch.Tensor]]  # by stack: distances, and biases (heads, distances)


def show(model: Model, rows: int, numbers: bool) -> None:
    """The biases of all heads within a text of so many tokens."""
    st.caption(
        f"{markdown_text(model.card.title)} adds nothing to its embeddings: each head adds a number of its own to the "
        "score, for the distance between query and key. All layers of a stack share the table of these numbers."
    )
    tables = {stack: bias_by_distance(model, stack, rows) for stack in model.config.stacks}
    arrays = {stack: (distances.numpy(), values.numpy()) for stack, (distances, values) in tables.items()}
    figure = bias_figure({name_of(stack): each for stack, each in arrays.items()}, state.theme())
    if numbers:
        st.dataframe(pd.DataFrame(_rows(tables)), hide_index=True)
    else:
        controls.chart(figure, "relative", alt="The bias of each head by the distance from query to key.")
    layout.caption(" ".join(_describe(name_of(stack), *each) for stack, each in tables.items()))
    biases = {stack: values for stack, (_, values) in tables.items()}
    figures.export("positions-relative", figure, lambda: _rows(tables), ("positions relative",), **biases)


def name_of(stack: str) -> str:
    """The stack as the title of its map."""
    return stack.capitalize()


def _rows(tables: Tables) -> list[dict[str, Any]]:
    """One row for each distance of a stack, with a column for each head."""
    return [
        {"stack": stack, "distance": int(distance)}
        | {f"head {head}": float(value) for head, value in enumerate(column)}
        for stack, (distances, values) in tables.items()
        for distance, column in zip(distances, values.mT, strict=True)
    ]


def _describe(name: str, distances: torch.Tensor, values: torch.Tensor) -> str:
    """Where the largest bias and the smallest one stand. Markdown."""
    found = []
    for place in (int(values.argmax()), int(values.argmin())):
        head, column = divmod(place, values.shape[1])
        found.append((head, say_distance(int(distances[column])), number(float(values[head, column]))))
    (most, near, large), (least, far, small) = found
    largest = f"{name}: the largest bias is {large}, of head {most} for a key {near} the query"
    return f"{largest}; the smallest is {small}, of head {least} for one {far} it."


def show_formula(sentence: Sentence) -> None:
    """The equation of the bias and of its buckets, with the numbers of the last token and the first one."""
    config = sentence.model.config
    stack = config.stacks[0]
    layout.equation(
        r"S_{ij} = q_i \cdot k_j + B_{ij}, \qquad B_{ij} = \mathrm{table}[\,b(j - i)\,]",
        "Raffel et al. (2020), section 2.1",
        {
            "b": f"the bucket of a distance: {config.relative_buckets} rows in each stack's table",
            "i, j": "the places of the query and of the key",
        },
    )
    layout.caption(
        "Half of the buckets of a direction have one distance each. Those of the other half grow by a constant factor, "
        f"up to {config.relative_reach} tokens. An encoder has half of all buckets for keys after the query. A "
        "decoder needs none for them."
    )
    last = len(sentence.labels) - 1
    distances, values = bias_by_distance(sentence.model, stack, last + 1)
    at = int((distances == -last).nonzero())
    row = relative_positions.bucket(
        torch.tensor(-last), config.relative_buckets, config.relative_reach, stack == "encoder"
    )
    layout.work_out(
        f"From {controls.name_token(sentence.labels, last)} back to {controls.name_token(sentence.labels, 0)}, in head "
        f"0 of the {stack}:",
        rf"b(0 - {last}) = {int(row)}, \qquad B_{{{last},0}} = {quotes.tex(float(values[0, at]))}",
    )


def show_code() -> None:
    """The bucket of a distance, and the table."""
    layout.code(relative_positions.bucket, relative_positions.RelativeBias)
