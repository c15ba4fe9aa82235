"""What a view of a notebook says where it cannot be made: one sentence, with what to do."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest
from traitlets import TraitError

from model import GlassformerError, Trace, survey
from tests.conftest import loaded
from views import bench, block, cost, heads, home, positions, predict, see, translate, why

TEXT = "the dog sees the cat"


def on_own_texts(run: Trace, **choices: Any) -> heads.HeadOverTexts:
    """A head over texts of one's own, which have no kinds."""
    return heads.HeadOverTexts(run, survey(loaded("tiny-lm"), [TEXT], keep=False), **choices)


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda run: heads.Lines(run, layer=9), "There is no layer 9 in this run: it has 4, from 0 to 3."),
        (lambda run: heads.Lines(run, head=8), "There is no head 8 in this run: it has 4, from 0 to 3."),
        (lambda run: heads.Matrix(run, query=6), "There is no query 6 in this run: it has 6, from 0 to 5."),
        (lambda run: heads.Matrix(run, key=6), "There is no key 6 in this run: it has 6, from 0 to 5."),
        (
            lambda run: heads.Lines(run, attention="decoder.cross_attn"),
            "There is no attention decoder.cross_attn in this run. It has decoder.self_attn.",
        ),
        (lambda run: heads.Compare(run, beside="Another sentence"), "Give a second sentence"),
        (lambda run: heads.Compare(run, beside="Another sentence", text2="the dog"), "need as many tokens"),
        (lambda run: on_own_texts(run, about="by kind"), "There is no “by kind” of this head. There is:"),
        (lambda run: block.Flow(run, step="cross_attn.out"), "There is no step cross_attn.out in this run. It has"),
        (lambda run: home.Map(run, place="encoder.0/head 1"), "has no place encoder.0/head 1"),
        (lambda run: predict.Lens(run, path=(99_999,)), "The ids of the path must be those of"),
        (lambda run: why.Account(run, opened="decoder.9.ffn"), "There is no opened decoder.9.ffn in this run."),
        (lambda run: why.Paths(run, dropped="decoder.9.ffn@1"), "This run has no edge decoder.9.ffn@1."),
        (lambda run: positions.Heatmap(run, d=7), "d is 7: sine and cosine come in pairs"),
        (lambda run: positions.Heatmap(run, base=0.5), "The base is 0.5: it must be above 1"),
        (lambda run: positions.Heatmap(run, rows="length", length=600), "The length is 600: it can be 1 to 512."),
        (lambda run: bench.Broken(run, parts="rotary positions"), "has no part rotary positions. It has"),
        (lambda run: see.Patches(model="digits-vit", example="flower"), "There is no example flower. There are digit"),
        (lambda run: see.Patches(model="digits-vit", patch=99), "There is no patch 99: there are 49, from 0 to 48."),
    ],
)  # fmt: skip
def test_a_choice_that_is_not_there(make: Any, said: str) -> None:
    view = make(loaded("tiny-lm").trace(TEXT))
    with pytest.raises(GlassformerError, match=re.escape(said)):
        view.view()


def test_a_run_of_another_kind_of_model() -> None:
    run = loaded("tiny-encoder").trace(TEXT)
    with pytest.raises(GlassformerError, match=r"Lens takes .* of the kind decoder, such as .* tiny-encoder is"):
        predict.Lens(run)
    with pytest.raises(GlassformerError, match="of the kind encoder-decoder, such as en-ur"):
        translate.Steps(run)


def test_what_is_no_run_of_a_text() -> None:
    with pytest.raises(GlassformerError, match=re.escape('takes a run: load("tiny-lm").trace("')):
        heads.Lines(TEXT)  # type: ignore[arg-type]
    with pytest.raises(GlassformerError, match=re.escape('takes a model: load("tiny-lm").')):
        cost.Parts(loaded("tiny-lm").trace(TEXT))  # type: ignore[arg-type]
    picture = see.Patches(model="digits-vit").seen()
    with pytest.raises(GlassformerError, match="takes a run of a transformer that reads text"):
        heads.Lines(picture.run)


def test_a_choice_that_no_view_takes() -> None:
    run = loaded("tiny-lm").trace(TEXT)
    with pytest.raises(TypeError, match=r"Lines has no choice heads\. It has attention, layer, head,"):
        heads.Lines(run, heads=2)
    with pytest.raises(TraitError, match="hide"):
        heads.Lines(run, hide="all")


def test_a_picture_of_ones_own_is_read() -> None:
    pixels = np.zeros((28, 28, 3), np.uint8)
    pixels[5:20, 12:16] = 255
    view = see.Attention(pixels, model="digits-vit", layer=0, patch=3)
    assert (view.view().layer, view.seen().width) == (0, 28)  # type: ignore[attr-defined]
