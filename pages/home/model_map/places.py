"""Where the map looks: the place of the URL, and what is in sight there for a page without a server."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from model.config import TransformerConfig
from pages.home.tiles.store import RUNS
from pages.shared.session import state, substitutes
from views.map.tiles import sight
from viz.home.layout.facts import ModelFacts
from viz.home.layout.places import MapPlace, find_place, keys_of, parse_place
from viz.home.model_map import Frozen
from viz.shared.style import markdown_text
from viz.shared.tokens import shorten


def read_place(key: str, model: ModelFacts, layout: Mapping[str, Any]) -> MapPlace | None:
    """The place that the key has; None for the whole model. One line names a place that the map lacks."""
    at = state.get(key)
    place = find_place(at, model, layout) if at else None
    if at and place is None:
        state.put(**{key: ""})
        asked = markdown_text(shorten(at, 60))
        state.say(key, f"The map of this run has no place “{asked}”. Shown: the whole model.")
    return place


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
    found = sight.freeze(run, layout, place, is_difference=is_difference)
    RUNS.measure(handle)
    return found
