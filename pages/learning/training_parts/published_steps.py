"""A real model: which one, which of its published steps, and what has been measured of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np
import streamlit as st

from pages.adding import dialog, rights
from pages.learning.training_parts import layers, player, published_run
from pages.learning.training_parts.published_run import KEEP, KEY
from pages.shared.model_runs import model_choice, traces
from pages.shared.session import bar_notes, state
from views.learning.training import published
from views.learning.training.course import best_layer
from views.learning.training.published import NoReplay, PublishedTraining, Replayed
from views.parts import Controls
from viz.documents.page_parts import Text
from viz.shared.style import markdown_text

if TYPE_CHECKING:
    from model import Card
    from model.adding.revisions import Revision
    from model.experiments.training_replay import Replay

STEPS = "training steps chosen"  # the widget of the key `training_checkpoints`
EXAMPLE = "EleutherAI/pythia-14m"


def read() -> PublishedTraining:
    """The replay of the chosen model, or why there is none."""
    cards = published_run.models()
    if not cards:
        bar_notes.say_nothing_taken("It replays language models that were added from the hub.")
        said = (
            "This needs a language model of the hub whose authors published its training in steps, such as "
            f"{EXAMPLE} (154 steps). No such model has been added here. Its steps are then fetched one at a time, "
            "measured with your sentence, and removed."
        )
        return NoReplay(Text(said, "info", ":material/history:"), Controls("add"))
    card = _read_model(cards)
    listing = published_run.listing(card)
    if listing is None:
        said = (
            f"Did the authors of {markdown_text(card.hub)} publish its training in steps? The hub is asked for "
            "the names of the steps alone."
        )
        return NoReplay(Text(said, "info", ":material/history:"), Controls("look"))
    if listing.fault:
        return NoReplay(Text(markdown_text(listing.fault), "error", ":material/cloud_off:"), Controls("ask again"))
    if not listing.revisions:
        said = (
            f"{markdown_text(card.hub)} has no branches named step0, step1000 and so on, so its authors published no "
            f"checkpoints of its training there. {EXAMPLE} has 154."
        )
        return NoReplay(Text(said, "info", ":material/history:"), Controls("ask again"))
    try:
        replay = _read_replay(card, listing.revisions)
    except traces.errors() as error:
        return NoReplay(Text(markdown_text(str(error)), "error", ":material/error:"))
    published_run.start_if_asked(replay)
    return _read_measures(replay)


def _read_model(cards: list[Card]) -> Card:
    by_name = {card.name: card for card in cards}
    name = state.checked_choice("training_published", ("", *by_name), "Model", "") or cards[0].name
    if len(cards) > 1 and state.get("training_published") != name:
        state.put(training_published=name)
    return by_name[name]


def _read_replay(card: Card, revisions: tuple[Revision, ...]) -> Replay:
    """The replay of the reader's sentence over the chosen steps. Raises `model.GlassformerError`."""
    model_choice.say_other_models([card.name], "its published checkpoints are replayed")
    text = traces.fitting_sentence(card.name)
    return published_run.current(card.name, published_run.chosen(revisions), text)


def _read_measures(replay: Replay) -> Replayed:
    """What is measured so far, at the chosen step. While steps still come, nothing is fixed: neither the step nor the
    layer, since another head may become the best."""
    view, working = replay.view(), published_run.is_active(replay)
    if not view.measures:
        return published.read(replay, view.measures, 0, 0)
    last = len(view.measures) - 1
    if not working:
        if state.get(KEY) == -1:
            state.put(**{KEY: last})
        player.advance(KEY, last)
    place = state.get(KEY)
    is_fixed = place >= 0 and not is_to_come(replay, place)
    shown = state.checked_number(KEY, 0, last, "Checkpoint") if is_fixed else last
    scores = list(view.measures.values())[-1].induction  # (layers, heads)
    is_chosen = not working or 0 <= state.get(layers.KEY) < len(scores)
    layer = layers.read(scores) if is_chosen else best_layer(np.asarray(scores))
    return published.read(replay, view.measures, shown, layer)


def is_to_come(replay: Replay, place: int) -> bool:
    """Whether a step of a link is not measured yet. Until it is, the last one is shown."""
    view = replay.view()
    return place >= len(view.measures) and not view.over


def alone(view: PublishedTraining, draw: Callable[[], None]) -> None:
    """The view as a piece that is drawn again and again while its replay works or plays."""
    replay = published_run.on_screen() if isinstance(view, Replayed) else None
    if replay is None:
        draw()
    else:
        published_run.watch(replay, draw)


def choose_model(view: PublishedTraining) -> None:
    by_name = {card.name: card for card in published_run.models()}
    if len(by_name) > 1:
        st.selectbox("Model", tuple(by_name), key="training_published", format_func=lambda each: by_name[each].title)


def choose_steps(view: Replayed) -> None:
    """The steps that are fetched, and whether their files stay."""
    card = _read_model(published_run.models())
    listing = published_run.listing(card)
    assert listing is not None, "a replay has steps"
    revisions = listing.revisions
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.session_state[STEPS] = [each.step for each in published_run.chosen(revisions)]
        st.multiselect(
            f"Steps, of {len(revisions):,} that were published", [each.step for each in revisions], key=STEPS,
            format_func=lambda step: f"{step:,}", on_change=_take_steps, args=(revisions,), width="stretch",
        )  # fmt: skip
        st.toggle(
            "Keep the files", key=KEEP,
            help="Off: the weights of a step are removed once they are measured. On: they stay, so another sentence "
            "needs no download.",
        )  # fmt: skip
        _look_button("Look again")


def _take_steps(revisions: tuple[Revision, ...]) -> None:
    from model.adding.revisions import choose_revisions

    steps = tuple(sorted(st.session_state[STEPS]))
    usual = tuple(each.step for each in choose_revisions(revisions))
    state.put(training_checkpoints=() if steps == usual else steps, training_checkpoint=-1)


def _look_button(label: str) -> None:
    card = _read_model(published_run.models())
    st.button(label, icon=":material/search:", on_click=published_run.look, args=(card.hub,))


def add_model(view: NoReplay) -> None:
    if not rights.is_off():
        st.button("Add a model", icon=":material/add:", on_click=dialog.open_dialog)


def look(view: NoReplay) -> None:
    _look_button("Look for published steps")


def ask_again(view: NoReplay) -> None:
    _look_button("Ask the hub again")
