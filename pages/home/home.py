"""Home: the live map of the present run, the model's prediction, a path through it, and a list of all pages."""

from __future__ import annotations

from functools import partial

import streamlit as st

from model.config import TransformerConfig
from pages.catalogue import BY_URL, PAGES, map_pages
from pages.home.home_parts.look import read_look
from pages.home.model_map import comparison, picture
from pages.home.model_map.places import take_place
from pages.shared.elements import head_controls
from pages.shared.elements.claims import Claim
from pages.shared.elements.page import Page, Part
from pages.shared.elements.prompts import Prompt
from pages.shared.model_runs import traces
from pages.shared.session import places, state
from views.map import run_answers
from views.map.guided_path import GuidedPath
from views.map.look import layers_shown
from views.map.run_map import CHOSEN, LAYER, NEXT, RunMap
from views.map.turns_of_head import turns_of
from views.usual_head import usual_layer, usual_token

LINKS_IN_A_ROW = 4
PROMPTS = (
    Prompt(
        "End on a capital city",
        "Every number on the map is worked out anew from this sentence: now it expects “Paris”.",
        {"text": "The capital of France is"},
        claim=Claim(NEXT, "is", "Paris"),
        at="home map",
    ),
    Prompt(
        "A word with two senses",
        "“bank” has one embedding; the layers must tell the river's from the money's.",
        {"text": "I swam across the river to get to the other bank"},
        claim=Claim(CHOSEN, "is", "bank"),
        at="home map",
    ),
    Prompt(
        "Look at the first layer",
        "Its heads often look at neighbours, or spread out.",
        {"layer": 0, "head": -1},
        claim=Claim(LAYER, "is", 0),
        at="home map",
    ),
)


def home() -> RunMap:
    run = traces.current(keep=_tensors)
    layers = _layers(run.config)
    look = read_look(run, layers)
    usual = usual_token(run, run.config.stacks[0])
    titles = {url: entry.title for url, entry in BY_URL.items()}
    path = GuidedPath(run, look, usual, map_pages(run.config.kind)["outcome"].url, titles)
    return RunMap(
        run,
        look,
        tuple(layers.items()),
        picture.map_of(run, look),
        path,
        turns_of(look, state.get("asked"), state.get("summed")),
        picture.draw_whole(run),
        partial(picture.open_part, run.config.kind),
        state.KEYS["home_at"].max_characters,
        picture.difference_of,
    )


def _tensors(config: TransformerConfig) -> tuple[str, ...]:
    """The tensors that the page needs. The place of a link may choose the layer, so it is taken first."""
    take_place(config)
    return run_answers.tensor_patterns(config, _layers(config))


def _layers(config: TransformerConfig) -> dict[str, int]:
    """The layer that each stack shows: the chosen one, or the usual one."""
    deepest = max(config.n_layers(stack) for stack in config.stacks)
    return layers_shown(config, places.read_layer(deepest, usual_layer(config)))


def choose_second_run(view: RunMap) -> None:
    """The run that the map is compared with."""
    comparison.show_controls(view.run)


def list_pages(view: RunMap) -> None:
    """Every other page, with its question where the pointer rests. The pages for newcomers come first."""
    st.subheader("What you can ask here", anchor=False, divider="gray")
    listed = (entry for entry in PAGES if entry.url != "home" and not entry.is_hidden)
    others = sorted(listed, key=lambda entry: not entry.for_newcomers)
    for first in range(0, len(others), LINKS_IN_A_ROW):  # row by row, so that a narrow screen keeps the order
        for column, entry in zip(st.columns(LINKS_IN_A_ROW), others[first : first + LINKS_IN_A_ROW], strict=False):
            with column:
                link = state.pages()[entry.url]
                st.page_link(link, label=entry.title, icon=":material/arrow_forward:", help=entry.question)


CONTROLS = {"second run": choose_second_run, "turns": head_controls.choose_turns, "pages": list_pages}
PARTS = {"map": Part("", home, CONTROLS, goes_beside=True)}
PAGE = Page("See a transformer think", "Every picture is your sentence, run through a real model.", "", PARTS, PROMPTS)
