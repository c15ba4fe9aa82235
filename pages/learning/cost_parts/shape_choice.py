"""The shape of the model whose cost is counted: its own, until the reader chooses another one."""

from __future__ import annotations

from dataclasses import dataclass, field

import streamlit as st

from model import Model
from model.cost.shape import layers_of
from pages.shared.server.session_values import of_session
from pages.shared.session import state
from views.learning.cost.cost_view import CostView, Shape

LABELS = {"cost_tokens": "Tokens T", "cost_width": "Width D", "cost_heads": "Heads h", "cost_layers": "Layers"}


@dataclass
class ShapeSession:
    """The shape of the last model that was open, by key."""

    shape: dict[str, int] = field(default_factory=dict)


def read(model: Model) -> Shape:
    """The shape that the reader asks for. What nobody has chosen is the model's own."""
    config = model.config
    own = {"cost_width": config.d_model, "cost_heads": config.n_heads, "cost_layers": layers_of(config)}
    session = of_session(ShapeSession)
    before = session.shape  # of the model that was here: its numbers are no choice
    for key, value in own.items():
        if state.get(key) in (0, before.get(key)):
            state.put(**{key: value})
    session.shape = own
    return Shape(model.card.title, model, state.get("cost_tokens"), *(state.get(key) for key in own))


def choose(view: CostView) -> None:
    """A number for the text and for each side of the shape."""
    for column, (key, label) in zip(st.columns(len(LABELS)), LABELS.items(), strict=True):
        column.number_input(label, 1, int(state.KEYS[key].high), key=key)
