"""Patching: the rival that the page's own second sentence makes likeliest.

Where the page swaps a name for a name, the lead of the one over the other tells more than a logit. So the rival is
chosen, until the reader chooses another or none, or leaves the part or the sentence.
"""

from __future__ import annotations

from dataclasses import dataclass

from pages.models.why_parts.position import read_position
from pages.shared.model_runs import traces
from pages.shared.server.session_values import of_session
from pages.shared.session import state
from views.models.why.rival import find_rival
from views.run import Run


@dataclass(frozen=True)
class Rival:
    """The token that the page has proposed for a run, or -1 where it has found none."""

    run: tuple[object, ...]
    token: int


@dataclass
class RivalSession:
    """The rival that stands in the controls because the page has proposed it."""

    proposed: Rival | None = None


def propose(run: Run) -> None:
    """Set the key `why_against` to the rival, or take back the one that was set for another part or sentence.

    Call it before the controls of the question are drawn.
    """
    is_open = state.get("why_part") == "patching" and not state.get("why_text2").strip()
    now = (run.spec, read_position(run)) if is_open else ()
    session = of_session(RivalSession)
    proposed = session.proposed
    if proposed is not None and proposed.run == now:
        return
    take_back()
    if is_open and state.get("why_answer") == state.get("why_against") == -1:
        found = find_rival(run, read_position(run), traces.trace)
        token = -1 if found is None else found
        session.proposed = Rival(now, token)
        state.put(why_against=token)


def take_back() -> None:
    """Take back the rival that was proposed, if it still stands there."""
    session = of_session(RivalSession)
    if session.proposed is not None and state.get("why_against") == session.proposed.token:
        state.put(why_against=-1)
    session.proposed = None
