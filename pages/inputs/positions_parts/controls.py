"""The controls of Positions. Each gets the view that they choose."""

from __future__ import annotations

import streamlit as st

from pages.inputs.positions_parts import fields, placing
from pages.shared.session import state
from views.inputs.joined_positions import JoinedPositions
from views.inputs.position_circles import PositionCircles
from views.inputs.position_distance import PositionDistance, most_places
from views.inputs.position_heatmap import PositionHeatmap
from views.inputs.relative_biases import RelativeBiases
from views.inputs.requirements import SCHEMES as CHECKED_SCHEMES
from views.inputs.requirements import Requirements
from views.inputs.rotary_turn import RotaryTurn
from views.inputs.word_order import WordOrder
from views.inputs.worked_positions import WorkedPositions
from viz.documents.page_parts import Text

ROW_CHOICES = {"sentence": "Your sentence", "length": "Any length"}
SOURCES = {"formula": "The formula", "model": "This model"}
VIEWS = {"clocks": "Clocks", "plane": "Round the embedding, 2-D", "space": "3-D"}
SCHEMES = {"sinusoidal": "Sinusoidal", "learned": "Learned table", "rotary": "Rotary"}
MODEL_CHOICES = {"paper": "The paper's base model", "model": "This model"}


def choose_encoding(view: PositionHeatmap | RelativeBiases) -> None:
    """Whose positions, and how many rows of them."""
    of_model = state.get("positions_source") == "model"
    bar, below = fields.bar()
    with bar:
        fields.choose("Positions of", "positions_source", SOURCES)
        fields.choose("Rows", "positions_rows", ROW_CHOICES)
        most = placing.most_rows(view.sentence.model) if of_model else fields.MAX_POSITIONS
        fields.row(below, *([] if of_model else [fields.width(), fields.base()]), *_length(most))


def _length(most: int) -> list[fields.Field]:
    """The number of rows, where they are not those of the sentence."""
    return [] if state.get("positions_rows") == "sentence" else [fields.length(most=most)]


def choose_formula(view: PositionHeatmap | PositionCircles) -> None:
    """The width and the base of the formula."""
    bar, below = fields.bar()
    with bar:
        fields.row(below, fields.width(), fields.base())


def write_words(view: WorkedPositions) -> None:
    """The words of the table, its width and its base."""
    bar, below = fields.bar()
    with bar:
        st.text_input("Words", key="positions_words", max_chars=200, width=340)
        fields.row(below, *fields.worked_fields())


def choose_circles(view: PositionCircles) -> None:
    """Clocks or circles, and the formula."""
    bar, below = fields.bar()
    with bar:
        fields.choose("View", "positions_view", VIEWS)
        fields.row(below, fields.width(), fields.base())


def choose_plane(view: PositionCircles) -> None:
    """The pair of features whose plane is drawn."""
    last = max(view.pairs - 1, 1)
    st.slider("Pair k: features 2k and 2k + 1", 0, last, key="positions_clock", width=320)


def write_shift(view: PositionCircles) -> None:
    """The shift."""
    st.number_input("Shift φ", key="positions_phi", step=1.0, width=130)


def choose_scheme(view: PositionDistance) -> None:
    """The scheme, and how many positions of it."""
    bar, below = fields.bar()
    with bar:
        fields.choose("Scheme", "positions_distance", SCHEMES)
        fields.choose("Positions", "positions_rows", ROW_CHOICES)
        if not isinstance(view.table_of_model, Text):
            formula = [] if view.table_of_model else [fields.width(), fields.base()]
            fields.row(below, *formula, *_length(most_places(view.table_of_model)))


def choose_head_of_other_model(view: RotaryTurn) -> None:
    """The controls that the run bar has for the reader's own model. Their values are already corrected."""
    head = view.head
    assert not isinstance(head, Text)
    config, labels = head.run.model.config, head.labels
    options = [f"{t}  {label}" for t, label in enumerate(labels)]
    with st.container(horizontal=True):
        st.slider("Layer", 0, max(config.n_layers(head.stack) - 1, 1), key="layer", width=170)
        st.slider("Head", 0, max(config.n_heads - 1, 1), key="head", width=150)
        st.selectbox("Query, token t", range(len(labels)), key="query", format_func=options.__getitem__, width=170)


def choose_pair(view: RotaryTurn) -> None:
    """The key and a pair of features. Their values are already corrected."""
    head = view.head
    assert not isinstance(head, Text)
    options = [f"{s}  {label}" for s, label in enumerate(head.labels)]
    pairs = head.run.model.config.head_width // 2
    with st.container(horizontal=True):
        st.selectbox("Key, token s", range(len(options)), key="key", format_func=options.__getitem__, width=170)
        st.slider("Pair k of its features", 0, max(pairs - 1, 1), key="positions_turned", width=190)


def choose_joined(view: JoinedPositions) -> None:
    """The model whose cost is shown, and the width of a place beside a word."""
    bar, below = fields.bar()
    with bar:
        fields.choose("Cost in", "positions_of", MODEL_CHOICES)
        fields.row(below, fields.joined_field(view.config.d_model))


def shuffle(view: WordOrder) -> None:
    """A button for another order."""
    st.button("Shuffle again", icon=":material/shuffle:", on_click=_shuffle_again)


def _shuffle_again() -> None:
    state.put(positions_seed=state.get("positions_seed") + 1)


def choose_checked(view: Requirements) -> None:
    """The formula, and the lengths of the sentences."""
    bar, below = fields.bar()
    with bar:
        fields.row(below, *fields.checked_fields())


def choose_checked_scheme(view: Requirements) -> None:
    """The scheme whose vectors are drawn."""
    fields.choose("Scheme", "positions_check", {name: CHECKED_SCHEMES[name] for name in view.schemes}, collapsed=True)
