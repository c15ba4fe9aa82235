"""What a class gets of the view on its presenter's screen. app.py calls it, by `pages.follow.guest`.

A view is a value, so the run of the page only hands it over. Another thread writes it (`pages.follow.publishing`).
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from pages.follow import files
from pages.follow.publishing import PUBLISHER, PresentedView
from pages.shared.elements import shown
from pages.shared.server.session_values import of_session
from pages.shared.session import state
from pages.shared.sharing import share
from pages.teach.lectures import plain_scenes
from pages.teach.presenting.my_room import RoomSession
from viz.documents.live_view import write_view
from viz.shared.style import Theme

if TYPE_CHECKING:
    from collections.abc import Mapping

    from views.shown_page import ShownPage
    from viz.shared.fonts import Hand

CONTROLS_NOTE = "The controls of this view are in the app: “Explore on my own” opens it there."


def publish() -> None:
    """Show the class what this run shows. Call it after the run, when the state is that of the view.

    A tool shows no view: the class stays on the one before.
    """
    token, seen = of_session(RoomSession).token, shown.page()
    if token is None or seen is None:
        return
    page = state.page()
    facts = {} if page == plain_scenes.PAGE else share.collect_facts()
    told = {name: facts[name] for name in share.FACTS_OF_VIEW if name in facts}
    write = partial(_write, seen, page, state.pages()[page].title, told, state.theme(), state.get("urdu"))
    PUBLISHER.publish(PresentedView(token, write))


def _write(seen: ShownPage, page: str, title: str, facts: Mapping[str, str], theme: Theme, hand: Hand) -> bytes:
    notes = [CONTROLS_NOTE] if seen.has_controls else []
    return write_view(page, title, seen.parts_with_places(theme), facts, notes, theme, hand, files.name_of)
