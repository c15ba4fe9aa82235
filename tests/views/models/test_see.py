"""The views of See: their numbers are those of the model."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from model.vision.digits import held_out
from model.vision.model import VisionModel, load_vision
from model.zoo import cards
from tests.model.zoo import tiny_families
from tests.model.zoo.opened import card_of_files
from tests.views.shown import parts, said, tables
from tests.viz.models.test_patch_heads import decode_weights, keeps_the_strongest
from views.models.see import kinds, told
from views.models.see.answer import WhatComesOut
from views.models.see.attention import LooksOfPatch, all_weights, take_choice
from views.models.see.cost import CostOfPatches
from views.models.see.examples import PHOTOS
from views.models.see.kinds import KindsOfVit
from views.models.see.patches import PatchesOfPicture, sizes
from views.models.see.picture import SeenPicture, see_example, shown_classes
from views.models.see.place import Place
from views.models.see.place_trials import Change
from views.parts import Canvas
from views.plain import plain_view
from views.view import DEPTHS


def picture(model: VisionModel, rgb: np.ndarray[Any, Any], name: str = "mine") -> SeenPicture:
    return SeenPicture(model, model.preparation.square(rgb), rgb.shape[1], rgb.shape[0], name, "A note.")


def digit(number: int = 3, name: str = "digits-vit") -> SeenPicture:
    return picture(load_vision(name), held_out()[0][50 * number + 3][..., None].repeat(3, -1), f"digit {number}")


def photo(name: str = "flower") -> SeenPicture:
    return see_example(load_vision("dinov2-s"), name)


def test_equal_pixels_are_equal_pictures() -> None:
    assert digit(3) == digit(3)
    assert digit(3) != digit(4)
    assert LooksOfPatch(digit(), 1, 2, 10) == LooksOfPatch(digit(), 1, 2, 10)
    assert LooksOfPatch(digit(), 1, 2, 10) != LooksOfPatch(digit(), 1, 2, 11)


@pytest.mark.slow
def test_every_part_has_every_depth() -> None:
    seen = digit()
    views = [
        PatchesOfPicture(seen, 24), LooksOfPatch(seen, 1, 2, 10), WhatComesOut(seen, "example", -1),
        Place(seen, Change("blank", 1, 0.5)), CostOfPatches(seen), KindsOfVit(seen),
    ]  # fmt: skip
    assert all(plain_view(view, depth) for view in views for depth in DEPTHS)


@pytest.mark.slow
def test_the_numbers_are_those_of_the_lecture_notes() -> None:
    seen = photo()
    _, read, notes = sizes(seen)
    assert (read["N"], read["D'"], read["D"]) == ("256", "588", "384")
    assert notes["D'"] == f"{32_400 * 3:,}"
    assert "32,400" in said(PatchesOfPicture(seen, 0))


def test_the_framed_row_is_that_of_the_patch() -> None:
    seen = digit()
    view = PatchesOfPicture(seen, 10)
    patches = seen.model.trace_picture(held_out()[0][153][..., None].repeat(3, -1))["embed.patches"]
    values = next(table for table in tables(view) if "normalised" in table)
    assert values["normalised"].tolist() == pytest.approx(patches[10].tolist())
    assert view.told()[told.ROW_VALUES] == 16
    most = int(patches.std(-1).argmax())
    assert PatchesOfPicture(seen, most).told()[told.CONTRAST] == pytest.approx(1)


@pytest.mark.parametrize("number", [0, 7])
def test_the_prediction_is_the_model_s(number: int) -> None:
    seen = digit(number)
    rgb = held_out()[0][50 * number + 3][..., None].repeat(3, -1)
    expected = seen.model.probabilities(seen.model.trace_picture(rgb, keep="image_logits"))
    view = WhatComesOut(seen, "example", -1)
    assert tables(view)[0]["probability"].tolist() == pytest.approx(expected.tolist(), abs=1e-5)
    assert f"alone: **{number}**" in said(view)
    assert f"It reads **{number}**" in said(CostOfPatches(seen))
    assert "It reads" not in said(view)


def test_the_attention_is_that_of_the_chosen_patch() -> None:
    seen = digit()
    view = LooksOfPatch(seen, 1, 2, 10)
    rgb = held_out()[0][153][..., None].repeat(3, -1)
    weights = seen.model.trace_picture(rgb, keep="*.weights")["encoder.1.self_attn.weights"][2, 11]
    row, through = tables(view)
    assert row["weight"].tolist() == pytest.approx(weights.tolist(), abs=1e-5)
    assert through["weight"].sum() == pytest.approx(1, abs=1e-4)
    assert view.told()[told.LAYER] == 1


def test_a_click_chooses_a_layer_a_head_and_a_patch_and_nothing_else() -> None:
    view = LooksOfPatch(digit(), 1, 2, 10)
    (canvas,) = (each for each in parts(view) if isinstance(each, Canvas))
    assert canvas.picks["view"]({"layer": 0, "head": 3, "patch": -1}) == {
        "see_layer": 0,
        "see_head": 3,
        "see_patch": -1,
    }
    assert [take_choice(each) for each in (None, {}, {"layer": 1}, "x")] == [{}] * 4


@pytest.mark.slow
@pytest.mark.parametrize("name", PHOTOS)
def test_all_heads_of_a_picture_travel_in_a_megabyte_with_it(name: str) -> None:
    seen = photo(name)
    weights = all_weights(seen.run, seen.layers)
    assert weights.shape == (12, 6, 257, 257)
    packed = LooksOfPatch(seen, 11, 0, -1).pack()
    assert len(packed) <= 1_000_000
    decoded = decode_weights(packed)
    patches = decoded[..., 1:]
    expected = weights[..., 1:] / weights[..., 1:].max(-1, keepdims=True)
    distance = ((patches / patches.max(-1, keepdims=True) - expected) ** 2).mean((2, 3)) ** 0.5  # (layers, heads)
    assert distance.max() < 0.05, "no head is far from its weights, even heads included"
    assert keeps_the_strongest(decoded, weights)


def test_the_shares_of_shuffled_digits_are_means_over_many_orders() -> None:
    shown = said(Place(digit(), Change()))
    assert "Digits ViT 99% right, 25% ± 4.7% with every picture shuffled" in shown
    assert "Digits ViT without positions 84% right, 84% ± 0% with every picture shuffled" in shown
    assert "(mean and standard deviation over 30 random orders)" in shown


def test_shuffling_moves_nothing_without_positions() -> None:
    view = Place(digit(), Change())
    learnt, bag, *_ = tables(view)
    assert bag["before"].tolist() == pytest.approx(bag["after"].tolist(), abs=1e-4)
    assert (learnt["before"] - learnt["after"]).abs().max() > 0.05
    assert "Nothing moves" in said(view)
    assert float(view.told()[told.UNPLACED]) < 1e-4 < float(view.told()[told.MOVED])


@pytest.mark.slow
@pytest.mark.parametrize("seen", [photo, digit])
def test_attention_follows_the_patches_only_without_positions(seen: Any) -> None:
    shown = said(Place(seen(), Change()))
    assert shown.count("follows every patch to its new place") == 1
    assert shown.count("of the attention goes to other patches") == 1


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (Change("blank", share=1.0), "49 of 49 patches blank"),
        (Change("blank", share=0.0), "0 of 49 patches blank"),
        (Change("shift", right=-3, down=4), "moved -3 right and 4 down"),
    ],
)
def test_other_changes(change: Change, words: str) -> None:
    view = Place(digit(), change)
    assert words in said(view)
    if change.kind == "shift":
        assert (view.after != view.seen.square).any()
        assert view.told()[told.SHIFT] == -3
    else:
        assert view.told()[told.BLANK] == change.share


@pytest.mark.slow
def test_cost_counts_the_entries_of_a_head() -> None:
    assert "66,049 entries a head" in CostOfPatches(photo()).caption()


@pytest.mark.slow
def test_kinds_name_papers_once_each() -> None:
    every = [kind for group in kinds.GROUPS.values() for kind in group]
    assert len(every) == 23
    assert len({name for name, *_ in every}) == len({number for *_, number in every}) == 23
    assert all(f"arxiv.org/abs/{number}" in said(KindsOfVit(digit())) for *_, number in every)


def test_the_second_token_of_a_deit_is_explained_and_asks_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tiny_families.make_vision("deit", tmp_path / "deit", "ForImageClassificationWithTeacher")
    card = replace(card_of_files(tmp_path / "deit"), place=str(tmp_path / "deit"))
    monkeypatch.setattr(cards, "REAL", (*cards.REAL, card))
    model = load_vision(str(tmp_path / "deit"))
    seen = picture(model, photo().square)
    shown = said(PatchesOfPicture(seen, 0))
    assert "The second token is the distillation token." in shown
    assert "the class token and the distillation token 18 tokens" in shown
    view = LooksOfPatch(seen, 1, 2, -2)
    weights = model.trace_picture(seen.square)["encoder.1.self_attn.weights"][2, 1]
    row = tables(view)[0]
    assert row["weight"].tolist() == pytest.approx(weights.tolist(), abs=1e-5)
    assert row["looks at"].tolist()[:3] == ["the class token", "the distillation token", "r1 c1"]
    assert "the distillation token looks most at" in view.caption()


def test_of_many_classes_the_likeliest_are_shown() -> None:
    assert shown_classes([0.1, 0.9]) == [0, 1]
    shares = [0.01 * place for place in range(12)]
    assert shown_classes(shares) == list(range(11, 1, -1))
