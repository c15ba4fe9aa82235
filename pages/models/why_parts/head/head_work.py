"""Head in general: the head of the run bar, and its circuits."""

from __future__ import annotations

from model.analysis.head_steps import Attention
from pages.shared.elements import head_controls
from pages.shared.model_runs import head_on_screen, model_turns
from pages.shared.session import substitutes, token_window
from pages.shared.session.last_made import keep_last
from views.head_of_run import tokens_of
from views.models.why.general_head import Circuits, GeneralHead, find_circuits, strongest_head
from views.models.why.head_in_general import HeadInGeneral
from views.models.why.question import Question

PLACE = ("layer", "head")


def head_in_general(asked: Question) -> HeadInGeneral:
    """The view of the head of the run bar. Where that is open, it is the head that speaks most for the answer."""
    run = asked.run
    stack, part = head_on_screen.read_attention(asked.config)
    strongest = strongest_head(asked, stack, part)
    if strongest is not None and all(substitutes.choice_of(name) < 0 for name in PLACE):
        for name, value in zip(PLACE, strongest, strict=True):
            substitutes.show_instead(name, value, only_here=True)
    layer, head = head_on_screen.read_layer_and_head(run, stack, part)
    at = Attention(stack, layer, part)
    query = min(asked.position, len(tokens_of(run, stack)) - 1)
    general = GeneralHead(asked, at, head, query, _circuits(asked, at, head, query))
    shown = token_window.read_if_long(len(general.keys), at=int(general.scores.argmax()))
    return HeadInGeneral(asked, general, shown)


def choose_attention(view: HeadInGeneral) -> None:
    """The kind of attention, where the model has several."""
    head_controls.choose_attention(view.asked.config)


def choose_window(view: HeadInGeneral) -> None:
    """The tokens of a long text that the picture of what it looks for has."""
    general = view.general
    token_window.choose_if_long("why looked for", len(general.keys), at=int(general.scores.argmax()))


def _circuits(asked: Question, at: Attention, head: int, query: int) -> Circuits:
    """The session keeps the last ones."""

    def make() -> Circuits:
        with model_turns.forward_pass():
            return find_circuits(asked, at, head, query)

    return keep_last("circuits of a head", (asked.run.spec, at.path, head, query), make)
