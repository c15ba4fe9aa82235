"""Scores: attention in one head, step by step, and why each step is there."""

from __future__ import annotations

from pages.attention.scores_parts import controls, prompts, table_editor
from pages.shared.elements import head_controls
from pages.shared.elements.page import ABOVE, Page, Part
from pages.shared.session import state, token_window
from views.attention.scores.geometry import Geometry
from views.attention.scores.scale import Scale, nearest_width
from views.attention.scores.similarity import Similarity
from views.attention.scores.steps import HeadStep, open_step, steps_of
from views.attention.scores.table import WeightTable
from views.attention.scores.temperature import Temperature


def steps() -> HeadStep:
    head = head_controls.read(HeadStep)
    names = steps_of(head)
    name = state.checked_choice("scores_step", names, "Step", names[0])
    part = token_window.read_part(tuple(head.hidden.shape), (head.query, head.key))
    return open_step(head, name, state.get("scores_of"), part)


def similarity() -> Similarity:
    head = head_controls.read(Similarity)
    return Similarity(head, token_window.read_part(tuple(head.hidden.shape), (head.query, head.key)))


def scale() -> Scale:
    return Scale(nearest_width(state.get("scores_width")), state.get("scores_seed"))


def temperature() -> Temperature:
    head = head_controls.read(Temperature)
    shown = token_window.read_if_long(len(head.keys), key="columns", at=head.key)
    return Temperature(head, state.get("scores_temperature"), shown)


def table() -> WeightTable:
    head = head_controls.read(WeightTable)
    return WeightTable(head, table_editor.read_rows(), *table_editor.read_beside(head))


def geometry() -> Geometry:
    return Geometry(head_controls.read(Geometry))


ATTENTION = {ABOVE: head_controls.choose_attention_of}
PARTS = {
    "steps": Part(
        "Step by step",
        steps,
        ATTENTION | {"window": head_controls.choose_part_of("steps"), "step": controls.choose_step},
        prompts.STEPS,
    ),
    "similarity": Part(
        "From similarity",
        similarity,
        ATTENTION | {"window": head_controls.choose_part_of("stages")},
        prompts.SIMILARITY,
    ),
    "scale": Part("Why √d_k", scale, {"sample": controls.choose_sample}, prompts.SCALE),
    "temperature": Part(
        "Temperature",
        temperature,
        ATTENTION | {"temperature": controls.choose_temperature, "window": controls.choose_keys},
        prompts.of_temperature,
    ),
    "table": Part("A table to edit", table, ATTENTION | {"table": table_editor.edit}, prompts.TABLE),
    "geometry": Part("Geometry", geometry, ATTENTION, prompts.GEOMETRY),
}
PAGE = Page(
    "Scores",
    "A query meets every key; their products decide how much of each value is taken.",
    "scores_part",
    PARTS,
)
