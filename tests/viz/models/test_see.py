"""Pictures and figures of the page See, by their data."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from viz.models.see import (
    cost_figure,
    enlarge_picture,
    filters_figure,
    flattened_patches_figure,
    grid_figure,
    overlay_figure,
    overlay_pixels,
    positions_figure,
    probabilities_figure,
    saliency_figure,
)
from viz.print import files, from_plotly
from viz.shared.pictures import data_uri, enlarge_pixels, mosaic, paint, picture_figure, read_data_uri

NOISE = np.random.default_rng(0)


def test_flat_colours_travel_exactly() -> None:
    rgb = np.zeros((20, 30, 3), np.uint8)
    rgb[5:9, 7:12] = (10, 200, 90)
    assert (read_data_uri(data_uri(rgb)) == rgb).all()


def test_a_photograph_travels_small() -> None:
    rgb = NOISE.integers(0, 256, (448, 448, 3)).astype(np.uint8)
    assert data_uri(rgb).startswith("data:image/jpeg")
    assert read_data_uri(data_uri(rgb)).shape == rgb.shape


def test_painted_values_are_those_of_the_scale() -> None:
    row = paint(np.array([[0.0, 1.0]]))
    assert "#" + row[0, 0].tobytes().hex() == "#f5f9fc"
    assert "#" + row[0, 1].tobytes().hex() == "#004b83"
    signed = paint(np.array([[-2.0, 0.0, 2.0]]), signed=True, reach=2.0)
    assert "#" + signed[0, 0].tobytes().hex() == "#8f4a00"
    assert "#" + signed[0, 2].tobytes().hex() == "#004b83"


@given(st.integers(1, 12), st.integers(1, 5), st.integers(0, 3))
def test_every_tile_is_in_the_mosaic_at_its_place(count: int, columns: int, gap: int) -> None:
    tiles = NOISE.integers(0, 256, (count, 3, 4, 3)).astype(np.uint8)
    picture = mosaic(tiles, columns, gap=gap)
    for n in range(count):
        top, left = n // columns * (3 + gap), n % columns * (4 + gap)
        assert (picture[top : top + 3, left : left + 4] == tiles[n]).all()


def test_enlarged_keeps_every_pixel() -> None:
    rgb = NOISE.integers(0, 256, (7, 7, 3)).astype(np.uint8)
    assert (enlarge_pixels(rgb, 20)[::3, ::3] == rgb).all()
    assert enlarge_pixels(rgb, 7) is rgb


def test_the_grid_has_its_lines_and_frames_the_patch() -> None:
    figure = grid_figure(np.zeros((28, 28, 3), np.uint8), 7, 9)
    assert figure.data[1].x.count(None) == 8
    frame = figure.layout.shapes[0]
    assert (frame.x0, frame.x1) == (127.5, 191.5)  # column 2 of 64 pixels
    assert (frame.y0, frame.y1) == (63.5, 127.5)  # row 1
    assert not grid_figure(np.zeros((28, 28, 3), np.uint8), 7, -1).layout.shapes


@pytest.mark.parametrize(("count", "times"), [(49, 6), (256, 1)])
def test_the_framed_row_is_that_of_the_patch(count: int, times: int) -> None:
    figure = flattened_patches_figure(NOISE.normal(size=(count, 16)), 3)
    (frame,), (arrow,) = figure.layout.shapes, figure.layout.annotations
    assert (frame.y0, frame.y1) == (3 * times - 0.5, 4 * times - 0.5)
    assert arrow.y == (frame.y0 + frame.y1) / 2
    assert figure.layout.yaxis.scaleanchor is False  # rows as wide as there is room


def test_the_overlay_is_strongest_where_the_weight_is() -> None:
    square, weights = np.full((28, 28, 3), 128, np.uint8), np.zeros(49)
    weights[10], weights[20] = 0.4, 0.2
    picture = overlay_pixels(square, weights, 7).astype(int)
    step = len(picture) // 7
    differences = np.abs(picture - picture[-1, -1]).sum(-1)
    by_patch = differences.reshape(7, step, 7, step).mean((1, 3)).ravel()
    assert by_patch.argmax() == 10
    assert by_patch[20] == pytest.approx(by_patch[10] / 2, rel=0.03)
    assert sorted(np.nonzero(by_patch)[0]) == [10, 20]


def test_weights_of_zero_do_not_divide_by_zero() -> None:
    assert overlay_pixels(np.zeros((28, 28, 3), np.uint8), np.zeros(49), 7).dtype == np.uint8


def test_saliency_keeps_the_colours_where_it_is_one() -> None:
    square = NOISE.integers(0, 256, (448, 448, 3)).astype(np.uint8)
    square[:] = (10, 200, 90)
    share = np.zeros((448, 448))
    share[:224] = 1
    drawn = read_data_uri(saliency_figure(square, share).data[0].source)
    assert drawn[0, 0].tolist() == [10, 200, 90]
    assert drawn[-1, -1].tolist() != [10, 200, 90]


@pytest.mark.slow
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_every_figure_is_drawn_for_print(theme: str) -> None:
    square = NOISE.integers(0, 256, (28, 28, 3)).astype(np.uint8)
    figures = [
        picture_figure(enlarge_picture(square), theme),
        grid_figure(square, 7, 3, theme),
        flattened_patches_figure(NOISE.normal(size=(49, 16)), 3, theme),
        filters_figure(NOISE.normal(size=(20, 3, 14, 14)), 16, theme),
        filters_figure(NOISE.normal(size=(20, 1, 4, 4)), 16, theme),
        positions_figure(NOISE.uniform(-1, 1, (49, 49)), 7, theme),
        overlay_figure(square, NOISE.uniform(size=49), 7, 4, theme),
        probabilities_figure({"before": [0.2, 0.8], "after": [0.6, 0.4]}, ("0", "1"), theme),
        cost_figure((28, 56), {"pixels as tokens": [1e5, 1e6]}, (28, 2500.0), theme),
    ]
    for figure in figures:
        assert files.file_of(from_plotly.to_matplotlib(figure), "svg").startswith(b"<?xml")


def test_bars_are_the_probabilities() -> None:
    figure = probabilities_figure({"before": [0.2, 0.8], "after": [0.6, 0.4]}, ("0", "1"))
    assert [list(bar.y) for bar in figure.data] == [[0.2, 0.8], [0.6, 0.4]]
