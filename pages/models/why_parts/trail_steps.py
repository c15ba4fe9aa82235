"""Trail: the steps that the reader has followed, as the link has them."""

from __future__ import annotations

from model.analysis.trail import NoSuchTrail
from pages.shared.session import state
from views.models.why.question import Question
from views.models.why.trail import Trail, find_trail


def trail(asked: Question) -> Trail:
    """The trail of a question. Where this run has none of those steps, it is the one that is followed to its end."""
    try:
        return find_trail(asked, state.get("why_trail"))
    except NoSuchTrail:
        state.put(why_trail="")
        state.say("why_trail", "This run has no such trail. The one that follows the strongest heads is shown.")
        return find_trail(asked)
