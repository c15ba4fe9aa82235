"""The tiles of what is in sight, for a saved page: all of them exist, and nothing that is drawn lacks one."""

from __future__ import annotations

import pytest

from tests.model.graph.runs import network_of, run
from views.map.map_facts import model_facts
from views.map.tiles.many import pack_tiles
from views.map.tiles.run import TiledRun
from viz.home.layout.layout import make_layout
from viz.home.layout.places import MapPlace, expand
from viz.home.layout.sight import find_matrices, find_tensor, find_tiles, find_window
from viz.shared.tiles import level_count

WEIGHTS = "decoder.2.self_attn.weights"


def lay_out(name: str):  # type: ignore[no-untyped-def]
    trace = run(name)
    tokens, sources = ["a"] * len(trace.tokens), ["b"] * len(trace.source_tokens)
    return make_layout(model_facts(network_of(trace).config, tokens, sources))


@pytest.mark.parametrize("name", ["tiny-lm", "en-ur", "minilm-l6", "digits-vit"])
def test_the_whole_model_has_a_tile_for_every_matrix_that_is_drawn(name: str) -> None:
    layout = lay_out(name)
    addresses = find_tiles(layout, None)
    assert [address[2] for address in addresses] == sorted((address[2] for address in addresses), reverse=True)
    shown = {address[:2] for address in addresses}
    assert {(each["tensor"], each.get("matrix", 0)) for each in expand(layout, "matrices") if "until" in each} <= shown
    tiled = TiledRun(run(name))
    for address in addresses:
        assert tiled.tile(*address).cells.size
    assert len(pack_tiles(tiled, addresses, max_seconds=60)[0]) < 600_000


@pytest.mark.parametrize("head", [0, 3])
def test_a_head_has_its_inside_and_its_neighbours_not(head: int) -> None:
    layout = lay_out("tiny-lm")
    shown = {address[:2] for address in find_tiles(layout, MapPlace(f"decoder.2/head {head}"))}
    wanted = ("q", "k", "v", "raw_scores", "scores", "masked", "weights", "heads")
    assert {(f"decoder.2.self_attn.{name}", head) for name in wanted} <= shown
    assert ("decoder.blocks.2.self_attn.query.weight", 0) in shown
    assert not any(tensor.startswith(("decoder.0.", "logits")) for tensor, _ in shown)


@pytest.mark.parametrize(
    ("place", "tile"),
    [
        (MapPlace(WEIGHTS, (2, 3, 1)), (WEIGHTS, 2, 0, 0, 0)),
        (MapPlace("decoder.embed.tokens.weight", (1000, 5)), ("decoder.embed.tokens.weight", 0, 0, 3, 0)),
        (MapPlace("decoder.blocks.1.ffn.contract.bias", (127,)), ("decoder.blocks.1.ffn.contract.bias", 0, 0, 0, 0)),
    ],
)
def test_a_number_has_the_tile_that_it_is_in(place: MapPlace, tile: tuple[str, int, int, int, int]) -> None:
    assert tile in find_tiles(lay_out("tiny-lm"), place)


def test_the_view_of_a_place_is_what_is_seen() -> None:
    layout = lay_out("tiny-lm")
    boxes = {group["id"]: group["box"] for group in expand(layout, "groups")}
    x, y, w, h = boxes["decoder.3/head 1"]
    near = find_tiles(layout, MapPlace("decoder.3", view=(x + w / 2, y + h / 2, w * 1.5)))
    assert ("decoder.3.self_attn.scores", 1, 0, 0, 0) in near
    assert not any(address[0].startswith(("decoder.0.", "decoder.1.", "decoder.blocks.0.")) for address in near)
    assert find_tiles(layout, MapPlace("decoder.3", view=(-1e6, 0, 10))) == []


def test_all_coarser_levels_come_too() -> None:
    layout = lay_out("tiny-lm")
    of_stream = [address[2] for address in find_tiles(layout, None) if address[0] == "decoder.2.resid_in"]
    last = level_count((len(run("tiny-lm").tokens), 128)) - 1
    assert of_stream == list(range(last, min(of_stream) - 1, -1))


@pytest.mark.parametrize(
    ("place", "tensor"),
    [
        (None, None),
        (MapPlace("decoder.2/head 3"), WEIGHTS),
        (MapPlace("decoder.blocks.1.ffn.expand.weight", (3, 5)), "decoder.blocks.1.ffn.expand.weight"),
    ],
)
def test_the_tensor_that_one_looks_at(place: MapPlace | None, tensor: str | None) -> None:
    assert find_tensor(lay_out("tiny-lm"), place) == tensor


def test_a_matrix_that_fills_the_window_is_looked_at_without_a_chosen_number() -> None:
    layout = lay_out("tiny-lm")
    drawn = (each for each in expand(layout, "matrices") if "until" not in each)
    box = next(each["box"] for each in drawn if each["tensor"] == "decoder.blocks.3.ffn.expand.weight")
    view = (box[0] + box[2] / 2, box[1] + box[3] / 2, box[2])
    assert find_tensor(layout, MapPlace("decoder.3", view=view)) == "decoder.blocks.3.ffn.expand.weight"


@pytest.mark.parametrize("index", [(0, 0, 0), (3, 2, 2)])
def test_around_a_number_its_cells_can_be_read(index: tuple[int, int, int]) -> None:
    layout = lay_out("tiny-lm")
    seen = find_window(layout, MapPlace(WEIGHTS, index))
    drawn = next(each for each in find_matrices(layout, seen) if (each.tensor, each.matrix) == (WEIGHTS, index[0]))
    assert drawn.level == 0
    assert index[1] in range(*drawn.seen_rows)
    assert index[2] in range(*drawn.seen_columns)
    assert drawn.cell[0] * seen.scale >= 50
