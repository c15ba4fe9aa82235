"""Translate: an encoder reads a sentence once. A decoder writes its translation word by word and looks back at it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from pages.models.translate_parts import choice, controls
from pages.models.translate_parts.decoder_work import DecoderInTurns
from pages.shared.elements.claims import Claim
from pages.shared.elements.page import Page, Part
from pages.shared.elements.prompts import Prompt
from pages.shared.model_runs import traces
from views.message import Message
from views.models.translate import beam, forcing, pair, steps, trust
from views.models.translate.beam import BeamSearch
from views.models.translate.forcing import TeacherForcing
from views.models.translate.languages import ENGLISH_TO_URDU, languages
from views.models.translate.mistakes import Mistakes, judged_for
from views.models.translate.pair import Pair
from views.models.translate.steps import Steps
from views.models.translate.translation import Choice, Translation
from views.models.translate.wiring import Wiring
from views.view import View
from viz.documents.page_parts import Text

PROMPTS = (
    Prompt(
        "The verb moves",
        "In Urdu the verb comes last: its lines cross those of every word after it.",
        {"text": "The black cat sleeps under the old table", "target": ""}
        | {"translate_view": "steps", "translate_step": -1, "translate_layer": -2, "translate_head": -1},
        claim=Claim(steps.CROSSINGS, "over", 2),
        at="translate player",
    ),
    Prompt(
        "Eight hypotheses at once",
        "A wide beam keeps beginnings that greedy search drops.",
        {"translate_view": "beam", "translate_width": 8},
        claim=Claim(beam.LIVE, "over", 1),
        at="wide tree",
    ),
    Prompt(
        "One wrong word",
        "The teacher says “a river” instead of “a robot”: see where the loss jumps.",
        {"model": "en-ur-everyday", "text": "I am a robot", "target": "", "translate_view": "forcing"}
        | {"translate_truth": "میں ایک دریا ہوں"},
        suits=lambda card: languages(card) == ENGLISH_TO_URDU,
        claim=Claim(forcing.COSTLIEST, "is", "دریا"),
        at="translate forced",
    ),
    Prompt(
        "What it gets wrong",
        "It knows every word of this sentence, and not its pattern: see that it says so.",
        {"model": "en-ur", "text": "Today is hotter than yesterday", "target": "", "translate_view": "mistakes"},
        claim=Claim(trust.HOW_SURE, "under", trust.OUTSIDE),
        at="translate trust",
    ),
)
NO_TRANSLATOR = "No translator is installed: that takes an encoder-decoder model."


def _read_pair() -> Pair | Message:
    """The sentence and its translation, by the translator of the run bar."""
    run = traces.current(keep=Translation.needs)
    return pair.of_run(run) if run.config.kind == "encoder-decoder" else Message(Text(NO_TRANSLATOR, "info"))


def _part(kind: type[Translation], read: Callable[[Pair], Choice] = choice.read) -> View:
    """A part of the pair. `read` makes the reader's choice of the keys."""
    found = _read_pair()
    if isinstance(found, Message):
        return found
    return kind(found, read(found), DecoderInTurns())


def _judged() -> View:
    """The mistakes of the translator, or of the one that is judged where nobody has judged it."""
    found = _part(Mistakes)
    return replace(found, judged=judged_for(found.pair.run.model.card)) if isinstance(found, Mistakes) else found


ALL = {"better": controls.offer_better, "translators": controls.choose_translator, "truth": controls.type_truth}
PARTS = {
    "steps": Part(":material/play_circle: Step by step", partial(_part, Steps, choice.read_of_steps), ALL),
    "wiring": Part(":material/cable: Wiring", partial(_part, Wiring), ALL),
    "beam": Part(
        ":material/account_tree: Beam search", partial(_part, BeamSearch), ALL | {"beam": controls.search_with}
    ),
    "forcing": Part(":material/school: Teacher forcing", partial(_part, TeacherForcing), ALL),
    "mistakes": Part(":material/rule: What it gets wrong", _judged, ALL),
}
PAGE = Page(
    "Translate",
    "Read a sentence once; then write its translation word by word, looking back.",
    "translate_view",
    PARTS,
    PROMPTS,
    chooses_inside=True,
)
