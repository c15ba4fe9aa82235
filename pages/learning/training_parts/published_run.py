"""The published training that a session replays: its model, its steps, and the work of fetching and measuring them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import streamlit as st

from model.zoo.cards import added_cards
from pages.adding import rights
from pages.learning.training_parts import player
from pages.shared.elements import fragments
from pages.shared.model_runs import fitting_text, job_pool, model_turns, traces
from pages.shared.server import limits, rate_limits
from pages.shared.server.session_values import of_session
from pages.shared.session import state

if TYPE_CHECKING:
    from model import Card
    from model.adding.revisions import Revision
    from model.experiments.training_replay import Replay

KEEP = "training keep"  # the toggle: it is in no link, since a link must not fill anybody's disk
REDRAW_SECONDS = 2.0
KEY = "training_checkpoint"


@dataclass(frozen=True)
class Listing:
    """The published steps of a model, and why they could not be listed; "" if they could."""

    revisions: tuple[Revision, ...]
    fault: str = ""


@dataclass
class PublishedSession:
    """The published training of a session.

    `listed`: the published steps by repository. `wanted`: the repository that the reader wants to know about.
    `replay`: that on screen, behind what it replays. `is_asked`: the reader has pressed Start. `has_turned`: the whole
    page must run again. `refused`: why the work may not begin.
    """

    listed: dict[str, Listing] = field(default_factory=dict)
    wanted: str = ""
    replay: tuple[object, Replay] | None = None
    is_asked: bool = False
    has_turned: bool = False
    refused: str = ""


def models() -> list[Card]:
    """The added models that may have published steps: language models of the hub, that of the run bar first."""
    found = [card for card in added_cards() if card.hub and card.kind == "decoder" and card.ready]
    return sorted(found, key=lambda card: card.name != state.get("model"))


def listing(card: Card) -> Listing | None:
    """The published steps, as they were listed last; None if nobody has asked the hub for them here.

    The app asks no other server by itself: a reader does. Raises `LimitReached`.
    """
    from model.adding.revisions import held_revisions

    session = of_session(PublishedSession)
    listed = session.listed
    if session.wanted == card.hub:
        rate_limits.spend(limits.ADDITIONS)
        with st.spinner("Asking the hub for the published steps…"):
            listed[card.hub] = _list(card.hub)
        session.wanted = ""
    if card.hub not in listed and (held := held_revisions(card.hub)):
        listed[card.hub] = Listing(held)
    return listed.get(card.hub)


def look(repository: str) -> None:
    """Ask the hub in the next run of the page. For callbacks."""
    of_session(PublishedSession).wanted = repository


def _list(repository: str) -> Listing:
    from model.adding.revisions import list_revisions

    try:
        rights.check(repository)
        return Listing(list_revisions(repository))
    except traces.errors() as error:
        return Listing((), str(error))


def chosen(revisions: tuple[Revision, ...]) -> tuple[Revision, ...]:
    """The steps of the view. Those of a link that were never published are left out, and the page says so."""
    from model.adding.revisions import choose_revisions

    wanted = state.get("training_checkpoints")
    if not wanted:
        return choose_revisions(revisions)
    by_step = {each.step: each for each in revisions}
    unknown = sorted(set(wanted) - set(by_step))
    if unknown:
        state.put(training_checkpoints=tuple(step for step in sorted(set(wanted)) if step in by_step))
        listed = ", ".join(f"{step:,}" for step in unknown[:5])
        state.say("training_checkpoints", f"No checkpoint of step {listed} was published: it is left out.")
    return tuple(by_step[step] for step in sorted(set(wanted)) if step in by_step) or choose_revisions(revisions)


def current(name: str, revisions: tuple[Revision, ...], text: str) -> Replay:
    """The replay of a sentence over these steps, with what is known of it. Raises `model.GlassformerError`."""
    from model.experiments.training_replay import Replay

    wanted = (name, revisions, text, bool(st.session_state.get(KEEP)), model_turns.device(), state.get("begin"))
    held = of_session(PublishedSession).replay
    if held is not None and held[0] == wanted:
        return held[1]
    if held is not None:
        job_pool.pool().leave(held[1])
    model = traces.model(name, whole=True)
    fitting_text.tokens_within_limit(model, text)
    replay = Replay(model, revisions, text, keep=wanted[3], device=wanted[4])
    of_session(PublishedSession).replay = (wanted, replay)
    return replay


def on_screen() -> Replay | None:
    """The replay that this session shows."""
    held = of_session(PublishedSession).replay
    return held[1] if held is not None else None


def is_active(replay: Replay) -> bool:
    """Whether it works, or waits for its turn."""
    return job_pool.pool().count_ahead(replay) is not None


def start_if_asked(replay: Replay) -> None:
    """Begin the work that the reader has asked for. Raises `LimitReached`; the next run of the page tries again."""
    session = of_session(PublishedSession)
    if not session.is_asked:
        return
    session.refused = ""
    try:
        rights.check(replay.repository)
    except traces.errors() as error:
        session.is_asked, session.refused = False, str(error)
        return
    rate_limits.spend(limits.ADDITIONS)
    session.is_asked = False
    job_pool.pool().enter(replay)


def start(replay: Replay) -> None:
    """For the callback of a button. The newest step is shown, unless the view asks for one that is still to come."""
    if state.get(KEY) < len(replay.view().measures):
        state.put(**{KEY: -1})
    session = of_session(PublishedSession)
    session.is_asked = session.has_turned = True


def stop(replay: Replay) -> None:
    """For the callback of a button. What was measured stays, and so does what has come of a download."""
    session = of_session(PublishedSession)
    session.is_asked, session.has_turned = False, True
    job_pool.pool().leave(replay)


def kept_steps(repository: str) -> int:
    """How many steps of a model were kept on the disk."""
    from model.adding.borrowing import kept_revisions

    return len(kept_revisions(repository))


def remove_kept(repository: str) -> None:
    """For the callback of a button."""
    from model.adding.borrowing import remove_kept

    if rights.may_remove():
        remove_kept(repository)
    of_session(PublishedSession).has_turned = True


def watch(replay: Replay, draw: Callable[[], None]) -> None:
    """Draws the replay by `draw`, again and again while it works or plays."""
    working = is_active(replay)
    every = REDRAW_SECONDS if working else player.redraw_seconds(KEY)
    fragments.alone(_draw_part, every=every)(replay, working, draw)


def _draw_part(replay: Replay, working: bool, draw: Callable[[], None]) -> None:
    job_pool.pool().keep_alive(replay)
    session = of_session(PublishedSession)
    has_turned, session.has_turned = session.has_turned, False
    if has_turned or is_active(replay) != working:
        st.rerun()  # only the whole page can begin the work, and start and stop the clock of this part
    draw()
