"""What is in sight at a place of the map, for a page without a server."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from views.map.tiles.many import pack_tiles
from viz.home.layout.places import MapPlace
from viz.home.layout.sight import find_tiles
from viz.home.model_map import Frozen
from viz.shared.tiles import FIRST, SECOND

if TYPE_CHECKING:
    from views.map.tiles.difference import AnyRun  # It loads torch.

FREEZE_SECONDS = 3.0  # of work on the tiles of a saved page; the coarsest come first


def freeze(run: AnyRun, layout: Mapping[str, Any], place: MapPlace | None, *, is_difference: bool = False) -> Frozen:
    """The tiles in sight at the place, and why a chosen number is what it is."""
    addresses = find_tiles(layout, place)
    if is_difference:  # their cells print the numbers of both runs too
        full = [address for address in addresses if address[2] == 0]
        addresses += [(prefix + address[0], *address[1:]) for prefix in (FIRST, SECOND) for address in full]
    body, _ = pack_tiles(run, addresses, max_seconds=FREEZE_SECONDS)
    why = run.why(place.target, place.index) if place and place.is_number else None
    return Frozen(["/".join(map(str, address)) for address in addresses], body, why)
