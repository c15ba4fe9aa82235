"""Many texts, Points: which vectors of the head are shown, and by what they are coloured."""

from __future__ import annotations

import streamlit as st

from model.surveys.points import SIDES, head_points
from model.surveys.reading import Reading
from pages.shared.model_runs import model_turns
from pages.shared.session import state
from pages.shared.session.last_made import keep_last
from views.attention.many_texts.points import COLOURS, PointsOfTexts
from views.head_of_run import HeadOfRun

RUNS = 80  # texts that run again, about


def points_on_texts(head: HeadOfRun, reading: Reading) -> PointsOfTexts:
    """The view of the points of the chosen head."""
    attention = f"{head.at.stack}.{head.at.part}"
    where = head.at.layer, head.head, attention

    def make() -> PointsOfTexts:
        with model_turns.forward_pass(runs=min(RUNS, int(reading.read.sum()))):
            found = head_points(head.run.model, reading, *where)
        return PointsOfTexts(head, reading, found, SIDES[0], COLOURS[0])

    points = keep_last("points of texts", (reading, where), make).points
    colours = COLOURS if reading.collection.kinds else COLOURS[1:]
    colour = state.checked_choice("heads_tint", colours, "Colour", colours[0])
    return PointsOfTexts(head, reading, points, state.get("heads_side"), colour)


def choose(view: PointsOfTexts) -> None:
    """Queries, keys or outputs, and the colour."""
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        st.segmented_control("Points", SIDES, key="heads_side", required=True, width="content")
        colours = COLOURS if view.reading.collection.kinds else COLOURS[1:]
        st.segmented_control("Coloured by", colours, key="heads_tint", required=True, width="content")
