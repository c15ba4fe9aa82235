"""The sidebar: the choice of a model, and the sentence. Nothing else."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.components import mounts
from pages.shared import keys, state, traces
from viz.shared.style import markdown_text

if TYPE_CHECKING:
    from model import Card

ASSETS = Path(__file__).resolve().parents[2] / "assets"

EXAMPLES = (
    state.KEYS["text"].default,
    "The quick brown fox jumps over the lazy dog",
    "Transformers is a very cool machine-learning model, because it is very efficient",
    "I swam across the river to get to the other bank",
    "I walked across the road to get cash from the bank",
    "George drove to the bank",
    "The Transformer model is cool",
    "The weather is cool",
    "Hello I like you",
    "I am a robot",
    "AJ's dog is a cutie",
    "AJ looks like a dog",
    "What time is it?",
)
FIRST_SENTENCES = {"en-ur": "I am a robot"}  # by model, where one suits better than the general one
PAGES_OF_OTHER_MODELS = {  # kind of model that does not read the sidebar's sentence: its page, and the reason
    "vision": ("see", "reads pictures, not text"),
    "recurrent": ("before_attention", "is no transformer"),
}

# The hand that is not the theme's own, under the name of that one: the last rule of a name is taken.
NASTALIQ = """@font-face { font-family: Urdu; src: url(fonts/NotoNastaliqUrdu-Regular.woff2) format("woff2");
font-display: swap; unicode-range: U+600-6FF, U+200C-200D, U+FD3E-FD3F, U+FDF0-FDFD; }"""

STYLE = """
<style>
[data-testid="stSidebar"] textarea, [data-testid="stSidebar"] input { unicode-bidi: plaintext; }
[data-testid="stSidebarNavItems"] { max-height: none; }
[data-testid="stSidebarNavLink"] { padding-block: 0; margin-block: 0; line-height: 1.6rem; min-height: 0; }
[data-testid="stNavSectionHeader"] { padding-block: 0; margin-block: 0.5rem 0; font-size: 0.75rem; }
</style>
"""


def show() -> Callable[[], None]:
    """Draw the sidebar. Afterwards the keys `model` and `text` have values that the page can use.

    Returns the function that shows the number of tokens and the device. Call it after the page, which loads the model
    and shows the progress.
    """
    st.html(STYLE.replace("</style>", f"{NASTALIQ}</style>") if state.get("urdu") == "nastaliq" else STYLE)
    st.logo(ASSETS / "logo.svg", size="large")
    with st.sidebar:
        card, device = _choose_model()
        place = _enter_sentence(card)
        mounts.theme_watch(state.theme())

    def show_model_facts() -> None:
        place.caption(_describe_length(card), width="stretch")
        device.markdown(_describe_device(card))

    return show_model_facts


def _choose_model() -> tuple[Card, DeltaGenerator]:
    """The choice of the model, and a description of it. Returns its card, and the place for the name of its device."""
    cards = {card.name: card for card in traces.cards()}
    arrived = not state.get("model")
    _redirect_other_model()
    name = state.among("model", tuple(cards), "Model", traces.default_model())
    if arrived and "text" not in st.query_params:
        _suit_sentence()
    st.selectbox(
        "Model",
        tuple(cards),
        key="model",
        format_func=lambda each: cards[each].title + ("" if cards[each].ready else f" ({cards[each].state})"),
        on_change=_take_model,
    )
    card = cards[name]
    with st.expander(f"{card.kind} · {card.layers} layers × {card.heads} heads"):
        st.markdown(_description(card))
        device = st.empty()
    if card.fault:
        st.warning(markdown_text(card.fault), icon=":material/error:")
    elif not card.ready:
        st.warning(f"Not installed. To get it, run `{card.get}`", icon=":material/download:")
    if traces.device() == "cpu":
        st.warning(
            "The GPU's memory is full: this is computed on the CPU, which takes longer. Another model or sentence is "
            "tried on the GPU again.",
            icon=":material/memory:",
        )
    return card, device


def _redirect_other_model() -> None:
    """A link may name a model of another page. See opens its own models; any other page says where the model is."""
    from model import available

    card = next((each for each in available(*PAGES_OF_OTHER_MODELS) if each.name == state.get("model")), None)
    if card is None:
        return
    state.put(model=traces.default_model())
    page, why = PAGES_OF_OTHER_MODELS[card.kind]
    if st.session_state["_page"] != page:
        address = f"{page}?see_model={card.name}" if page == "see" else page
        link = f"[{state.pages()[page].title}]({address})"
        state.say("model", f"{markdown_text(card.title)} {why}: it is on the page {link}.")
    elif page == "see" and "see_model" not in st.query_params:
        state.put(see_model=card.name)


def _description(card: Card) -> str:
    rows = {
        "Parameters": f"{card.parameters:,}",
        "Positions": card.positions,
        "Reads": f"up to {card.max_length:,} tokens",
        "File": f"{card.size / 1e6:.1f} MB, {card.state}",
        "Licence": card.licence,
        "Source": card.source,
    }
    items = "\n".join(f"- **{name}**: {markdown_text(value)}" for name, value in rows.items())
    return f"{markdown_text(card.about)}\n\n{items}"


def _describe_device(card: Card) -> str:
    """The device that computes the model, or nothing if the model cannot be loaded."""
    if not card.ready:
        return ""
    try:
        place = traces.model(card.name).place
    except traces.errors():
        return ""
    return f"- **Computed on**: {markdown_text(', '.join(filter(None, (place.title, place.note))))}"


def _enter_sentence(card: Card) -> DeltaGenerator:
    st.text_area("Your sentence", key="text", height=96, max_chars=keys.MAX_CHARACTERS)
    if card.kind == "encoder-decoder":
        st.text_area(
            "Its translation",
            key="target",
            height=68,
            max_chars=keys.MAX_CHARACTERS,
            placeholder="empty: the model's own",
        )
        st.segmented_control("Urdu letters", ("naskh", "nastaliq"), key="urdu", format_func=str.title, required=True)
    with st.container(horizontal=True, vertical_alignment="center"):
        place = st.empty()
        st.menu_button("Examples", EXAMPLES, key="examples", on_click=_take_example, type="tertiary")
    return place


def _describe_length(card: Card) -> str:
    """The length of the sentence and the limit. Errors of the sentence are shown above the page, not here."""
    if not card.ready:
        return ""
    try:
        model = traces.model(card.name)
    except traces.errors():
        return ""
    limit = traces.token_limit(model)
    try:
        count = len(model.tokens_of(state.get("text")))
    except traces.errors():
        return f"at most {limit} tokens"
    return f"{count} of {limit} tokens" if count <= limit else f":red[{count} of {limit} tokens]"


def _take_example() -> None:
    state.put(text=st.session_state["examples"], target="")


def _take_model() -> None:
    state.forget_places()
    _suit_sentence()


def _suit_sentence() -> None:
    """Replace a sentence that the reader has not chosen by the one that suits the model."""
    first_sentences = {state.KEYS["text"].default, *FIRST_SENTENCES.values()}
    if state.get("text") in first_sentences:
        state.put(text=FIRST_SENTENCES.get(state.get("model"), state.KEYS["text"].default), target="")
