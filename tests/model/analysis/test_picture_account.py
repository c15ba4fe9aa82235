"""Why a picture gets its class, or is like a sentence: the parts sum to the logit."""

from __future__ import annotations

from pathlib import Path

import pytest

from model.analysis.attribution import NoSuchAnswer
from model.analysis.picture_account import account_of_picture, keep_for_picture
from model.edits.parts import ablate
from model.errors import ModelMismatch
from model.vision.model import load_vision
from tests.model.zoo import tiny_families
from tests.model.zoo.test_vit import RGB
from tests.model.zoo.tiny_towers import make_clip, make_siglip


def test_the_likeness_to_a_sentence_is_the_sum_of_its_parts(tmp_path: Path) -> None:
    make_clip("clip", tmp_path)
    model = load_vision(str(tmp_path)).naming(["a cat", "the dog", "I am a robot"])
    run = model.trace_picture(RGB, keep=keep_for_picture(model.config))
    for label in range(3):
        account = account_of_picture(model, run, label)
        assert account.total == pytest.approx(float(run["image_logits"][label]), abs=1e-4)
        assert account.value == pytest.approx(float(run["image_logits"][label]))
    assert len([name for name in account.parts if ".heads." in name]) == 3 * 4
    more = account_of_picture(model, run, 0, against=2)
    assert more.total == pytest.approx(float(run["image_logits"][0] - run["image_logits"][2]), abs=1e-4)
    assert more.asked == "a cat more than I am a robot"


def test_a_head_that_is_taken_away_is_a_part_of_nothing(tmp_path: Path) -> None:
    make_clip("clip", tmp_path)
    model = load_vision(str(tmp_path)).naming(["a cat", "the dog"])
    run = model.trace_picture(RGB, keep=keep_for_picture(model.config), edits=[ablate("encoder.1.self_attn", head=2)])
    account = account_of_picture(model, run)
    assert account.parts["encoder.1.self_attn.heads.2"] == 0
    assert account.total == pytest.approx(account.value, abs=1e-4)


def test_so_is_a_class(tmp_path: Path) -> None:
    tiny_families.make_vision("vit", tmp_path)
    model = load_vision(str(tmp_path))
    run = model.trace_picture(RGB)
    account = account_of_picture(model, run, 1)
    assert account.total == pytest.approx(float(run["image_logits"][1]), abs=1e-4)
    with pytest.raises(NoSuchAnswer, match="0 to 11"):
        account_of_picture(model, run, 12)


def test_what_no_class_token_gives_is_refused(tmp_path: Path) -> None:
    make_siglip("siglip", tmp_path / "siglip")
    tiny_families.make_vision("dinov2", tmp_path / "dinov2")
    tiny_families.make_vision("deit", tmp_path / "deit", "ForImageClassificationWithTeacher")
    model = load_vision(str(tmp_path / "siglip")).naming(["a cat"])
    with pytest.raises(ModelMismatch, match="probe"):
        account_of_picture(model, model.trace_picture(RGB))
    model = load_vision(str(tmp_path / "deit"))
    with pytest.raises(ModelMismatch, match="Two tokens"):
        account_of_picture(model, model.trace_picture(RGB))
    model = load_vision(str(tmp_path / "dinov2"))
    with pytest.raises(ModelMismatch, match="no class"):
        account_of_picture(model, model.trace_picture(RGB))
