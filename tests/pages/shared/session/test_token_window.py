"""A long text in a picture: the reader chooses the tokens, and a click names the token of the text."""

from __future__ import annotations

import pytest

from tests.conftest import loaded
from tests.pages.conftest import figures, go, messages, open_link, run_page, run_sentence
from views.shared.windows import place_in
from viz.shared.tokens import words

LONG = " ".join(["the dog sees the cat and"] * 10)


def test_a_short_text_has_no_window() -> None:
    app = run_page("block/block.py", model="tiny-lm", text="the dog sees the cat", block_part="stream")
    assert not app.slider


@pytest.mark.slow
def test_the_picture_shows_the_chosen_tokens() -> None:
    app = run_page("block/block.py", model="tiny-lm", text=LONG, block_part="stream")
    (window,) = app.slider
    count = int(window.max) + 1
    assert figures(app)[0]["layout"]["xaxis"]["range"] == [-0.5, count - 0.5]
    app = window.set_value((12, 19)).run()
    axis = figures(app)[0]["layout"]["xaxis"]
    assert axis["range"] == [-0.5, 7.5]
    assert axis["tickvals"] == list(range(8))


@pytest.mark.slow
def test_the_url_keeps_the_window_and_a_link_restores_it_on_every_page() -> None:
    app = run_page("block/block.py", model="tiny-lm", text=LONG, block_part="stream")
    (window,) = app.slider
    app = window.set_value((12, 19)).run()
    assert app.query_params["window"] == "12,19"
    again = open_link("block/block.py", model="tiny-lm", text=LONG, block_part="stream", window="12,19")
    assert figures(again)[0]["layout"]["xaxis"]["range"] == [-0.5, 7.5]
    assert messages(again) == []
    go(app, "heads")
    app.session_state["heads_view"] = "Matrix"
    app.run()
    (slider,) = [each for each in app.slider if each.label.startswith("Tokens shown")]
    assert slider.value == (12, 19)
    app = slider.set_value((0, int(slider.max))).run()
    assert "window" not in app.query_params, "all tokens are the default"


@pytest.mark.parametrize(
    ("window", "shown"),
    [("50,9000", (50, None)), ("7", None), ("1,2,3", None), ("9000,9001", None), ("19,12", (12, 19))],
)
def test_a_window_that_cannot_be_is_mended_with_one_message(window: str, shown: tuple[int, int | None] | None) -> None:
    app = open_link("block/block.py", model="tiny-lm", text=LONG, block_part="stream", window=window)
    assert not app.exception
    (slider,) = app.slider
    last = int(slider.max)
    assert slider.value == ((0, last) if shown is None else (shown[0], last if shown[1] is None else shown[1]))
    assert len(messages(app)) == 1
    assert "no window here" in messages(app)[0]


@pytest.mark.parametrize("window", ["a,b", "-3,4", "<b>,1"])
def test_no_numbers_are_no_window(window: str) -> None:
    app = open_link("block/block.py", model="tiny-lm", text=LONG, block_part="stream", window=window)
    (slider,) = app.slider
    assert slider.value == (0, int(slider.max))
    assert len(messages(app)) == 1


@pytest.mark.slow
def test_a_window_that_comes_along_is_cut_to_the_sentence_without_a_word() -> None:
    app = run_page("block/block.py", model="tiny-lm", text=LONG, block_part="stream")
    app = app.slider[0].set_value((30, 55)).run()
    app = run_sentence(app, " ".join(LONG.split()[:45]))
    assert app.slider[0].value == (30, int(app.slider[0].max))
    assert messages(app) == []


def test_the_columns_of_cross_attention_have_a_window_of_their_own() -> None:
    english = " ".join(["the dog sees the cat and"] * 8)
    urdu = " ".join(["کتا بلی دیکھتا ہے"] * 11)
    link = {
        "model": "en-ur",
        "text": english,
        "target": urdu,
        "attention": "decoder.cross_attn",
        "heads_view": "Matrix",
    }
    app = open_link("attention/heads.py", **link, window="3,9", columns="20,29")
    sliders = [each.value for each in app.slider if each.label.startswith("Tokens shown")]
    assert sliders == [(3, 9), (20, 29)]


def test_a_window_of_a_matrix_keeps_the_chosen_cell() -> None:
    state = {"model": "tiny-lm", "text": LONG, "heads_view": "Matrix", "query": 14, "key": 13}
    app = run_page("attention/heads.py", **state)
    (slider,) = [each for each in app.slider if each.label.startswith("Tokens shown")]
    app = slider.set_value((12, 19)).run()
    shapes = figures(app)[0]["layout"]["shapes"]
    assert (shapes[0]["x0"], shapes[0]["y0"]) == (0.5, 1.5)


@pytest.mark.slow
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


@pytest.mark.slow
def test_the_logit_lens_says_which_positions_it_shows() -> None:
    app = run_page("models/predict.py", model="tiny-lm", text=LONG, predict_view="lens", predict_tokens=1)
    (window,) = [each for each in app.slider if each.label.startswith("Positions of")]
    last = window.value[1]
    assert window.value == (last - 11, last)
    app = window.set_value((0, last)).run()
    lens = next(figure for figure in figures(app) if figure["data"][0]["type"] == "heatmap")
    assert lens["layout"]["xaxis"]["range"] == [-0.5, last + 0.5]


@pytest.mark.slow
def test_another_window_of_the_lens_frames_the_output_at_the_playhead() -> None:
    app = run_page(
        "models/predict.py", model="tiny-lm", text=LONG, predict_view="lens", predict_tokens=1, predict_cell=(1, 2)
    )
    (window,) = [each for each in app.slider if each.label.startswith("Positions of")]
    last = window.value[1]
    app = window.set_value((last - 5, last)).run()
    lens = next(figure for figure in figures(app) if figure["data"][0]["type"] == "heatmap")
    assert lens["layout"]["shapes"][0]["x0"] == 4.5
