"""Break a part: switch parts of a bundled model off and measure what is lost."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import TypeVar

from model import Model
from model.experiments.surgery import parts_of
from pages.learning.bench_parts import measure_work, removal_choice
from pages.shared.elements.claims import Claim
from pages.shared.elements.page import Page, Part
from pages.shared.elements.prompts import Prompt
from pages.shared.model_runs import model_turns, traces
from pages.shared.session.last_made import keep_last
from views.learning.bench.both_models import BothModels, Removal
from views.learning.bench.broken_parts import BrokenParts
from views.learning.bench.entropies import CHANGE
from views.shared import ablation_choice
from viz.documents.page_parts import Text
from viz.shared.style import markdown_text

Value = TypeVar("Value")

LOST_ORDER = "Attention no longer knows the order of the words: it spreads otherwise."
LOST = {  # what is seen without a part, by its name
    "residuals": "What a token was is lost on the way: attention finds nothing of it any more.",
    "positions": LOST_ORDER,
    "rotary positions": LOST_ORDER,
}


def prompts(view: BrokenParts) -> tuple[Prompt, ...]:
    """The parts to take away first are those that the model has."""
    names = [part.name for part in parts_of(view.model.config) if part.name in LOST]
    without = (
        Prompt(
            f"Without {name}",
            LOST[name],
            {"bench_parts": name, "bench_heads": "none"},
            claim=Claim(CHANGE, "over", 0.05),
        )
        for name in names
    )
    one_head = Prompt(
        "Only one head",
        "The attention of the higher layers finds other tokens, since one head of each layer moved so little.",
        {"bench_parts": ablation_choice.NO_PARTS, "bench_heads": "all but one", "bench_place": ""},
        claim=Claim(CHANGE, "over", 0.05),
    )
    return (*without, one_head)


def bench() -> BrokenParts:
    model = traces.current_model()
    removal = removal_choice.read(model)
    both, why_not = _read_both(model, removal)
    return BrokenParts(model, removal, both, measure_work.measured(model, removal), why_not)


def _read_both(model: Model, removal: Removal) -> tuple[BothModels | None, Text | None]:
    """Both models over the reader's sentence, or why they cannot read it."""
    try:
        return BothModels(model, removal, traces.fitting_sentence(model.card.name), _keep_in_turn), None
    except traces.errors() as error:
        return None, Text(markdown_text(str(error)), "error", ":material/error:")


def _keep_in_turn(what: str, key: Hashable, make: Callable[[], Value]) -> Value:
    """To write takes seconds of a large model, so the session keeps what was made last."""

    def make_in_turn() -> Value:
        with model_turns.forward_pass():
            return make()

    return keep_last(f"{what} without parts", key, make_in_turn)


PART = Part("", bench, {"removal": removal_choice.choose, "measure": measure_work.measure}, prompts)
PAGE = Page("Break a part", "To see what a part is for, take it away and measure what is lost.", "", {"": PART})
