"""Pages that tell of the mask, with a model whose layers have a sliding window."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from model import load
from model.zoo import cards
from tests.model.zoo import tiny_families
from tests.model.zoo.opened import card_of_files
from tests.pages.attention.test_scores import values
from tests.pages.conftest import figures, run_page, text

NAME, WINDOW = "windowed", 5
SENTENCE = "I am a robot you like"


@pytest.fixture(scope="module", autouse=True)
def windowed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    folder = tmp_path_factory.mktemp("models")
    for bundled in cards.ASSETS.iterdir():
        (folder / bundled.name).symlink_to(bundled)
    tiny_families.make("mistral, window", folder / NAME, sliding_window=WINDOW)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cards, "ASSETS", Path(folder))
        patch.setattr(cards, "REAL", (*cards.REAL, card_of_files(folder / NAME)))
        yield


def test_the_models_own_mask_is_its_window() -> None:
    app = run_page("attention/masks.py", model=NAME, text=SENTENCE, layer=1, head=0)
    assert not app.exception
    assert app.session_state["masks_kind"] == "window"
    assert app.number_input(key="masks keys").value == WINDOW
    own = load(NAME).trace(SENTENCE)["decoder.1.self_attn.weights"][0].numpy()
    np.testing.assert_array_equal(values(app, "matrix_panels", "p3"), own)
    assert ((own > 0).sum(-1) == np.minimum(np.arange(len(own)) + 1, WINDOW)).all()


def test_a_hidden_row_is_compared_with_the_models_window() -> None:
    app = run_page("attention/masks.py", model=NAME, text=SENTENCE, layer=1, head=0, masks_part="row", masks_row=2)
    assert not app.exception
    assert [bars["name"] for bars in figures(app)[-1]["data"]] == ["with the model's window", "with the row hidden"]


@pytest.mark.parametrize(("query", "key", "why"), [(9, 1, "is outside the window of"), (3, 8, "comes after")])
def test_a_hidden_pair_says_why(query: int, key: int, why: str) -> None:
    app = run_page("attention/heads.py", model=NAME, text=SENTENCE, layer=1, head=0, query=query, key=key)
    assert not app.exception
    assert why in text(app)


def test_classify_says_how_far_a_windowed_decoder_sees() -> None:
    app = run_page("models/classify.py", model=NAME, text=SENTENCE, classify_part="kinds")
    assert not app.exception
    assert f"In its first layer a window of {WINDOW} hides those farther back." in text(app)
