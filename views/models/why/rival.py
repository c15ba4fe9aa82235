"""What Patching proposes where the reader leaves it open: another sentence, and the answer that it makes likeliest."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from model import Model, Trace
from model.analysis.answers import answers
from model.experiments.second_sentence import swap_name, swap_noun
from views.models.why.question import Question, keep
from views.run import Run, trace_text
from views.shared import long_text


def other_sentence(asked: Question) -> str:
    """A sentence with one word changed and as many tokens; "" where none of ours fits."""
    place = asked.position
    # In a decoder alone, it changes a token that the asked one sees, with few after it: so it takes less.
    near = range(max(0, place + 1 - long_text.MOST_TOKENS), place + 1) if asked.config.kind == "decoder" else None
    return swap_noun(asked.run.model, asked.run.text, near)


def find_rival(run: Run, position: int, trace: Callable[[Model, str, Iterable[str]], Trace] = trace_text) -> int | None:
    """The likeliest token after the sentence with another name, if it is not that of the run; else None.

    Where a name is swapped for a name, the lead of the one over the other tells more than a logit.
    """
    if run.config.kind != "decoder" or len(run.trace.tokens) > long_text.MOST_TOKENS:
        return None
    text = swap_name(run.model, run.text)
    if not text:
        return None
    other = trace(run.model, text, keep(run.config))
    own, theirs = (int(answers(run.model, each, position).argmax()) for each in (run.trace, other))
    return None if own == theirs else theirs
