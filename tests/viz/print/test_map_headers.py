"""The names of layers and rows on a printed map: those of the browser, once each, at every place."""

from __future__ import annotations

import pytest

from model.config import TransformerConfig
from tests.model.networks import config as config_of
from views.map.map_facts import model_facts
from viz.home.layout.layout import SCREEN_PX, make_layout
from viz.home.layout.places import parse_place
from viz.home.layout.sight import find_window
from viz.print.map_headers import Headers, Paper, place_headers

LINE_PX = 15


def headers_at(config: TransformerConfig, at: str = "", *, is_free: bool = True) -> Headers:
    labels = ["it"] * 6
    layout = make_layout(model_facts(config, labels, labels if config.kind == "encoder-decoder" else ()))
    seen = find_window(layout, parse_place(at) if at else None)

    def pixels(box: tuple[float, ...]) -> tuple[float, float, float, float]:
        return *seen.to_pixels(box[0], box[1]), box[2] * seen.scale, box[3] * seen.scale

    return place_headers(layout, Paper(pixels, SCREEN_PX, LINE_PX, lambda text: 7.0 * len(text), lambda box: is_free))


@pytest.mark.parametrize("heads", [1, 4, 6, 12])
def test_every_head_is_named_once_on_the_whole_model(heads: int) -> None:
    config = config_of("decoder", n_heads=heads, d_model=12 * heads, n_decoder_layers=4)
    names = [name.text for name in headers_at(config).names if name.text.startswith("Head")]
    assert len(names) == len(set(names))
    ends = [tuple(map(int, name.split()[1].split("–"))) for name in names]
    assert [number for end in ends for number in range(end[0], end[-1] + 1)] == list(range(heads))


@pytest.mark.parametrize("at", ["decoder.1", "decoder.1/head 1", "decoder.2.self_attn.weights:1,3,0"])
def test_the_layer_and_the_head_stay_in_sight_where_one_looks_closer(at: str) -> None:
    placed = headers_at(config_of("decoder", n_heads=2, d_model=24, n_decoder_layers=3), at)
    texts = [name.text for name in placed.names]
    assert any(text.startswith("Layer") for text in texts)
    assert len(texts) == len(set(texts))
    for name in placed.names:
        assert 0 <= name.x <= name.x + name.width <= SCREEN_PX[0]
        assert 0 <= name.y <= name.y + LINE_PX <= SCREEN_PX[1]
    if "head" in at or ":" in at:
        assert any("Head" in text for text in texts)


def test_both_stacks_have_their_own_names() -> None:
    config = config_of("encoder-decoder", n_heads=2, d_model=24)
    texts = [name.text for name in headers_at(config).names]
    assert texts.count("Layer 0") == 2
    assert any(text.startswith("Cross head") for text in texts)


def test_no_name_stands_where_a_picture_is() -> None:
    texts = [name.text for name in headers_at(config_of("decoder", n_heads=2, d_model=24), is_free=False).names]
    assert not [text for text in texts if not text.startswith("Layer")]


def test_of_a_row_of_heads_the_one_that_is_seen_alone_has_its_name() -> None:
    labels = ["it"] * 6
    layout = make_layout(model_facts(config_of("decoder", n_heads=4, d_model=24, n_decoder_layers=3), labels, ()))
    layer = next(each for each in layout["placed"] if each["id"] == "decoder.1")
    last = layout["templates"][layer["template"]]["rows"][1]["heads"][-1]
    left, top = (layer["box"][side] + last["box"][side] for side in (0, 1))
    scale = 1.2 * SCREEN_PX[0] / last["box"][2]  # the head is wider than the window

    def names_at(x: float, y: float, k: float) -> list[str]:
        def pixels(box: tuple[float, ...]) -> tuple[float, float, float, float]:
            return (box[0] - x) * k, (box[1] - y) * k, box[2] * k, box[3] * k

        placed = place_headers(
            layout, Paper(pixels, SCREEN_PX, LINE_PX, lambda text: 7.0 * len(text), lambda box: True)
        )
        return [name.text for name in placed.names]

    inside = (left + 0.02 * last["box"][2], top + 0.1 * last["box"][3])
    assert "Head 3" in names_at(*inside, scale)
    assert "Heads 2–3" in names_at(left - 0.4 * last["box"][2], inside[1], scale), "two heads are seen"
    assert "Heads 2–3" in names_at(inside[0], top - 10 / scale, scale), "its own title is seen"
