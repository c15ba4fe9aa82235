"""Names of places on the map: read, written, and those that a map lacks."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from viz.home.layout.facts import ModelFacts, TensorFacts
from viz.home.layout.places import MapPlace, find_place, head_id, keys_of, parse_place

WEIGHTS = "decoder.0.self_attn.weights"
PAIR = {"query": 2, "key": 0}
MODEL = ModelFacts(
    {"decoder": 1}, 2, 2, 4, {WEIGHTS: TensorFacts(WEIGHTS, ("heads", "queries", "keys"), (2, 3, 3))}, ["a", "b", "c"]
)
BOX = [0, 0, 1, 1]
LAYOUT: dict[str, Any] = {
    "groups": [{"id": "model", "box": BOX}],
    "templates": {"decoder layer": {"groups": [{"id": "{id}", "box": BOX}, {"id": "{id}/head 1", "box": BOX}]}},
    "placed": [{"template": "decoder layer", "id": "decoder.0", "box": BOX}],
}


@pytest.mark.parametrize(
    "text",
    ["model", "decoder.0", "decoder.0/head 1", f"{WEIGHTS}:1,2,0"],
)
def test_a_place_of_the_map_is_found_and_written_as_it_was(text: str) -> None:
    found = find_place(text, MODEL, LAYOUT)
    assert found is not None
    assert str(found) == text


@pytest.mark.parametrize(
    "text",
    [
        *("", ":", "@", "x", "decoder.1", "decoder.0/head 2", "DECODER.0", "{id}", "model:1", WEIGHTS),
        *(f"{WEIGHTS}:{index}" for index in ("", "1", "1,2", "2,0,0", "0,3,0", "-1,0,0", "1,2,0,0", "a,b,c", "1,2,٣")),
        "<script>alert(1)</script>",
    ],
)
def test_a_place_that_the_map_lacks_is_none(text: str) -> None:
    assert find_place(text, MODEL, LAYOUT) is None


@given(st.text(max_size=80))
def test_any_text_is_a_place_or_none(text: str) -> None:
    found = parse_place(text)
    assert found is None or parse_place(str(found)) is not None


@pytest.mark.parametrize(
    ("place", "keys"),
    [
        (MapPlace("model"), {}),
        (MapPlace("model", view=(12.5, -3.0, 100.25)), {}),
        (
            MapPlace(WEIGHTS, (1, 2, 0), (12.5, 3.0, 0.125)),
            {"layer": 0, "attention": "decoder.self_attn", "head": 1} | PAIR,
        ),
        (MapPlace("decoder.embed"), {}),
        (MapPlace("decoder.9"), {"layer": 9}),
        (MapPlace("decoder.9/feed-forward"), {"layer": 9}),
        (MapPlace(head_id("decoder", 9, "self_attn", 2)), {"layer": 9, "attention": "decoder.self_attn", "head": 2}),
        (MapPlace(head_id("decoder", 9, "cross_attn", 2)), {"layer": 9, "attention": "decoder.cross_attn", "head": 2}),
        (MapPlace(WEIGHTS, (1, 2, 0)), {"layer": 0, "attention": "decoder.self_attn", "head": 1} | PAIR),
        (
            MapPlace("decoder.0.self_attn.q", (1, 2, 0)),
            {"layer": 0, "attention": "decoder.self_attn", "head": 1, "query": 2},
        ),
        (MapPlace("decoder.3.self_attn.k", (1, 2, 0)), {"layer": 3, "attention": "decoder.self_attn"}),
        (MapPlace("decoder.3.self_attn.mask", (1, 2)), {"layer": 3, "attention": "decoder.self_attn"}),
        (MapPlace("decoder.3.ffn.hidden", (1, 2)), {"layer": 3}),
        (MapPlace("decoder.blocks.3.ffn.up.weight", (1, 2)), {"layer": 3}),
    ],
)
def test_a_place_chooses_the_layer_and_the_head_of_other_pages(place: MapPlace, keys: dict[str, Any]) -> None:
    assert keys_of(place) == keys
