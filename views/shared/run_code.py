"""Python code of a run, for readers: it opens the model as the run had it."""

from __future__ import annotations

from model.chat.turns import Conversation
from views.run import Run
from views.shared import begin_words, edit_words


def as_run(run: Run, source: str) -> str:
    """Python code that opens the model of a run by its name, with the edits and the begin token of the run."""
    if isinstance(run.text, Conversation):
        source = source.replace("from glassformer import", "from glassformer import Conversation,", 1)
    edited = edit_words.in_code(source, f"load({run.name!r})", run.edits)
    return begin_words.in_code(edited, begin_words.name_of(run.model))
