"""Places on the map by their names: "decoder.9/head 2" is a group, "decoder.9.self_attn.weights:2,7,0" a number."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from viz.home.layout.facts import ModelFacts

VIEW = r"-?\d{1,9}(\.\d{1,9})?"  # a side of the window
PLACE = re.compile(
    rf"(?P<target>[^@:]+)(:(?P<index>\d{{1,9}}(,\d{{1,9}})*))?(@(?P<view>{VIEW},{VIEW},{VIEW}))?", re.ASCII
)
VIEW_DECIMALS = 3  # as assets/components/home/model_map/names.js writes them
LAYER = re.compile(r"(?P<stack>encoder|decoder)\.(?P<layer>\d+)(?P<rest>.*)", re.ASCII)
HEAD = re.compile(r"/(?P<cross>cross )?head (?P<head>\d+)", re.ASCII)
ATTENTION = re.compile(r"\.(?P<part>self_attn|cross_attn)\.")
# Ends of the names of tensors with a number for each query and key.
PAIRS = ("scores", ".scores_unbiased", ".scores_uncapped", ".position_bias", ".masked", ".weights")
WHOLE = "model"


@dataclass(frozen=True)
class MapPlace:
    """A group of the layout, or with an `index` a number of a tensor or weight.

    `view` is what the window shows, in world units: x and y of its middle, and its width. () where the target fills it.
    """

    target: str
    index: tuple[int, ...] = ()
    view: tuple[float, ...] = ()

    @property
    def is_number(self) -> bool:
        return bool(self.index)

    def __str__(self) -> str:
        index = f":{','.join(map(str, self.index))}" if self.index else ""
        view = f"@{','.join(map(_decimal, self.view))}" if self.view else ""
        return self.target + index + view


def _decimal(side: float) -> str:
    return f"{side:.{VIEW_DECIMALS}f}".rstrip("0").rstrip(".")


def parse_place(text: str) -> MapPlace | None:
    """The place that a text names, which a map may lack; None for a text that names none."""
    found = PLACE.fullmatch(text)
    if found is None:
        return None
    index = tuple(map(int, found["index"].split(","))) if found["index"] else ()
    view = tuple(map(float, found["view"].split(","))) if found["view"] else ()
    return MapPlace(found["target"], index, view) if not view or view[2] >= 10**-VIEW_DECIMALS else None


def find_place(text: str, model: ModelFacts, layout: Mapping[str, Any]) -> MapPlace | None:
    """The place of that name on the map of a model; None for one that it lacks."""
    place = parse_place(text)
    if place is None:
        return None
    if not place.is_number:
        return place if place.target in group_ids(layout) else None
    facts = model.tensors.get(place.target)
    if facts is None or len(facts.shape) != len(place.index):
        return None
    return place if all(at < length for at, length in zip(place.index, facts.shape, strict=True)) else None


def group_ids(layout: Mapping[str, Any]) -> set[str]:
    """The ids of all groups, those of each layer too."""
    return {group["id"] for group in expand(layout, "groups")}


def expand(layout: Mapping[str, Any], kind: Literal["groups", "matrices"]) -> Iterator[dict[str, Any]]:
    """All groups or all matrices: those of the templates at each of their places, as the browser fills them in."""
    yield from layout[kind]
    for placed in layout["placed"]:
        x, y, _, _ = placed["box"]
        for entry in layout["templates"][placed["template"]][kind]:
            filled = {
                key: value.format_map(placed) if isinstance(value, str) else value for key, value in entry.items()
            }
            left, top, w, h = entry["box"]
            yield filled | {"box": [left + x, top + y, w, h]}


def head_id(stack: str, layer: int, part: str, head: int) -> str:
    """The group of a head of an attention, "self_attn"."""
    return f"{stack}.{layer}/{'cross ' if part == 'cross_attn' else ''}head {head}"


def keys_of(place: MapPlace) -> dict[str, Any]:
    """The layer, the head, the attention and the tokens of a place, where it has them, by the keys of the state."""
    found = LAYER.fullmatch(place.target.replace(".blocks.", "."))
    if found is None:
        return {}
    keys: dict[str, Any] = {"layer": int(found["layer"])}
    head, tensor = HEAD.fullmatch(found["rest"]), ATTENTION.match(found["rest"])
    if head is not None:
        part = "cross_attn" if head["cross"] else "self_attn"
        return keys | {"attention": f"{found['stack']}.{part}", "head": int(head["head"])}
    if tensor is None:
        return keys
    keys |= {"attention": f"{found['stack']}.{tensor['part']}"}
    has_head = len(place.index) == 3 and not found["rest"].endswith((".k", ".v", ".k_unrotated"))
    if not has_head:
        return keys
    keys |= {"head": place.index[0], "query": place.index[1]}
    return keys | ({"key": place.index[2]} if found["rest"].endswith(PAIRS) else {})


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
