"""A long text in a picture: the reader chooses the tokens, and a click names the token of the text."""

from __future__ import annotations

from pages.shared.token_window import place_in
from tests.conftest import loaded
from tests.pages.conftest import figures, run_page
from viz.shared.tokens import words

LONG = " ".join(["the dog sees the cat and"] * 10)


def test_a_short_text_has_no_window() -> None:
    app = run_page("block/block.py", model="tiny-lm", text="the dog sees the cat", block_part="stream")
    assert not app.slider


def test_the_picture_shows_the_chosen_tokens() -> None:
    app = run_page("block/block.py", model="tiny-lm", text=LONG, block_part="stream")
    (window,) = app.slider
    count = int(window.max) + 1
    assert figures(app)[0]["layout"]["xaxis"]["range"] == [-0.5, count - 0.5]
    app = window.set_value((12, 19)).run()
    axis = figures(app)[0]["layout"]["xaxis"]
    assert axis["range"] == [-0.5, 7.5]
    assert axis["tickvals"] == list(range(8))


def test_a_window_of_a_matrix_keeps_the_chosen_cell() -> None:
    state = {"model": "tiny-lm", "text": LONG, "heads_view": "Matrix", "query": 14, "key": 13}
    app = run_page("attention/heads.py", **state)
    (slider,) = [each for each in app.slider if each.label.startswith("Tokens shown")]
    app = slider.set_value((12, 19)).run()
    shapes = figures(app)[0]["layout"]["shapes"]
    assert (shapes[0]["x0"], shapes[0]["y0"]) == (0.5, 1.5)


def test_the_first_surprise_is_that_of_token_1() -> None:
    app = run_page("models/predict.py", model="tiny-lm", text=LONG, predict_view="surprise", predict_tokens=1)
    (window,) = [each for each in app.slider if each.label.startswith("Tokens shown")]
    tokens = words(loaded("tiny-lm").tokens_of(LONG))
    assert window.min == 1
    app = window.set_value((2, 4)).run()
    chart = next(figure for figure in figures(app) if figure["data"][0]["type"] == "bar")
    assert chart["layout"]["xaxis"]["ticktext"] == tokens[2:5]


def test_a_token_outside_the_window_has_no_place_in_it() -> None:
    assert [place_in(slice(12, 20), place) for place in (11, 12, 19, 20)] == [-1, 0, 7, -1]


def test_the_logit_lens_says_which_positions_it_shows() -> None:
    app = run_page("models/predict.py", model="tiny-lm", text=LONG, predict_view="lens", predict_tokens=1)
    (window,) = [each for each in app.slider if each.label.startswith("Positions of")]
    last = window.value[1]
    assert window.value == (last - 11, last)
    app = window.set_value((0, last)).run()
    lens = next(figure for figure in figures(app) if figure["data"][0]["type"] == "heatmap")
    assert lens["layout"]["xaxis"]["range"] == [-0.5, last + 0.5]


def test_another_window_of_the_lens_frames_the_output_at_the_playhead() -> None:
    app = run_page(
        "models/predict.py", model="tiny-lm", text=LONG, predict_view="lens", predict_tokens=1, predict_cell=(1, 2)
    )
    (window,) = [each for each in app.slider if each.label.startswith("Positions of")]
    last = window.value[1]
    app = window.set_value((last - 5, last)).run()
    lens = next(figure for figure in figures(app) if figure["data"][0]["type"] == "heatmap")
    assert lens["layout"]["shapes"][0]["x0"] == 4.5
