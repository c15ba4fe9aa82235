"""The layer whose heads the course of a training shows."""

from __future__ import annotations

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from pages.shared.session import state
from views.learning.training.course import Course, best_layer
from views.learning.training.published import Replayed

KEY = "training_layer"


def read(scores: NDArray[np.float32]) -> int:
    """The layer, of scores (layers, heads) at the end: that of the best head, until one is chosen."""
    if not 0 <= state.get(KEY) < len(scores):
        state.put(training_layer=best_layer(scores))
    return int(state.get(KEY))


def choose(view: Course | Replayed) -> None:
    """The choice of the layer. While steps of a training still come there is none: another head may become the best."""
    if state.get(KEY) != view.layer:
        return
    st.segmented_control(
        "Layer", range(view.n_layers), key=KEY, required=True, label_visibility="collapsed",
        format_func=lambda layer: f"layer {layer}",
    )  # fmt: skip
