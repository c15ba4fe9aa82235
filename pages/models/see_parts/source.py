"""The choice of a vision model and a picture: the keys of the page, checked, and the runs over pictures."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import replace
from typing import Any, TypeVar

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from model import Card, Edit, Trace, available
from model.errors import PictureError
from model.shared_cache import SharedCache
from model.vision.files import PictureFile
from model.vision.model import VisionModel, load_vision
from pages.models.see_parts import own_pictures
from pages.models.see_parts.picture_runs import LastValue, RecentHolders
from pages.shared.model_runs import model_turns, not_finite, traces
from pages.shared.session import state
from views.models.see import picture
from views.models.see.examples import names_for
from views.models.see.picture import KEEP, MODELS, SeenPicture
from views.models.see.sight import NoPicture

MAX_TRACE_BYTES = 90_000_000  # of all examples
MAX_HOLDERS = 3  # sessions that keep runs over their own picture: 30 MB each with the largest model
Value = TypeVar("Value")


def run_of(seen: SeenPicture) -> Trace:
    """The run over a picture. All sessions share the run of an example. A reader's own stays in the session."""

    def make() -> Trace:
        return run_edited(seen.model, seen.square)

    if not seen.name:
        found = remember("run", seen.key, make)
    else:
        name, _, labels = seen.key
        found = _traces().get((name, labels, str(seen.model.place), seen.name), make)
    return not_finite.tell(found, state.message_slot() or st.container())


def run_edited(
    model: VisionModel, square: NDArray[np.uint8], edits: tuple[Edit, ...] = (), keep: tuple[str, ...] = KEEP
) -> Trace:
    """A run over a picture of the model's size, in its turn. `keep` names the recorded tensors."""
    with model_turns.forward_pass():
        return not_finite.look_at(picture.run_edited(model, square, edits, keep))


def remember(kind: str, key: Hashable, make: Callable[[], Value]) -> Value:
    """The value of `key`. `make` runs only if the session's last value of this `kind` has another key."""
    return _holders(kind).get(st.session_state.setdefault(f"_see_held_{kind}", LastValue()), key, make)


@st.cache_resource(show_spinner=False, max_entries=4)
def _holders(kind: str) -> RecentHolders[Any]:
    return RecentHolders(MAX_HOLDERS)


def vision(name: str) -> VisionModel:
    """The loaded model, shared by all sessions. Raises `GlassformerError`."""
    with model_turns.else_on_cpu():
        return _vision(name, model_turns.device())


@st.cache_resource(show_spinner="Opening the model", max_entries=len(MODELS))
def _vision(name: str, device: str) -> VisionModel:
    return load_vision(name, device=device)


def comparing(model: VisionModel, sentences: str) -> VisionModel:
    """The model that compares pictures with these sentences, shared by all sessions; any other one as it is.

    Raises `GlassformerError`.
    """
    return model if model.texts is None else _comparing(model.card.name, str(model.place), sentences, model)


@st.cache_resource(show_spinner="Reading the sentences", max_entries=len(MODELS))
def _comparing(name: str, place: str, sentences: str, _model: VisionModel) -> VisionModel:
    with model_turns.forward_pass():
        return picture.compare_with(_model, sentences)


@st.cache_resource(show_spinner=False, max_entries=1)
def _traces() -> SharedCache[Trace]:
    return SharedCache(MAX_TRACE_BYTES, lambda run: run.nbytes)


def read() -> SeenPicture | NoPicture:
    """The chosen model and picture. After a message, what there is of them."""
    cards = vision_cards()
    if not state.get("see_model"):
        state.put(see_model=next((name for name in MODELS if name in cards and cards[name].ready), MODELS[0]))
    state.checked_choice("see_model", tuple(cards), "Vision model", MODELS[1])
    model = None
    try:
        model = vision(state.get("see_model"))
        model = comparing(model, state.get("see_sentences"))
    except traces.errors() as error:
        traces.complain(error)
        return NoPicture(model)
    if state.get("see_source") == "draw" and not model.reads_digits:
        state.put(see_source="example")
    own = own_pictures.chosen()
    if own is None:
        choices, default = examples(model)
        return example(model, state.checked_choice("see_example", choices, "Picture", default))
    try:
        return own_picture(model, own)
    except PictureError as error:  # the model's own files make no square of it
        traces.complain(error)
        return NoPicture(model)


def vision_cards() -> dict[str, Card]:
    """The cards of the vision models, by their names."""
    return {card.name: card for card in available("vision")}


def examples(model: VisionModel) -> tuple[tuple[str, ...], str]:
    """The names of a model's examples, and the first one to show."""
    return names_for(model.reads_digits)


def example(model: VisionModel, name: str) -> SeenPicture:
    """One of the examples, by its name, whose run all sessions share."""
    return replace(picture.see_example(model, name), make_run=run_of)


def own_picture(model: VisionModel, own: PictureFile) -> SeenPicture:
    """A reader's own picture as the model reads it, whose run stays in the session. Raises `PictureError`."""
    fit = "" if model.reads_digits else own_pictures.read_fit(model)
    return replace(picture.see_own(model, own, fit), make_run=run_of)
