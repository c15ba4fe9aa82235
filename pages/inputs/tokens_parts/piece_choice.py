"""Which piece of the sentence, which word and which step of its spelling the reader has chosen: the keys, checked."""

from __future__ import annotations

from model.errors import UnreadableText
from model.tokens.spelling import Spelling, spell_words
from pages.shared.model_runs import text_work, traces
from pages.shared.session import places, state
from views.inputs.cut_text import CutText
from views.run import Run
from views.usual_head import usual_token


def find_run() -> Run | None:
    """The run of the sentence; None, below a message, where the chosen model's tokenizer cannot cut it. Others may."""
    try:
        return traces.current(keep=())
    except traces.NothingToShow as nothing:
        if isinstance(nothing.__cause__, UnreadableText):
            return None
        raise


def cut(run: Run) -> CutText:
    """The sentence of a run in its pieces."""
    return CutText(run, text_work.in_turn(spell_words(run.model.tokenizer, run.text)))


def read_piece(text: CutText) -> int:
    """The piece that the run bar chooses, whose word is spelled. Where that is open, the first one of the word."""
    run, word_of = text.run, text.word_of
    place, stack = state.get("tokens_place"), run.model.config.stacks[0]
    if place >= 0 and (last := max((word for word in word_of if word is not None), default=-1)) >= 0:
        place = state.checked_number("tokens_place", 0, last, "Word")
    usual = word_of.index(place) if place in word_of else usual_token(run, stack)
    piece = places.read_query(len(word_of), usual, stack)
    if word_of[piece] not in (None, place):
        state.put(tokens_place=word_of[piece])
    return piece


def read_word(text: CutText) -> int:
    """The word that is spelled; 0 where the sentence has none."""
    last = len(text.spellings) - 1
    return state.checked_number("tokens_place", 0, last, "Word") if last >= 0 else 0


def read_step(spelling: Spelling) -> int:
    """The step of its spelling: the last one where another is not there."""
    last = len(spelling.steps) - 1
    if last and not 0 <= state.get("tokens_step") <= last:
        state.put(tokens_step=last)
    return state.get("tokens_step") if last else 0
