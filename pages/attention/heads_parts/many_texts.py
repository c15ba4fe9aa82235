"""The part Many texts of Heads: what its views show, the reading that they are of, and its controls.

A view of it is a value for the key `heads_many`, and a line in `VIEWS`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from model.surveys.reading import Reading
from pages.attention.heads_parts import (
    beside_choice,
    controls,
    effect_work,
    head_choice,
    one_head,
    own_texts,
    points_choice,
    readings,
    rule_choice,
    text_choice,
)
from pages.attention.heads_parts.readings import Wish
from pages.shared.server.session_values import of_session
from pages.shared.session import state
from views.attention.many_texts.all_heads import AllHeadsOfTexts
from views.attention.many_texts.beside import BesideOnTexts
from views.attention.many_texts.names import MINE
from views.attention.many_texts.not_read import NotRead
from views.attention.many_texts.numbers import titles_of, usual_axes
from views.attention.many_texts.reading_view import ReadingView
from views.attention.many_texts.rule import RuleOnTexts
from views.attention.view_of_head import ViewOfHead
from views.head_of_run import HeadOfRun


def all_heads(head: HeadOfRun, reading: Reading) -> AllHeadsOfTexts:
    attention = f"{head.at.stack}.{head.at.part}"
    titles = titles_of(reading, attention)
    usual = usual_axes(titles)
    x, y, colour = (
        state.checked_choice(f"heads_{axis}", ("", *titles), "Number of a head", "") or usual[axis] for axis in usual
    )
    return AllHeadsOfTexts(head, reading, x, y, colour, state.get("heads_drawn"))


VIEWS: Mapping[str, Callable[[HeadOfRun, Reading], ReadingView]] = {
    "All heads": all_heads,
    "This head": one_head.this_head,
    "Rule": rule_choice.rule_on_texts,
    "Points": points_choice.points_on_texts,
    "What it writes": effect_work.effect_of_head,
    "Beside": beside_choice.beside_on_texts,
}

TITLES = {"Beside": "Another model"}  # of these views, where the word of links is that of the run bar, too

CONTROLS: dict[str, Callable[[Any], None]] = {  # by the places that these views keep
    "axes": controls.choose_axes,
    "about": one_head.choose_about,
    "measure": one_head.choose_measure,
    "rule": rule_choice.choose,
    "try rule": rule_choice.show_buttons,
    "points": points_choice.choose,
    "effect": effect_work.measure,
    "beside": beside_choice.choose,
}


def many_texts() -> ViewOfHead:
    """The view of the present keys; what there is to read, where nothing is read yet."""
    head = head_choice.read(ReadingView)
    reading = reading_of(head)
    if reading is None:
        return NotRead(head, text_choice.chosen(head.run.model), _fault_of(head))
    return VIEWS[state.get("heads_many")](head, reading)


def _fault_of(head: HeadOfRun) -> str:
    """Why the model can read none of the texts; "" where they are not read yet."""
    found = _found(head)
    return found.faults[0][1] if found is not None and found.faults else ""


def reading_of(head: HeadOfRun) -> Reading | None:
    """The reading of the chosen texts by the model of a head, as far as it is made; None where none of them is read."""
    found = _found(head)
    return found if found is not None and found.read.any() else None


def _found(head: HeadOfRun) -> Reading | None:
    wish = wish_of(head)
    return wish.found() if wish is not None else None


def wish_of(head: HeadOfRun) -> Wish | None:
    """The reading that the present keys ask for; None where there are no texts."""
    model = head.run.model
    collection = text_choice.chosen(model)
    if collection is None:
        return None
    return Wish(model, collection, keeps=text_choice.may_keep(model))


@dataclass
class ReadingPlace:
    """The place of the progress bar in this run of the page."""

    bar: DeltaGenerator | None = None


def choose(view: ViewOfHead) -> None:
    """The row above the view: what is shown, of which texts, and the button that reads them."""
    wish = wish_of(view.head)
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.segmented_control(
            "Shown of many texts", tuple(VIEWS), key="heads_many", required=True, label_visibility="collapsed",
            width="content", format_func=lambda name: TITLES.get(name, name),
        )  # fmt: skip
        text_choice.choose(view.head.run.model)
        if wish is not None:
            readings.show_buttons(wish, "Read the texts")
    if text_choice.chosen_name(view.head.run.model) == MINE:
        own_texts.complain()
    of_session(ReadingPlace).bar = st.empty()


def draw_and_read(view: ViewOfHead, draw: Callable[[], None]) -> None:
    """Draw the view, and then read on, where the reader wants it."""
    draw()
    bar, more = of_session(ReadingPlace).bar, None
    if isinstance(view, RuleOnTexts):
        more = rule_choice.trial_of(view)
    elif isinstance(view, BesideOnTexts):
        more = beside_choice.wish_of(view)
    for wish in (wish_of(view.head), more):
        if bar is not None and wish is not None and not wish.is_read() and wish.begun().wanted:
            readings.go_on(wish, bar)
