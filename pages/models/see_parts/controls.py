"""The controls of See. Each gets the view that they choose."""

from __future__ import annotations

from typing import Any

import streamlit as st

from model.vision.model import VisionModel
from pages.models.see_parts import own_pictures, source
from pages.shared.session import keys, state
from views.models.see.patches import PatchesOfPicture
from views.models.see.place import Place
from views.models.see.sight import NoPicture, Sight

SLIDER = "see framed patch"
SOURCES = {"example": "Example", "upload": "Upload", "paste": "Paste", "camera": "Camera", "draw": "Draw"}
CHANGES = {"shuffle": "Shuffle patches", "blank": "Blank some", "shift": "Shift"}


def choose_source(view: Sight | NoPicture) -> None:
    """The model, where the picture comes from, and one of the examples."""
    cards = source.vision_cards()
    st.selectbox(
        "Vision model",
        tuple(cards),
        key="see_model",
        format_func=lambda each: cards[each].title + ("" if cards[each].ready else f" ({cards[each].state})"),
        on_change=_forget_places,
        help="The model in the bar reads text; this page has models of its own.",
        label_visibility="collapsed",
        width=230,
    )
    model = _model_of(view)
    if model is None:
        return
    sources = tuple(each for each in SOURCES if model.reads_digits or each != "draw")
    st.segmented_control(
        "Picture", sources, key="see_source", format_func=SOURCES.__getitem__, required=True,
        label_visibility="collapsed", width="content",
    )  # fmt: skip
    if isinstance(view, Sight) and view.seen.name:
        choices, _ = source.examples(model)
        st.selectbox("Example", choices, key="see_example", label_visibility="collapsed", width=120)


def _forget_places() -> None:
    state.put(see_layer=-1, see_head=-1, see_patch=-1, see_example="")


def take_own(view: Sight | NoPicture) -> None:
    """What takes a picture of the reader's own, from the chosen source."""
    model = _model_of(view)
    if model is not None:
        own_pictures.take(model)


def _model_of(view: Sight | NoPicture) -> VisionModel | None:
    return view.seen.model if isinstance(view, Sight) else view.model


def choose_patch(view: PatchesOfPicture) -> None:
    """The framed patch. A widget of its own: the shared key is -1 where nobody has chosen a patch."""
    st.session_state[SLIDER] = view.framed
    name = view.seen.patch_name  # r1 c1, as in the pictures
    patches = range(view.seen.config.n_patches)
    st.select_slider("Framed patch", patches, key=SLIDER, format_func=name, on_change=_take_patch)


def _take_patch() -> None:
    state.put(see_patch=st.session_state[SLIDER])


def choose_change(view: Place) -> None:
    """The change of the picture."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.segmented_control("Change", tuple(CHANGES), key="see_change", format_func=CHANGES.__getitem__, required=True)
        if view.change.kind == "shift":
            reach = view.seen.config.patch_size
            st.slider("To the right, pixels", -reach, reach, key="see_right", width=200)
            st.slider("Down, pixels", -reach, reach, key="see_down", width=200)
            return
        if view.change.kind == "blank":
            st.slider("Share of the patches", 0.0, 1.0, step=0.05, key="see_share", width=240)
        st.number_input("Seed", 0, 9999, key="see_seed", width=140)


def write_sentences(view: Sight | NoPicture) -> None:
    """The sentences with which the picture is compared."""
    st.text_area(
        "Which sentence is the picture like? One a line.",
        key="see_sentences",
        height=100,
        max_chars=keys.MAX_CHARACTERS,
    )


ALL: dict[str, Any] = {"source": choose_source, "own": take_own, "sentences": write_sentences}
