"""Pictures that a view has only as a file: the data of the screen, in both themes, with words as words."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import pytest
from matplotlib.colors import to_hex
from matplotlib.figure import Figure
from matplotlib.image import AxesImage
from matplotlib.patches import Rectangle
from matplotlib.text import Text

from viz.attention.heads import products_figure
from viz.block.layer import THUMBNAIL_FEATURES, excited_figure
from viz.inputs.ladder import ratings_figure
from viz.inputs.position_schemes import checks_figure
from viz.learning.before_attention import shapes_figure
from viz.models.classify import plane_figure, planes_figure
from viz.models.predict import race_figure
from viz.print.files import file_of
from viz.print.from_plotly import to_matplotlib
from viz.print.head_pictures import lines_picture
from viz.print.layer_pictures import flow_picture, flow_rows
from viz.shared.payload import signed_codes
from viz.shared.style import COLOURS, SERIES, Theme

THEMES: tuple[Theme, ...] = ("light", "dark")
RANDOM = np.random.default_rng(0)
WORDS = ["$a$", "ہوں", "🙂"]
WEIGHTS = RANDOM.dirichlet(np.ones(3), 3)
PLANES = [(RANDOM.normal(size=(3, 2)), [0.5, 0.25]) for _ in range(7)]
GROUPS = [0, 0, 9]
CACHED = [{"computed": 4, "reused": 0, "multiplications": 2_000_000, "bytes": 1, "seconds": 0.5},
          {"computed": 1, "reused": 4, "multiplications": 500, "bytes": 1, "seconds": 0.001}]  # fmt: skip
PLAIN = [{"computed": n, "reused": 0, "multiplications": 10, "bytes": 0} for n in (4, 5)]
SIDES = [{"title": "With", "steps": CACHED}, {"title": "Without", "steps": PLAIN}]
EXCITED = [
    {"activation": 2.0, "before": "a very long beginning of it", "token": "<fox>", "after": "runs"},
    {"activation": -1.0, "before": "", "token": "ہوں", "after": ""},
]
STEPS = [
    {"name": "resid_in", "title": "residual stream before", "does": "what the layer finds", "role": "stream"},
    {"name": "ffn.out", "title": "output of the feed-forward", "does": "back to $d$", "role": "feed-forward"},
]
TENSORS = [RANDOM.normal(size=(2, 8)), RANDOM.normal(size=(2, 200))]
HOLDS = np.array([[True, False], [False, True]])
MEASURED = np.array([[0.5, 12.0], [np.inf, 0.0]])
GIVEN = np.array([[5.0, np.nan], [1.0, 2.0]])
SHAPES = [("One", (0,), (0, 1), 2), ("Two", (0, 1), (1,), 2)]
PICTURES = {
    "planes": partial(planes_figure, PLANES, GROUPS),
    "race": partial(race_figure, SIDES),
    "excited": partial(excited_figure, EXCITED),
    "flow": partial(flow_picture, STEPS, TENSORS, 1, "a $title$"),
    "checks": partial(checks_figure, HOLDS, MEASURED, ["s", "t"], ["Unique", "Bounded"]),
    "ratings": partial(ratings_figure, GIVEN, GIVEN, ["Ada", "<Ben>"], ["Dune", "Emma"]),
    "shapes": partial(shapes_figure, SHAPES),
    "products": partial(products_figure, TENSORS[0][0], TENSORS[0][1]),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", PICTURES)
def test_every_picture_is_drawn_in_both_themes(name: str) -> None:
    for theme in THEMES:
        made = PICTURES[name](theme=theme)
        picture: Any = made if isinstance(made, Figure) else to_matplotlib(made)
        assert to_hex(picture.get_facecolor()) == COLOURS[theme]["background"]
        ours = {*WORDS, "a $title$", "back to $d$"}
        words = [text for text in picture.findobj(Text) if text.get_visible() and text.get_text() in ours]
        assert not any(text.get_parse_math() for text in words)
        assert file_of(picture, "svg").lstrip().startswith(b"<?xml")


def test_each_plane_is_that_of_its_layer() -> None:
    figure = planes_figure(PLANES, GROUPS)
    titles = [note.text for note in figure.layout.annotations]
    assert titles == ["embedding · 75%", *(f"after layer {layer} · 75%" for layer in range(6))]
    for layer, (points, (places, shares)) in enumerate(zip(figure.data, PLANES, strict=True)):
        alone = plane_figure(places, shares, layer, GROUPS)
        np.testing.assert_allclose(np.stack([points.x, points.y], 1), places, rtol=1e-6)
        assert list(points.text) == ["1", "1", "10"]
        assert points.marker.color == alone.data[0].marker.color
        assert alone.layout.title.text == titles[layer]
    assert figure.data[0].marker.color[2] == SERIES["light"][1], "with more sentences than colours they come round"
    assert figure.layout.yaxis5.range == figure.layout.xaxis5.range, "across and up alike"
    first, fifth = figure.layout.yaxis.domain, figure.layout.yaxis5.domain
    assert first[0] > fifth[1], "the fifth begins a second row"


def test_the_race_shows_what_each_step_computes_and_finds() -> None:
    figure = race_figure(SIDES)
    assert [list(bar.x) for bar in figure.data] == [[0, 4], [4, 1], [0, 0], [4, 5]]
    assert list(figure.data[1].text) == ["2 million, 500 ms", "500, 1.0 ms"]
    assert list(figure.data[3].text) == ["10", "10"], "not measured"
    assert [bar.showlegend for bar in figure.data] == [True, True, False, False]
    second: Any = to_matplotlib(figure).axes[1]
    assert [bar.get_width() for bar in second.patches] == [0, 0, 4, 5]


def test_excited_places_stand_between_their_neighbours() -> None:
    figure = excited_figure(EXCITED)
    assert list(figure.data[0].x) == [2.0, -1.0]
    assert list(figure.layout.yaxis.ticktext) == ["beginning of it ‹&lt;fox&gt;› runs", "‹\u2068ہوں\u2069›"]
    assert list(figure.data[0].marker.color) == [COLOURS["light"]["query"], COLOURS["light"]["key"]]


def test_the_flow_holds_a_picture_of_every_tensor_and_frames_one() -> None:
    picture = flow_picture(STEPS, TENSORS, 1, "t")
    first, second = [np.asarray(image.get_array()) for image in picture.findobj(AxesImage)]
    np.testing.assert_array_equal(first, signed_codes(TENSORS[0]))
    assert second.shape == (2, THUMBNAIL_FEATURES)
    texts = [text.get_text() for text in picture.findobj(Text)]
    assert {"residual stream before", "back to $d$", "2 × 200"} <= set(texts)
    frames: Any = [box for box in picture.findobj(Rectangle) if box.get_linewidth() == 2]
    assert [to_hex(box.get_edgecolor()) for box in frames] == [COLOURS["light"]["key"]]
    rows = flow_rows(STEPS, TENSORS)
    assert [(row["step"], row["tokens"], row["features"]) for row in rows] == [
        ("residual stream before", 2, 8),
        ("output of the feed-forward", 2, 200),
    ]
    assert rows[1]["greatest"] == TENSORS[1].max()


def test_products_for_print_have_their_bars_and_end_at_the_score() -> None:
    q, k = TENSORS[0]
    axes: Any = to_matplotlib(products_figure(q, k).update_layout(title_text="a title")).axes[0]
    heights = [bar.get_height() for bar in axes.patches]
    np.testing.assert_allclose(heights, np.sort(q * k)[::-1], rtol=1e-6)
    assert axes.lines[-1].get_ydata()[-1] == pytest.approx(q @ k, rel=1e-5)
    assert axes.figure.get_suptitle() == "a title"


def test_what_is_asked_of_positions_is_a_sign_and_a_number() -> None:
    cells, signs = checks_figure(HOLDS, MEASURED, ["s", "t"], ["Unique", "Bounded"]).data
    np.testing.assert_array_equal(cells.z, [[1, 0], [0, 1]])
    assert list(signs.text) == ["✓ 0.50", "✗ 12.0", "✗ ∞", "✓ 0"]
    assert list(zip(signs.x, signs.y, strict=True)) == [(0, 0), (1, 0), (0, 1), (1, 1)]


def test_predicted_ratings_are_framed() -> None:
    figure = ratings_figure(GIVEN, np.array([[4.9, 3.3], [1.1, 2.0]]), ["Ada", "<Ben>"], ["Dune", "Emma"])
    assert [(frame.x0 + 0.46, frame.y0 + 0.44) for frame in figure.layout.shapes] == [(1, 0)]
    places = [(y, x, text) for each in figure.data[1:] for x, y, text in zip(each.x, each.y, each.text, strict=True)]
    assert sorted(places) == [(0, 0, "4.90"), (0, 1, "3.30"), (1, 0, "1.10"), (1, 1, "2.00")]
    assert figure.layout.yaxis.ticktext == ("Ada", "&lt;Ben&gt;")


def test_shapes_keep_their_boxes_and_arrows_on_axes_of_their_own() -> None:
    picture: Any = to_matplotlib(shapes_figure(SHAPES))
    one, two = picture.axes[:2]
    assert [len(axes.patches) for axes in (one, two)] == [5, 5], "inputs, states and outputs"
    assert one.get_xlim() == two.get_xlim() == (-0.6, 1.6)
    assert not one.axison or not one.get_xticks().size, "no ticks"
    arrows = [(note.xy, note.xyann) for note in two.texts if note.arrow_patch is not None]
    assert ((1.0, 1.72), (1.0, 1.28)) in arrows
    assert len(arrows) == 2 + 1 + 1


def test_a_character_that_no_font_has_is_named_on_every_label() -> None:
    svg = file_of(lines_picture(WEIGHTS[None], [0], WORDS, WORDS, "t🙂"), "svg").decode()
    assert "<!-- $a$ -->" in svg
    assert "<!-- ہوں -->" in svg
    assert svg.count("⟨U+1F642⟩") == 3, "the title, a query and a key"
