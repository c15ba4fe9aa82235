"""Does order matter? Shuffle the words: without positions an encoder's outputs only move, with them they change."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
import streamlit as st
from torch import Tensor

from model.experiments import word_order
from model.experiments.word_order import Effect
from model.run import ids_of
from pages.inputs.positions_parts import controls, variants
from pages.shared.elements import claims, figures, layout
from pages.shared.elements.claims import Claim
from pages.shared.model_runs import model_turns, traces
from pages.shared.session import state
from pages.shared.session.last_made import keep_last
from viz.inputs.positions import order_figure
from viz.shared.style import markdown_text, number
from viz.shared.tokens import words

if TYPE_CHECKING:
    from model import Model

ENCODERS = ("minilm-l6", "tiny-encoder", "en-ur")
WITHOUT = "the largest change without positions"
WITH = "the largest change with positions"


def show(depth: str) -> None:
    if depth == "Code":
        layout.code(word_order.encode_ids, word_order.effect_of_order, Effect)
    elif depth == "Formula":
        layout.equation(
            r"f(PX) = P\,f(X)",
            "Permutation equivariance (Bishop, ch. 12): attention without positions and mask.",
            {
                "X": "the tokens' vectors, one a row",
                "P": "a permutation matrix: it reorders the rows",
                "f": "the encoder",
            },
        )
    else:
        model = _choose_encoder()
        if model is not None:
            _show_effect(model, numbers=depth == "Numbers")
        if depth == "Picture":
            variants.show()
    layout.try_this(
        layout.Prompt(
            "Who bites whom?",
            "The same words; only their order says who is bitten.",
            {"text": "the dog bites the man", "positions_seed": 1},
            claim=Claim(WITH, "over", 0.01),
            at="positions order",
        ),
        layout.Prompt(
            "Another order",
            "Without positions it is about 0 for every order.",
            {"positions_seed": 7},
            claim=Claim(WITHOUT, "under", 1e-3),
            at="positions order",
        ),
    )


def _choose_encoder() -> Model | None:
    """The present model if it is an encoder with position vectors, else the first such model that is here."""
    chosen = traces.current(keep="*embed.*").model
    removable = chosen.config.has_position_vectors or chosen.config.positions == "relative"
    if chosen.network.encoder is not None and removable:
        return chosen
    ready = [card.name for card in traces.cards() if card.ready]
    name = next((name for name in ENCODERS if name in ready), ENCODERS[0])
    try:
        model = traces.model(name)
    except traces.errors() as error:
        st.warning(markdown_text(str(error)), icon=":material/download:")
        return None
    st.caption(
        f"{markdown_text(chosen.card.title)} is a decoder: its causal mask sees order by itself. Measured on "
        f"{markdown_text(model.card.title)}, an encoder."
    )
    return model


def _shuffle_again() -> None:
    state.put(positions_seed=state.get("positions_seed") + 1)


def _show_effect(model: Model, numbers: bool) -> None:
    try:
        tokens = model.tokens_of(traces.fitting_sentence(model.card.name))
    except traces.errors() as error:
        st.error(markdown_text(str(error)), icon=":material/error:")
        return
    movable = [t for t, token in enumerate(tokens) if not token.special]
    if len(movable) < 2:
        st.info("One token cannot be shuffled: type at least two words in the bar.")
        return
    places = word_order.shuffle_places(movable, len(tokens), state.get("positions_seed"))
    labels = words(tokens)
    shuffled = [labels[t] for t in places.tolist()]
    st.button("Shuffle again", icon=":material/shuffle:", on_click=_shuffle_again)
    st.markdown(f"{_join_labels(labels)}  \n:material/south: shuffled  \n{_join_labels(shuffled)}")
    without, with_positions = _measure_effects(model, ids_of(tokens), places)
    changes_without, changes_with = without.changes, with_positions.changes
    claims.tell(WITHOUT, float(changes_without.max()))
    claims.tell(WITH, float(changes_with.max()))
    figure = order_figure(shuffled, np.asarray(changes_without), np.asarray(changes_with), state.theme())
    frame = pd.DataFrame(
        {
            "token": shuffled,
            "was at": places.numpy(),
            "without positions": changes_without.numpy(),
            "with positions": changes_with.numpy(),
        }
    )
    if numbers:
        scientific = st.column_config.NumberColumn(format="%.3e")
        st.dataframe(frame, column_config={"without positions": scientific, "with positions": scientific})
    else:
        controls.chart(
            figure,
            "order",
            alt=f"How far each token's output moved: at most {number(float(changes_without.max()))} without positions, "
            f"up to {number(float(changes_with.max()))} with them.",
        )
    layout.caption(
        f"Without positions no output changes by more than {number(float(changes_without.max()), 2)} of its size, the "
        "rounding of float32: the words only change places. With them, outputs change by "
        f"{number(float(changes_with.min()), 2)} to {number(float(changes_with.max()), 2)}. The mean of all outputs is "
        f"a vector for the sentence. It keeps a cosine of {number(without.likeness, 4)} without positions and "
        f"{number(with_positions.likeness, 4)} with them."
    )
    figures.export("positions-order", figure, lambda: frame.to_dict("records"), ("positions order",))


def _join_labels(labels: list[str]) -> str:
    return " · ".join(markdown_text(label) for label in labels)


def _measure_effects(model: Model, ids: Tensor, places: Tensor) -> tuple[Effect, Effect]:
    """The effects without and with positions. The session keeps the last ones, so that other controls run nothing."""
    key = (model.card.name, tuple(ids.tolist()), tuple(places.tolist()))

    def make() -> tuple[Effect, Effect]:
        with model_turns.forward_pass():
            without = word_order.effect_of_order(model.network, ids, places, positions=False)
            return without, word_order.effect_of_order(model.network, ids, places)

    return keep_last("effects of order", key, make)
