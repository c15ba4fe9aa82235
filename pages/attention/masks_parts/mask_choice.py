"""The mask that a reader chooses or paints, and the layers that it is for."""

from __future__ import annotations

import streamlit as st
from torch import Tensor

from model.experiments.painted_masks import (
    MAX_SIDE,
    USUAL_WIDTH,
    BadMask,
    fit_mask,
    mask_from_text,
    near,
    presets,
)
from pages.attention.masks_parts.sentence import Sentence
from pages.shared.session import state
from pages.shared.session.keys import MAX_CHARACTERS
from views.head_of_run import HeadOfRun

TITLES = {
    "none": "None",
    "causal": "Causal",
    "window": "Window",
    "padding": "Padding",
    "causal and padding": "Both",
    "painted": ":material/brush: Paint",
}


def possible_kinds(screen: HeadOfRun) -> list[str]:
    """The masks that have a meaning here. A causal mask and a window compare places in one sentence."""
    return [kind for kind in TITLES if not (screen.at.is_cross and ("causal" in kind or kind == "window"))]


def is_causal(screen: HeadOfRun) -> bool:
    """Whether the model's own mask here hides what comes later."""
    return screen.at.stack == "decoder" and not screen.at.is_cross


def own_width(screen: HeadOfRun) -> int | None:
    """How many keys the model's own window here has; None where it has none."""
    return None if screen.at.is_cross else screen.config.window_of(screen.at.stack, screen.at.layer)


def own_kind(screen: HeadOfRun) -> str:
    """The mask that the model itself uses here. A window as wide as the sentence hides no more than a causal mask."""
    if (own_width(screen) or MAX_SIDE) < len(screen.keys):
        return "window"
    return "causal" if is_causal(screen) else "none"


def width_of(screen: HeadOfRun) -> int:
    """How many keys the reader's window has: as many as they chose, else as the model's own."""
    return int(state.get("masks_width")) or min(own_width(screen) or USUAL_WIDTH, MAX_SIDE)


def choose_kind(screen: HeadOfRun) -> str:
    """Draws the choice of the mask, of its layers, its width, and the other sentences of a batch. Returns the kind."""
    kinds = possible_kinds(screen)
    kind = state.checked_choice("masks_kind", kinds, "Mask", own_kind(screen))
    left, right, beside = st.columns([2, 1, 1])
    left.segmented_control("Mask", kinds, key="masks_kind", format_func=TITLES.__getitem__, required=True)
    right.segmented_control("In", ("every layer", "this layer"), key="masks_where", required=True)
    if kind == "window":
        with beside:
            _choose_width(screen)
    if "padding" in kind:
        st.text_area(
            "The other sentences of the batch, one a line", key="masks_batch", height=84, max_chars=MAX_CHARACTERS
        )
    return kind


def _choose_width(screen: HeadOfRun) -> None:
    """Draws the choice of the window's width. The widget has a key of its own: the key's 0 is no width."""
    st.session_state["masks keys"] = width_of(screen)
    side = "" if is_causal(screen) else ", on each side"
    st.number_input(
        f"Keys that a query sees{side}, its own included",
        1,
        MAX_SIDE,
        key="masks keys",
        on_change=_take_width,
    )


def _take_width() -> None:
    state.put(masks_width=st.session_state["masks keys"])


def in_every_layer() -> bool:
    """Whether the reader wants the mask in every layer."""
    return bool(state.get("masks_where") == "every layer")


def mask_of(screen: HeadOfRun, sentence: Sentence, kind: str) -> Tensor:
    """True where a query may look, (queries, keys), under a kind of mask that is not painted."""
    queries, keys = _sizes(screen, sentence)
    hides_later = "causal" in kind or (kind == "window" and is_causal(screen))
    visible = presets(queries, keys)["causal" if hides_later else "all visible"]
    if kind == "window":
        visible = visible & near(queries, keys, width_of(screen))
    return visible & sentence.is_real(screen, "keys") if "padding" in kind else visible


def own_mask(screen: HeadOfRun, sentence: Sentence) -> Tensor:
    """True where a query may look, (queries, keys), under the model's own mask. Of a batch, the padding is hidden."""
    queries, keys = _sizes(screen, sentence)
    visible = presets(queries, keys)["causal" if is_causal(screen) else "all visible"]
    width = own_width(screen)
    if width is not None:
        visible = visible & near(queries, keys, width)
    return visible & sentence.is_real(screen, "keys")


def _sizes(screen: HeadOfRun, sentence: Sentence) -> tuple[int, int]:
    """The numbers of queries and of keys."""
    return len(sentence.side(screen, "queries")), len(sentence.side(screen, "keys"))


def painted_mask(screen: HeadOfRun, sentence: Sentence) -> Tensor:
    """The mask that the reader painted, fitted to this sentence. Before they paint, the model's own."""
    own = own_mask(screen, sentence)
    text = state.get("masks_paint")
    if not text:
        return own
    try:
        painted = mask_from_text(text)
    except BadMask as error:
        state.put(masks_paint="")
        state.say("masks_paint", str(error))
        return own
    if painted.shape == own.shape:
        return painted
    rows, columns = painted.shape
    state.say(
        "masks_paint",
        f"The mask was painted for {rows} × {columns} tokens and this sentence has {len(own)} × {own.shape[1]}: "
        "the cells that both have are kept, the others follow the model's own mask.",
    )
    return fit_mask(painted, own)
