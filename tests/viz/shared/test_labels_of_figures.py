"""No label of a token covers another, in any figure with an axis of tokens, from 8 to 256 tokens."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import plotly.graph_objects as go
import pytest

from tests.viz.shared.label_boxes import axis_overlaps
from viz.attention.combine import sizes_figure, slices_figure
from viz.attention.heads import weights_figure
from viz.attention.many_texts_effect import words_figure
from viz.attention.masks import change_figure, leak_figure
from viz.attention.scores import temperature_figure
from viz.attention.turns import turns_figure
from viz.block.layer import layers_figure, tensor_figure
from viz.inputs.positions import joined_figure, order_figure
from viz.learning.before_attention import alignment_figure, heads_figure
from viz.models.classify import attention_rows_figure, mask_figure, token_classes_figure
from viz.models.paths import RouteGraph, routes_figure
from viz.models.predict import lens_figure, surprise_figure
from viz.models.translate import losses_figure
from viz.models.why import measures_figure, sources_figure
from viz.shared.labels import BESIDE_WORDS_WIDTH, CHART_WIDTHS, COLUMN_WIDTH, least_width
from viz.shared.sheet import maps_figure

LENGTHS = (8, 30, 56, 128, 256)
PAGE, HALF, COLUMN, PICTURE = 906, 440, 290, 720  # pixels at 1366 x 768; PICTURE has words beside it
TEXT = (
    "The quick brown fox jumps over the lazy dog because it was extraordinarily tired of waiting , and who knew "
    "that everything WOULD matter immensely 1984 ."
)
URDU_TEXT = "میں ایک روبوٹ ہوں ۔ وہ گھر جاتا ہے"
WORDS, URDU = TEXT.split(), URDU_TEXT.split()


def square(n: int) -> np.ndarray:
    return np.tri(n, dtype=np.float32) / np.arange(1, n + 1)[:, None]


def line(n: int) -> np.ndarray:
    return np.linspace(0, 9.87, n, dtype=np.float32)


Draw = Callable[[Sequence[str], int], go.Figure]
FIGURES: dict[str, tuple[int, Draw]] = {
    "change": (PAGE, lambda t, n: change_figure(t, line(n), "change")),
    "cheat": (PAGE, lambda t, n: leak_figure(t, line(n) * 0, line(n), n // 2)),
    "temperature": (PAGE, lambda t, n: temperature_figure(t, line(n), line(n), "T = 2")),
    "slices": (PAGE, lambda t, n: slices_figure(np.ones((n, 16)), t, 4)),
    "sizes": (PAGE, lambda t, n: sizes_figure(np.ones((4, n)), t)),
    "weights": (PAGE, lambda t, n: weights_figure(square(n), t, t, selected=(n // 2, 1))),
    "matrix": (490, lambda t, n: weights_figure(square(n), t, t, most_wide=BESIDE_WORDS_WIDTH)),
    "rollout": (PAGE, lambda t, n: weights_figure(square(n), t, t)),
    "compare": (
        COLUMN,
        lambda t, n: weights_figure(square(n), t, t, kind="difference", most_high=400, most_wide=COLUMN_WIDTH),
    ),
    "words of a head": (PAGE, lambda t, n: words_figure([*zip(t, line(n).tolist(), strict=True)], [])),
    "turns": (PAGE, lambda t, n: turns_figure(np.ones((n, 1)), t, ["text"], [""])),
    "tensor": (PAGE, lambda t, n: tensor_figure(np.ones((n, 8)), t)),
    "stream": (COLUMN, lambda t, n: layers_figure(np.ones((30, n)), t, "length")),
    "join": (PAGE, lambda t, n: joined_figure({"e": np.ones((n, 4)), "p": np.ones((n, 4))}, [4, 4], t, 12)),
    "order": (PAGE, lambda t, n: order_figure(t, line(n), line(n))),
    "alignment": (HALF, lambda t, n: alignment_figure(square(n), n, t, t)),
    "translation heads": (HALF, lambda t, n: heads_figure(np.stack([square(n)] * 4), n, t, t)),
    "mask": (HALF, lambda t, n: mask_figure(square(n) > 0, t)),
    "token classes": (PAGE, lambda t, n: token_classes_figure(np.ones((n, 3)), t, list("abc"))),
    "attention rows": (PAGE, lambda t, n: attention_rows_figure(np.ones((2, 4, n)), t)),
    "lens": (PICTURE, lambda t, n: lens_figure([t] * 5, np.ones((5, n)), t, selected=(4, n - 2))),
    "surprise": (PAGE, lambda t, n: surprise_figure(t, line(n), [10 * i for i in range(n)], n)),
    "losses": (PAGE, lambda t, n: losses_figure(t, line(n).tolist(), line(n).tolist())),
    "sources": (PAGE, lambda t, n: sources_figure(line(n), t)),
    "looked for": (HALF, lambda t, n: sources_figure(line(n), t, axis="score", room=BESIDE_WORDS_WIDTH)),
    "measures": (PAGE, lambda t, n: measures_figure({"one": line(n), "other": -line(n)}, t)),
    "routes": (
        HALF,
        lambda t, n: routes_figure(
            RouteGraph(
                ["decoder.embed", "decoder.0.self_attn"], t, (), np.array([[1, n - 1, 0, 0, 1]]), line(1), ["a.0.b@1>2"]
            )
        ),
    ),
    "sheet": (PAGE, lambda t, n: maps_figure(np.ones((2, 3, n, n)), list("abc"), list("de"), t, t)),
}


@pytest.mark.slow
@pytest.mark.parametrize("length", LENGTHS)
@pytest.mark.parametrize("name", FIGURES)
def test_labels_do_not_cover_each_other(name: str, length: int) -> None:
    width, draw = FIGURES[name]
    for words in (WORDS, URDU):
        tokens = (words * length)[:length]
        assert axis_overlaps(draw(tokens, length), width) == []


@pytest.mark.slow
@pytest.mark.parametrize("length", LENGTHS)
@pytest.mark.parametrize("name", FIGURES)
def test_a_chart_fits_its_place_on_a_desk(name: str, length: int) -> None:
    """A chart that needs more than its place would be moved sideways, though there is room."""
    width, draw = FIGURES[name]
    needed = least_width(draw((WORDS * length)[:length], length))
    assert next((least for least in CHART_WIDTHS if least >= needed), CHART_WIDTHS[-1]) <= width


def test_two_labels_at_one_place_are_found() -> None:
    figure = change_figure(WORDS, line(len(WORDS)), "change")
    figure.update_xaxes(tickangle=0)
    assert axis_overlaps(figure, 300) != []
