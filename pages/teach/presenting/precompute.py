"""Make the next scene before the presenter goes there, so that the caches already hold its numbers.

Its view is made apart from the presenter's session (`pages.shared.session.view_apart`), in a thread that has the
presenter's turns. Each run of a model keeps to the limits of a run (`model_turns.forward_pass`).
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from contextlib import suppress
from threading import Lock, Timer
from urllib.parse import urlencode

from pages.shared.elements import page
from pages.shared.model_runs import page_turns, traces, turn_owner
from pages.shared.server.networks import network_here
from views.parts import Files
from viz.shared.style import Theme

DELAY_SECONDS = 0.8  # The page on screen, and those of a class, are drawn first.
MAX_SCENES = 3  # at once in the whole process
MAX_SCENES_OF_NETWORK = 2  # of its presenters

_log = logging.getLogger(__name__)
Take = Callable[[list[Files]], None]
_making: dict[str, str | None] = {}  # the view -> the network of its presenter; None for many
_lock = Lock()


def start(url: str, link: Mapping[str, str], theme: Theme, take: Take) -> None:
    """Make the view of a page soon, and return at once. The same view is not made twice at the same time.

    `take` gets the files of its pictures, if there are any, in the thread that has made it.
    """
    name, network = f"{url}?{urlencode(link)}", network_here()
    with _lock:
        of_network = sum(network is not None and network == each for each in _making.values())
        if name in _making or len(_making) >= MAX_SCENES or of_network >= MAX_SCENES_OF_NETWORK:
            return
        _making[name] = network
    owner = turn_owner.current()

    def work() -> None:
        try:
            with turn_owner.of_visitor(owner.network, owner.session), page_turns.take_turn():
                make(url, link, theme, take)
        finally:
            with _lock:
                del _making[name]

    thread = Timer(DELAY_SECONDS, work)
    thread.daemon = True
    thread.start()


def make(url: str, link: Mapping[str, str], theme: Theme, take: Take) -> None:
    """Make all that the screen will show of a view. What it cannot show, it says when the presenter goes there."""
    try:
        with suppress(*traces.errors(), traces.NothingToShow), page.opened(url, link) as shown:
            shown.make_ahead(theme)
            if files := shown.files():
                take(files)
    except Exception:
        _log.warning("The next scene could not be made ahead.", exc_info=True)
