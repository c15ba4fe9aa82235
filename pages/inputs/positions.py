"""Positions: how a model knows where a word stands. Eight parts, of which only the open one computes."""

from __future__ import annotations

from pages.inputs.positions_parts import controls, fields, order_measurement, placing, prompts, rotary_choice
from pages.shared.elements.page import Page, Part
from pages.shared.model_runs import traces
from pages.shared.session import state
from views.inputs.joined_positions import PAPER, JoinedPositions
from views.inputs.placed_sentence import NEEDS
from views.inputs.position_circles import PositionCircles, largest_shift
from views.inputs.position_heatmap import PositionHeatmap
from views.inputs.relative_biases import RelativeBiases
from views.inputs.requirements import Requirements
from views.inputs.worked_positions import WorkedPositions


def heatmap() -> PositionHeatmap | RelativeBiases:
    sentence, of_model = placing.sentence(), state.get("positions_source") == "model"
    rows = placing.read_rows(sentence.labels, placing.most_rows(sentence.model) if of_model else fields.MAX_POSITIONS)
    if of_model and sentence.is_relative:
        return RelativeBiases(sentence, rows)
    formula = fields.width().value, fields.base().value
    return PositionHeatmap(sentence, of_model, rows, *formula, state.get("positions_pairs"))


def worked_table() -> WorkedPositions:
    width, base = (field.value for field in fields.worked_fields())
    return WorkedPositions(tuple(state.get("positions_words").split()), width, base)


def circles() -> PositionCircles:
    sentence = placing.sentence()
    limit = largest_shift(sentence)
    phi = state.checked_number("positions_phi", -limit, limit, "Shift φ")
    formula, drawn = (fields.width().value, fields.base().value), state.get("positions_view")
    view = PositionCircles(sentence, drawn, *formula, phi)
    if drawn != "plane":
        return view
    pair = state.checked_number("positions_clock", 0, view.pairs - 1, "Pair")
    return PositionCircles(sentence, drawn, *formula, phi, pair)


def join() -> JoinedPositions:
    sentence, of_paper = placing.sentence_alone(), state.get("positions_of") == "paper"
    config = PAPER if of_paper else sentence.model.config
    return JoinedPositions(sentence, of_paper, fields.joined_field(config.d_model).value)


def requirements() -> Requirements:
    d, base, trained = (field.value for field in fields.checked_fields())
    table = placing.learned_table(traces.current(keep=NEEDS))
    view = Requirements(d, base, trained, table, "sinusoidal")
    chosen = state.checked_choice("positions_check", tuple(view.schemes), "Scheme", "sinusoidal")
    return Requirements(d, base, trained, table, chosen)


PARTS = {
    "heatmap": Part(
        "Heatmap",
        heatmap,
        {"positions": controls.choose_encoding, "waves": controls.choose_formula},
        prompts.HEATMAP,
    ),
    "table": Part("Worked table", worked_table, {"words": controls.write_words}, prompts.WORKED),
    "circles": Part(
        "Circles",
        circles,
        {
            "view": controls.choose_circles,
            "pair": controls.choose_plane,
            "formula": controls.choose_formula,
            "shift": controls.write_shift,
        },
        prompts.CIRCLES,
    ),
    "distance": Part("Distance", placing.distance, {"positions": controls.choose_scheme}, prompts.DISTANCE),
    "rotary": Part(
        "Rotary",
        rotary_choice.read,
        {"head": controls.choose_head_of_other_model, "pair": controls.choose_pair},
        prompts.rotary,
    ),
    "join": Part("Add or concatenate", join, {"joined": controls.choose_joined}, prompts.JOINED),
    "order": Part("Does order matter?", order_measurement.read, {"shuffle": controls.shuffle}, prompts.ORDER),
    "requirements": Part(
        "Requirements",
        requirements,
        {"requirements": controls.choose_checked, "scheme": controls.choose_checked_scheme},
        prompts.REQUIREMENTS,
    ),
}
PAGE = Page(
    "Positions", "A word's place is a set of clock hands, each turning at its own speed.", "positions_part", PARTS
)
