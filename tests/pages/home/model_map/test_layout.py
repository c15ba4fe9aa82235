"""The layout of the map: every tensor and weight of every model is on it, whole, and nothing lies upon another."""

from __future__ import annotations

import json
import zlib
from collections import defaultdict
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from model.config import TransformerConfig
from model.graph.network_graph import make_graph
from tests.model.devices import LARGE
from tests.model.graph.runs import BUNDLED, SMALL, network_of, run, text_configs
from tests.model.networks import config as config_of
from views.map.map_facts import model_facts
from viz.home.layout.facts import ModelFacts
from viz.home.layout.layout import SCREEN_PX, make_layout
from viz.home.layout.places import expand
from viz.shared.payload import pack

ALL = [*SMALL, *BUNDLED, *(pytest.param(name, marks=pytest.mark.slow) for name in LARGE)]
MAX_PACKED_BYTES = 60_000
CLOSE = 0.01  # world units: boxes are rounded to a thousandth
Entry = dict[str, Any]


def lay_out(config: TransformerConfig, tokens: int = 11, sources: int = 7) -> tuple[ModelFacts, Entry]:
    has_sources = config.kind == "encoder-decoder"
    length = config.max_length if config.image_size else tokens
    model = model_facts(config, ["·it"] * length, ["·it"] * sources if has_sources else ())
    return model, json.loads(json.dumps(make_layout(model)))


def check_cover(model: ModelFacts, layout: Entry) -> None:
    """Every cell of every matrix of every tensor and weight is in some box that is drawn when it is near."""
    seen = {name: np.zeros((facts.shape or (1,)), bool) for name, facts in model.tensors.items()}
    for entry in expand(layout, "matrices"):
        if "until" in entry:
            continue
        cells = seen[entry["tensor"]]
        matrices = cells.reshape(-1, *((1, 1, *cells.shape)[-2:]))
        rows, columns = (slice(*entry.get(axis, (None,))) for axis in ("rows", "columns"))
        matrices[entry.get("matrix", 0), rows, columns] = True
    assert [name for name, cells in seen.items() if not cells.all()] == []


def check_kinds(model: ModelFacts, layout: Entry) -> None:
    """What a matrix says of itself is true."""
    groups = {group["id"] for group in expand(layout, "groups")}
    for entry in expand(layout, "matrices"):
        facts, kind = model.tensors[entry["tensor"]], layout["kinds"][entry["kind"]]
        assert (kind["shape"], kind["axes"]) == (list(facts.matrix), list(facts.axes))
        assert kind["title"]
        assert kind["meaning"]
        assert kind["weight"] == facts.is_weight
        assert entry["group"] in groups
        for axis, length in zip(("rows", "columns"), facts.matrix, strict=True):
            first, end = entry.get(axis, (0, length))
            assert 0 <= first < end <= length


def overlap(one: list[float], other: list[float]) -> bool:
    """Whether two boxes lie upon each other."""
    return all(
        min(one[side] + one[side + 2], other[side] + other[side + 2]) - max(one[side], other[side]) > CLOSE
        for side in (0, 1)
    )


def is_within(box: list[float], outer: list[float]) -> bool:
    return all(
        box[side] > outer[side] - CLOSE and box[side] + box[side + 2] < outer[side] + outer[side + 2] + CLOSE
        for side in (0, 1)
    )


def at_once(one: Entry, other: Entry) -> bool:
    """Whether two entries of a group are drawn at the same scale. Groups always are."""
    until = min(each.get("until", float("inf")) for each in (one, other))
    return max(each.get("levels", (0.0,))[-1] for each in (one, other)) < until


def check_boxes(layout: Entry) -> None:
    groups = {group["id"]: group for group in expand(layout, "groups")}
    assert sum(1 for _ in expand(layout, "groups")) == len(groups), "an id is given twice"
    inside: dict[str, list[Entry]] = defaultdict(list)
    for entry in (*groups.values(), *expand(layout, "matrices")):
        outer = entry["group"] if "tensor" in entry else entry["parent"]
        assert min(entry["box"][2:]) > 0
        if outer is not None:
            assert is_within(entry["box"], groups[outer]["box"]), entry
            inside[outer].append(entry)
    for entries in inside.values():
        for one, other in combinations(entries, 2):
            assert not (at_once(one, other) and overlap(one["box"], other["box"])), (one, other)


@pytest.mark.parametrize("name", ALL)
def test_every_tensor_and_weight_has_its_place(name: str) -> None:
    model, layout = lay_out(network_of(run(name)).config)
    check_cover(model, layout)
    check_kinds(model, layout)
    check_boxes(layout)


@pytest.mark.slow
@settings(max_examples=25, deadline=None)
@given(
    text_configs(), st.sampled_from(["encoder", "decoder", "encoder-decoder"]), st.integers(1, 256), st.integers(1, 256)
)
def test_so_it_is_for_any_architecture_and_any_length(
    changes: dict[str, Any], kind: str, tokens: int, sources: int
) -> None:
    labels = {"text_labels": ("a", "b"), "token_labels": ("c", "d", "e")} if kind == "encoder" else {}
    config = config_of(kind, **changes, **labels)
    model, layout = lay_out(config, tokens, sources)
    assert set(model.tensors) == set(make_graph(config).nodes)
    check_cover(model, layout)
    check_kinds(model, layout)
    check_boxes(layout)


@pytest.mark.parametrize("name", ALL)
def test_it_is_small_enough_to_travel(name: str) -> None:
    _, layout = lay_out(network_of(run(name)).config, 16, 16)
    assert len(zlib.compress(json.dumps(layout).encode())) < MAX_PACKED_BYTES / 4
    assert len(pack({"layout": layout})) < MAX_PACKED_BYTES


@pytest.mark.parametrize("name", ["tiny-lm", "minilm-l6", "en-ur", "digits-vit"])
def test_the_whole_model_fills_the_window_and_its_heads_can_be_told_apart(name: str) -> None:
    _, layout = lay_out(network_of(run(name)).config)
    width, height = layout["size"]
    assert width / height == pytest.approx(SCREEN_PX[0] / SCREEN_PX[1], rel=0.4)
    scale = min(SCREEN_PX[0] / width, SCREEN_PX[1] / height)
    heads = [group["box"][2] * scale for group in expand(layout, "groups") if group["kind"] == "head"]
    assert 24 < min(heads) < 220


def test_a_place_does_not_depend_on_the_text() -> None:
    config = network_of(run("tiny-lm")).config
    short, long = (lay_out(config, tokens)[1] for tokens in (3, 90))
    assert short["size"] == long["size"]
    assert [group["box"] for group in expand(short, "groups")] == [group["box"] for group in expand(long, "groups")]


def test_query_heads_show_the_key_head_that_they_use() -> None:
    config = config_of("decoder", n_heads=4, d_model=16, n_kv_heads=2)
    _, layout = lay_out(config)
    shown = {
        entry["group"]: (entry.get("matrix", 0), entry["tensor"])
        for entry in expand(layout, "matrices")
        if entry["tensor"] == "decoder.0.self_attn.k"
    }
    assert [shown[f"decoder.0/head {head}"][0] for head in range(4)] == [0, 0, 1, 1]
    rows = {
        entry["group"]: entry["rows"]
        for entry in expand(layout, "matrices")
        if entry["tensor"] == "decoder.blocks.0.self_attn.key.weight"
    }
    assert [rows[f"decoder.0/head {head}"] for head in range(4)] == [[0, 4], [0, 4], [4, 8], [4, 8]]


def test_tokens_stand_beside_the_rows_and_columns_that_have_them() -> None:
    _, layout = lay_out(network_of(run("en-ur")).config, tokens=5, sources=9)
    kinds = layout["kinds"]
    assert (len(layout["tokens"]["source"]), len(layout["tokens"]["target"])) == (9, 5)
    whose = {name: (kinds[name]["row_tokens"], kinds[name]["column_tokens"]) for name in kinds}
    assert whose["decoder cross_attn.weights"] == ("target", "source")
    assert whose["decoder self_attn.weights"] == ("target", "target")
    assert whose["encoder self_attn.weights"] == ("source", "source")
    assert whose["decoder cross_attn.memory"] == ("source", None)
    assert whose["encoder.embed.out"] == ("source", None)
    assert whose["logits"] == ("target", None)
    for kind in kinds.values():
        for length, tokens in zip(kind["shape"], (kind["row_tokens"], kind["column_tokens"]), strict=True):
            assert tokens is None or length == len(layout["tokens"][tokens])


def test_one_stack_has_one_text() -> None:
    _, layout = lay_out(network_of(run("tiny-lm")).config)
    assert layout["tokens"]["target"] is None
    assert layout["kinds"]["decoder self_attn.weights"]["row_tokens"] == "source"
