import numpy as np
import pytest

from viz.attention.combine import before_after_figure, head_colour, parts_figure, sizes_figure, slices_figure

CONCAT = np.array([[1.0, -1.0, 0.5, 0.0], [0.0, 0.25, -0.5, 1.0]], dtype=np.float32)


def test_the_slices_hold_the_concatenation_on_one_scale() -> None:
    figure = slices_figure(CONCAT, ["a", "b"], n_heads=2)
    codes = np.asarray(figure.data[0].z, dtype=float)
    np.testing.assert_allclose((codes - 127) / 127, CONCAT, atol=1 / 127)
    bands = [shape for shape in figure.layout.shapes if shape.y1 < 0]
    assert [(band.x0, band.x1) for band in bands] == [(-0.5, 1.5), (1.5, 3.5)]


def test_a_muted_head_is_veiled() -> None:
    veils = [s for s in slices_figure(CONCAT, ["a", "b"], 2, muted=[1]).layout.shapes if s.y1 > 0]
    assert [(veil.x0, veil.x1) for veil in veils] == [(1.5, 3.5)]


def test_the_parts_stand_above_their_sum() -> None:
    parts = np.array([[1.0, 2.0], [0.5, -1.0]])
    bias = np.array([0.25, 0.0])
    figure = parts_figure(parts, parts.sum(0) + bias, bias)
    rows = np.asarray(figure.data[0].z)
    np.testing.assert_allclose(rows[:-1].sum(0), rows[-1], atol=1e-4)
    assert list(figure.layout.yaxis.ticktext) == ["head 0", "head 1", "bias", "sum"]


def test_dots_grow_with_the_part_and_labels_are_no_mark_up() -> None:
    figure = sizes_figure(np.array([[1.0, 4.0]]), ["<b>", "c"])
    small, large = figure.data[0].marker.size
    assert large > small
    assert figure.layout.xaxis.ticktext[0] == "&lt;b&gt;"


def test_both_distributions_are_drawn() -> None:
    after, before = before_after_figure(["x", "y"], [0.7, 0.3], [0.2, 0.8]).data
    assert (after.name, list(after.x)) == ("muted", [0.2, 0.8])
    assert (before.name, list(before.x)) == ("whole", [0.7, 0.3])


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_every_head_has_a_colour_of_its_own(theme) -> None:
    assert len({head_colour(head, theme) for head in range(32)}) == 32
