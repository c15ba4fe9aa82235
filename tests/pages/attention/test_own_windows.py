"""Pages that tell of the mask, with a model whose layers have a sliding window."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
import torch

from model import load
from model.zoo import cards
from tests.model.zoo import tiny_families
from tests.model.zoo.opened import card_of_files
from tests.pages.conftest import run_page, text
from tests.views.heads import head_of
from views.attention.head_words import describe_weight
from views.attention.masks.kinds import mask_of, own_kind, own_mask, usual_width
from views.attention.masks.sentence import alone
from views.attention.masks.two_runs import HiddenRowRuns, MaskedRuns
from views.head_of_run import HeadOfRun

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


@pytest.fixture(scope="module")
def head(windowed: None) -> HeadOfRun:
    return head_of(load(NAME), SENTENCE, "decoder.1.self_attn", 0, 9, 1)


def test_the_models_own_mask_is_its_window(head: HeadOfRun) -> None:
    sentence = alone(head.run)
    assert own_kind(head) == "window"
    assert torch.equal(own_mask(head, sentence), mask_of(head, sentence, "window", WINDOW))
    runs = MaskedRuns(head, True, sentence, "window", usual_width(head))
    torch.testing.assert_close(runs.effect.weights_with, head.weights)
    assert ((head.weights > 0).sum(-1) == (torch.arange(len(head.weights)) + 1).clamp_max(WINDOW)).all()


def test_a_window_is_offered_as_wide_as_the_models_own() -> None:
    app = run_page("attention/masks.py", model=NAME, text=SENTENCE, layer=1, head=0)
    assert app.session_state["masks_kind"] == "window"
    assert app.number_input(key="masks keys").value == WINDOW


def test_a_hidden_row_is_compared_with_the_models_window(head: HeadOfRun) -> None:
    assert HiddenRowRuns(head, True, 2).names == ("with the model's window", "with the row hidden")


@pytest.mark.parametrize(("query", "key", "why"), [(9, 1, "is outside the window of"), (3, 8, "comes after")])
def test_a_hidden_pair_says_why(head: HeadOfRun, query: int, key: int, why: str) -> None:
    assert why in describe_weight(replace(head, query=query, key=key))


@pytest.mark.slow
def test_classify_says_how_far_a_windowed_decoder_sees() -> None:
    app = run_page("models/classify.py", model=NAME, text=SENTENCE, classify_part="kinds")
    assert not app.exception
    assert f"In its first layer a window of {WINDOW} hides those farther away." in text(app)
