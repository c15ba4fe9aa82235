"""The map of a picture's run: its tiles, which other readers share, and the place from the URL."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Hashable
from dataclasses import replace
from functools import partial

from pages.components.map_mounts import as_opened
from pages.home.model_map.places import freeze, read_place
from pages.home.tiles.routes import PATH
from pages.home.tiles.store import RUNS
from pages.shared.model_runs import model_turns
from pages.shared.server import session_values
from pages.shared.server.own_address import base_path
from views.map.map_on_screen import MapOnScreen, title_of
from views.map.tiles.run import TiledRun
from views.models.see.every_number import KEY, facts_of, unplaced_map
from views.models.see.picture import SeenPicture
from viz.home.layout.layout import make_layout


def map_of(seen: SeenPicture) -> MapOnScreen | None:
    """The map at the place of the URL. None for a reader's own picture: its numbers would leave the session."""
    if not seen.name:
        return None
    model = facts_of(seen)
    layout = make_layout(model)
    place = read_place("see_at", model, layout)
    key, make = _key_of(seen), _maker_of(seen)
    handle = RUNS.handle(key, make)
    unplaced = unplaced_map(seen, layout)
    at = "" if place is None else str(place)
    now = replace(unplaced, root=f"{base_path()}{PATH}", handle=handle, at=at)
    opened = now if session_values.is_apart() else as_opened(now, KEY)
    return MapOnScreen(
        opened,
        now,
        place,
        title_of(now, seen.name, place),
        partial(_find, key, make),
        partial(freeze, handle, layout, place),
    )


def _find(key: Hashable, make: Callable[[], TiledRun]) -> TiledRun:
    """The tiles, made again where they are gone. It runs outside the page's script."""
    found = RUNS.find(RUNS.handle(key, make))
    return found if isinstance(found, TiledRun) else make()


def _key_of(seen: SeenPicture) -> Hashable:
    return "picture", seen.model.card.name, str(seen.model.place), hashlib.sha256(seen.square.tobytes()).hexdigest()


def _maker_of(seen: SeenPicture) -> Callable[[], TiledRun]:
    # The turns are asked for here, since tiles are made in threads without a session.
    take_turn = partial(model_turns.take_turn, model_turns.turns())

    def make() -> TiledRun:
        with model_turns.else_on_cpu(), take_turn():
            pixels = seen.model.preparation.normalise(seen.square)
            return TiledRun(seen.model.trace_image_on_demand(pixels), take_turn)

    return make
