"""Where the map looks: the place of the URL, and what is in sight there for a page without a server."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from model.config import TransformerConfig
from pages.home.tiles.many import pack_tiles
from pages.home.tiles.store import RUNS
from pages.shared.session import state, substitutes
from viz.home.layout.facts import ModelFacts
from viz.home.layout.places import MapPlace, expand, find_place, keys_of, parse_place
from viz.home.layout.sight import find_tiles
from viz.home.model_map import Frozen
from viz.shared.style import markdown_text
from viz.shared.tiles import FIRST, SECOND
from viz.shared.tokens import shorten

FREEZE_SECONDS = 3.0  # of work on the tiles of a saved page; the coarsest come first


def read_place(key: str, model: ModelFacts, layout: Mapping[str, Any]) -> MapPlace | None:
    """The place that the key has; None for the whole model. One line names a place that the map lacks."""
    at = state.get(key)
    place = find_place(at, model, layout) if at else None
    if at and place is None:
        state.put(**{key: ""})
        asked = markdown_text(shorten(at, 60))
        state.say(key, f"The map of this run has no place “{asked}”. Shown: the whole model.")
    return place


def name_place(place: MapPlace, layout: Mapping[str, Any]) -> str:
    """A place in words, for the title of a file: “Layer 9 › Head 2”, or the name and the index of a number."""
    if place.is_number:
        return f"{place.target}[{', '.join(map(str, place.index))}]"
    groups = {group["id"]: group for group in expand(layout, "groups")}
    titles, group = [], groups[place.target]
    while group["parent"] is not None:
        titles.append(group["title"])
        group = groups[group["parent"]]
    return " › ".join(reversed(titles)) or group["title"]


def take_place(config: TransformerConfig) -> None:
    """A link to a place on Home's map chooses its layer, its head and its tokens for all pages.

    Those that the link names itself stay, and so does what the reader has chosen since.
    """
    place = parse_place(state.get("home_at"))
    keys = keys_of(place) if place is not None else {}
    if not keys or substitutes.choice_of("layer") >= 0:
        return
    stack, _, part = keys.get("attention", f"{config.stacks[-1]}.self_attn").partition(".")
    exists = stack in config.stacks and part in config.attentions(stack)
    if exists and keys["layer"] < config.n_layers(stack) and keys.get("head", 0) < config.n_heads:
        state.put(**keys)


def freeze(
    handle: str, layout: dict[str, Any], place: MapPlace | None, *, is_difference: bool = False
) -> Frozen | None:
    """What is in sight at the place, for a page that is saved or followed."""
    run = RUNS.find(handle)
    if run is None:
        return None
    addresses = find_tiles(layout, place)
    if is_difference:  # their cells print the numbers of both runs too
        full = [address for address in addresses if address[2] == 0]
        addresses += [(prefix + address[0], *address[1:]) for prefix in (FIRST, SECOND) for address in full]
    body, _ = pack_tiles(run, addresses, max_seconds=FREEZE_SECONDS)
    RUNS.measure(handle)
    why = run.why(place.target, place.index) if place and place.is_number else None
    return Frozen(["/".join(map(str, address)) for address in addresses], body, why)
