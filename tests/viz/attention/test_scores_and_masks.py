"""Figures and payloads of the Scores and Masks pages, by their data."""

import itertools

import numpy as np
import pytest

from viz.attention import scores
from viz.attention.masks import change_figure, leak_figure, pack_painter, passes_figure, predictions_figure
from viz.attention.scores import geometry_figure, scale_figure, sorted_weights_figure, temperature_figure
from viz.attention.solids import SOLIDS, solids_trace
from viz.shared.labels import text_width
from viz.shared.panels import Panel, as_bytes, pack_panels
from viz.shared.payload import unpack
from viz.shared.style import COLOURS

RNG = np.random.default_rng(0)


def test_numbers_travel_with_all_their_digits() -> None:
    values = RNG.normal(size=(3, 5)).astype(np.float32)
    values[0, 0], values[1, 1] = -np.inf, np.nan
    found = as_bytes(values)
    assert found.shape == (3, 20)
    np.testing.assert_array_equal(found.view("<f4"), values)


def test_panels_keep_their_order_and_values() -> None:
    panels = [Panel(f"title {i}", "note", "short", RNG.random((2, 3)), "signed") for i in range(4)]
    data = pack_panels(panels, ["a", "b"], ["c", "d", "e"], identity="x", title="t", selected=(1, 2), sums=True)
    header, arrays = unpack(data)
    assert [panel["title"] for panel in header["panels"]] == [panel.title for panel in panels]
    assert header["selected"] == [1, 2]
    assert header["sums"] is True
    for i, panel in enumerate(panels):
        np.testing.assert_array_equal(arrays[f"p{i}"].view("<f4"), panel.values.astype(np.float32))


def test_the_scale_figure_shows_the_sample_beside_the_theory() -> None:
    widths, sample = np.array([1, 4, 16]), RNG.random(3)
    fig = scale_figure(widths, {"theory": widths, "sample": sample}, 4, variance=True)
    assert [line.name for line in fig.data] == ["theory", "sample"]
    np.testing.assert_array_equal(fig.data[0].y, widths)
    np.testing.assert_array_equal(fig.data[1].y, sample.astype(np.float32))
    assert fig.layout.xaxis.type == fig.layout.yaxis.type == "log"
    assert fig.layout.shapes[0].x0 == 4
    plain = scale_figure(widths, {"without scale": sample, "÷ √d_k": sample / 2}, 1)
    assert plain.layout.yaxis.type is None
    assert plain.data[0].line.color != plain.data[1].line.color


def test_rows_are_sorted() -> None:
    fig = sorted_weights_figure(np.array([0.1, 0.7, 0.2]), np.array([0.3, 0.3, 0.4]))
    assert list(fig.data[0].y) == sorted(fig.data[0].y, reverse=True)


def test_temperature_shows_both_rows_and_never_marks_up_a_token() -> None:
    fig = temperature_figure(["<b>x</b>", "y"], np.array([0.2, 0.8]), np.array([0.4, 0.6]), "temperature 2", "dark")
    np.testing.assert_allclose(fig.data[1].y, [0.4, 0.6])
    assert fig.layout.xaxis.ticktext[0] == "&lt;b&gt;x&lt;/b&gt;"


def test_geometry_draws_one_line_to_the_best_key() -> None:
    queries, keys = RNG.normal(size=(2, 3)), RNG.normal(size=(3, 3))
    words = (["a", "b"], ["c", "d", "e"])
    fig = geometry_figure(queries, keys, np.array([0.5, 0.2, 0.1]), words, 1, 2, np.array([True, True, False]))
    line = fig.data[2]
    np.testing.assert_allclose([line.x[0], line.x[1]], [queries[1, 0], keys[2, 0]], rtol=1e-6)
    assert "50%" in fig.layout.scene.xaxis.title.text
    without = geometry_figure(queries, keys, np.array([0.5, 0.2, 0.1]), words, 1, None, np.array([False] * 3))
    assert len(without.data) == len(fig.data) - 1


@pytest.mark.parametrize("up", [1, -1])
def test_the_name_of_the_query_is_not_under_the_line_to_its_best_key(up: int) -> None:
    keys, queries = np.array([[0.0, 0, up], [1, 1, 0]]), np.zeros((1, 3))
    words = (["query"], ["best", "other"])
    fig = geometry_figure(queries, keys, np.ones(3) / 3, words, 0, 0, np.array([True, True]))
    assert fig.data[-1].textposition == ("bottom center" if up > 0 else "top center")


def test_all_points_in_space_and_their_names_are_in_sight_on_a_phone() -> None:
    corners = np.array(list(itertools.product((0.0, 1.0), repeat=3)))
    reach = max(abs(right) for right, _ in scores._project(corners))
    assert reach + text_width("a token", scores.NAME_SIZE) / 2 < 361 / 2


def test_a_point_in_space_is_a_solid_round_its_place() -> None:
    places, radii = RNG.normal(size=(2, 3)), np.array([[1.0, 2, 3], [0.1, 0.1, 0.1]])
    trace = solids_trace("ball", places, radii, ["#000000", "#ffffff"], ["a", "b"], "keys", "#000000")
    corners = np.stack((trace.x, trace.y, trace.z), axis=-1).reshape(2, 12, 3)
    np.testing.assert_allclose(corners.mean(1), places, atol=1e-6)
    np.testing.assert_allclose(np.linalg.norm((corners - places[:, None]) / radii[:, None], axis=-1), 1, atol=1e-5)
    assert (len(trace.i), list(trace.facecolor)) == (40, ["#000000"] * 20 + ["#ffffff"] * 20)
    edges = {
        tuple(sorted(pair))
        for a, b, c in zip(trace.i, trace.j, trace.k, strict=True)
        for pair in ((a, b), (b, c), (a, c))
    }
    assert len(corners.reshape(-1, 3)) - len(edges) + len(trace.i) == 2 * 2, "Euler: each is closed"
    assert list(trace.customdata) == ["a"] * 12 + ["b"] * 12
    assert len(SOLIDS["diamond"].faces) == 8


def test_the_painter_gets_mask_and_presets() -> None:
    mask = np.array([[True, False], [True, True]])
    header, arrays = unpack(pack_painter(mask, ["a", "b"], ["a", "b"], {"one": mask, "two": ~mask}, identity="x"))
    np.testing.assert_array_equal(arrays["mask"], mask)
    np.testing.assert_array_equal(arrays["starts"], [mask, ~mask])
    assert header["presets"] == ["one", "two"]


def test_predictions_stand_side_by_side() -> None:
    fig = predictions_figure(["a", "b"], (("without", np.array([0.9, 0.1])), ("with", np.array([0.2, 0.8]))))
    assert [bar.name for bar in fig.data] == ["without", "with"]
    assert fig.data[1].text == ("20%", "80%")


def test_changes_are_bars() -> None:
    np.testing.assert_allclose(change_figure(["a", "b"], np.array([0.0, 2.0]), "change").data[0].y, [0, 2])


def test_a_leak_is_marked_and_an_exact_zero_is_written() -> None:
    fig = leak_figure(["a", "b", "c"], np.array([0.0, 0.0, 3.0]), np.array([1.0, 2.0, 4.0]), 2)
    assert fig.data[1].text == ("0", "0", "3.00")
    warn = COLOURS["light"]["warn"]
    assert fig.data[2].marker.color[:2] == (warn, warn)
    assert fig.data[0].marker.color[0] != warn


def test_passes_are_stacked_in_milliseconds() -> None:
    fig = passes_figure([1, 2], [0.010, 0.020], 0.015)
    assert [bar.x[0] for bar in fig.data] == pytest.approx([10, 20, 15])
