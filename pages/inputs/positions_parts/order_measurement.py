"""Does order matter? An encoder that reads the words in two orders, with positions and without."""

from __future__ import annotations

from torch import Tensor

from model import Model
from model.experiments.word_order import Effect
from pages.shared.model_runs import model_turns, traces
from pages.shared.session import state
from pages.shared.session.last_made import keep_last
from views.inputs.placed_sentence import NEEDS
from views.inputs.position_variants import PositionVariants
from views.inputs.word_order import Shuffled, WordOrder, encoder_for, measure_effects, say_other, shuffle
from viz.documents.page_parts import Text
from viz.shared.style import markdown_text


def read() -> WordOrder:
    """The measured effects of the order that the reader has drawn."""
    variants = PositionVariants(tuple(card for card in traces.cards() if card.ready))
    chosen = traces.current(keep=NEEDS).model
    try:
        model = _choose_encoder(chosen)
    except traces.errors() as error:
        return WordOrder(Text(markdown_text(str(error)), "warning", ":material/download:"), variants)
    return WordOrder(_shuffle(model), variants, say_other(chosen, model))


def _choose_encoder(chosen: Model) -> Model:
    """The present model if it is an encoder with position vectors, else the first such model that is here."""
    name = encoder_for(chosen, [card.name for card in traces.cards() if card.ready])
    return chosen if name == chosen.card.name else traces.model(name)


def _shuffle(model: Model) -> Shuffled | Text:
    """The sentence in another order, and what that changes; or why it has none."""
    try:
        text = traces.fitting_sentence(model.card.name)
        return shuffle(model, text, state.get("positions_seed"), _measure_effects)
    except traces.errors() as error:
        return Text(markdown_text(str(error)), "error", ":material/error:")


def _measure_effects(model: Model, ids: Tensor, places: Tensor) -> tuple[Effect, Effect]:
    """The effects without and with positions. The session keeps the last ones, so that other controls run nothing."""
    key = (model.card.name, tuple(ids.tolist()), tuple(places.tolist()))

    def make() -> tuple[Effect, Effect]:
        with model_turns.forward_pass():
            return measure_effects(model, ids, places)

    return keep_last("effects of order", key, make)
