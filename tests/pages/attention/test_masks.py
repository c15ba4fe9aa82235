"""The Masks page without a browser: what a reader chooses, and what the page says of bad input."""

from __future__ import annotations

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from model import load
from model.experiments.painted_masks import mask_to_text, presets
from pages.attention.masks_parts.pass_work import PassSession
from pages.shared.session import state
from tests.pages.attention.test_scores import TEXT, values, visit
from tests.pages.conftest import components, messages, session_of, text

PARTS = state.KEYS["masks_part"].choices
T = len(TEXT.split())


def masks(model: str = "tiny-lm", **url: str) -> AppTest:
    return visit("masks", model, **url)


def test_the_reader_chooses_the_width_of_the_window() -> None:
    app = masks(masks_kind="window", masks_width="2")
    app.number_input(key="masks keys").set_value(3).run()
    assert app.session_state["masks_width"] == 3
    assert (values(app, "matrix_panels", "p3") > 0).sum() == int(presets(T, T)["last 3 only"].sum())


def test_the_painter_gets_the_mask_and_the_models_own_to_start_with() -> None:
    app = masks(masks_kind="painted")
    header, arrays = components(app)["mask_painter"]
    np.testing.assert_array_equal(arrays["mask"], np.tril(np.ones((T, T))))
    assert header["queries"] == TEXT.split()
    np.testing.assert_array_equal(arrays["starts"][header["presets"].index("only itself")], np.eye(T))


def test_a_damaged_or_outgrown_mask_says_so_and_shows_the_models_own() -> None:
    app = masks(masks_kind="painted", masks_paint="5x5.rubbish")
    assert not app.exception
    assert any("damaged" in message for message in messages(app))
    np.testing.assert_array_equal(components(app)["mask_painter"][1]["mask"], np.tril(np.ones((T, T))))
    app = masks(masks_kind="painted", masks_paint=mask_to_text(presets(3, 3)["only itself"]))
    assert not app.exception
    assert any("painted for 3 × 3" in message for message in messages(app))


def test_a_line_that_cannot_be_read_is_left_out_of_the_batch() -> None:
    app = masks(masks_kind="padding", masks_batch="the dog\n" + "dog " * 400)
    assert not app.exception
    assert any(message.startswith("Sentence 3 of the batch is left out") for message in messages(app))
    assert len(components(app)["matrix_panels"][0]["keys"]) == T
    assert "Run as one batch of 2 sentences" in text(app)


def test_a_batch_of_too_many_sentences_says_how_many_are_left_out() -> None:
    app = masks(masks_kind="padding", masks_batch="\n".join(["the dog"] * 9))
    assert messages(app) == ["A batch holds 8 sentences here: the last 2 are left out."]


def test_the_reader_changes_a_word_that_must_be_one_token() -> None:
    app = masks(masks_part="cheat", masks_place="3", masks_word="dog")
    assert "the 3 predictions before it change by exactly 0" in text(app)
    app.session_state["masks_word"] = "extraordinarily unlikely"
    app.run()
    assert not app.exception
    assert any("tokens for this model" in message for message in messages(app))


@pytest.mark.slow
def test_more_passes_of_a_long_sentence_are_made_when_the_reader_asks() -> None:
    long = masks(masks_part="passes", text="the cat sees the dog . " * 3)
    assert "Measured: the first 12 of " in text(long)
    assert len(long.dataframe[0].value) == 12
    count = len(load("tiny-lm").tokens_of("the cat sees the dog . " * 3))
    next(button for button in long.button if button.label == f"Run {count} passes").click().run()
    assert len(long.dataframe[0].value) == count
    assert "Measured: the first" not in text(long)
    before = session_of(long, PassSession).measured
    next(button for button in long.button if button.label == "Measure again").click().run()
    assert session_of(long, PassSession).measured != before
    assert len(long.dataframe[0].value) == count


@pytest.mark.slow
@pytest.mark.parametrize("part", PARTS)
def test_an_encoder_has_every_part(part: str) -> None:
    app = masks("minilm-l6", masks_part=part)
    assert not app.exception
    assert not messages(app)
    if part in ("cheat", "passes"):
        assert "no decoder" in app.info[0].value
        app.button(key="masks model").click().run()
        assert not app.info
