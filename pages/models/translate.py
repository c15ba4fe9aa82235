"""Translate: an encoder reads a sentence once. A decoder writes its translation word by word and looks back at it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import streamlit as st

from model.generation.beam import beam_steps
from model.generation.steps import generate
from model.generation.teacher_forcing import run_teacher_forced
from model.generation.trust import confidence, count_unknown, overlooked_words, read_doubt, read_signs, try_without
from model.network.attention import MultiHeadAttention
from pages.models.translate_parts import beam, forcing, formula, mistakes, pair, steps, translators, trust, wiring
from pages.models.translate_parts.pair import Pair
from pages.shared.elements import layout
from pages.shared.elements.claims import Claim
from pages.shared.model_runs import traces
from pages.shared.session import state

VIEWS: dict[str, tuple[str, Callable[[Pair, str], None]]] = {
    "steps": (":material/play_circle: Step by step", steps.show),
    "wiring": (":material/cable: Wiring", wiring.show),
    "beam": (":material/account_tree: Beam search", beam.show),
    "forcing": (":material/school: Teacher forcing", forcing.show),
    "mistakes": (":material/rule: What it gets wrong", mistakes.show),
}
PROMPTS = (
    layout.Prompt(
        "The verb moves",
        "In Urdu the verb comes last: its lines cross those of every word after it.",
        {"text": "The black cat sleeps under the old table", "target": ""}
        | {"translate_view": "steps", "translate_step": -1, "translate_layer": -2, "translate_head": -1},
        claim=Claim(steps.CROSSINGS, "over", 2),
        at="translate player",
    ),
    layout.Prompt(
        "Eight hypotheses at once",
        "A wide beam keeps beginnings that greedy search drops.",
        {"translate_view": "beam", "translate_width": 8},
        claim=Claim(beam.LIVE, "over", 1),
        at="wide tree",
    ),
    layout.Prompt(
        "One wrong word",
        "The teacher says “a river” instead of “a robot”: see where the loss jumps.",
        {"model": "en-ur-everyday", "text": "I am a robot", "target": "", "translate_view": "forcing"}
        | {"translate_truth": "میں ایک دریا ہوں"},
        suits=lambda card: translators.languages(card) == translators.ENGLISH_TO_URDU,
        claim=Claim(forcing.COSTLIEST, "is", "دریا"),
        at="translate forced",
    ),
    layout.Prompt(
        "What it gets wrong",
        "It knows every word of this sentence, and not its pattern: see that it says so.",
        {"model": "en-ur", "text": "Today is hotter than yesterday", "target": "", "translate_view": "mistakes"},
        claim=Claim(trust.HOW_SURE, "under", trust.OUTSIDE),
        at="translate trust",
    ),
)


def main() -> None:
    depth = layout.begin("Translate", "Read a sentence once; then write its translation word by word, looking back.")
    translation = _pair()
    pair.say_unknown(translation.run)
    trust.say(translation)
    if translation.given and state.get("translate_view") == "steps":
        st.caption("You gave this translation in the bar: the decoder reads it. Empty the field to see its own.")
    st.segmented_control(
        "View",
        tuple(VIEWS),
        key="translate_view",
        format_func=lambda view: VIEWS[view][0],
        required=True,
        label_visibility="collapsed",
    )
    layout.name_part(VIEWS[state.get("translate_view")][0])
    if state.get("translate_view") == "steps":
        steps.read_view(translation)
    if depth == "Formula":
        formula.show(translation)
    elif depth == "Code":
        _code()
    else:
        VIEWS[state.get("translate_view")][1](translation, depth)
    translators.choose(translation.run.model.card)  # below the picture, which begins in the first screen's upper third
    layout.try_this(*PROMPTS)


def _pair() -> Pair:
    """The sentence and its translation, by the translator of the run bar. Raises `NothingToShow` if there is none."""
    run = traces.current(keep=("*.weights", "logits"))
    if run.model.config.kind != "encoder-decoder":
        st.info("No translator is installed: that takes an encoder-decoder model.")
        raise traces.NothingToShow
    return pair.of_run(run)


def _code() -> None:
    sources: dict[str, tuple[Any, ...]] = {
        "steps": (generate,),
        "wiring": (MultiHeadAttention,),
        "beam": (beam_steps,),
        "forcing": (run_teacher_forced,),
        "mistakes": (confidence, read_signs, read_doubt, count_unknown, overlooked_words, try_without),
    }
    layout.code(*sources[state.get("translate_view")])


main()
