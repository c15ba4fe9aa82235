"""Heads over many pictures: all numbers are those of a run of each picture alone."""

from __future__ import annotations

from itertools import count
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from model import ablate
from model.errors import ModelMismatch
from model.surveys import pictures as many
from model.surveys import rows
from model.surveys.pictures import ATTENTION, Pictures, digit_pictures, read_pictures, survey_pictures
from model.surveys.reading import Reading
from model.vision.model import VisionModel, load_vision

LAYER, HEAD = 1, 2


@pytest.fixture(scope="module")
def model() -> VisionModel:
    return load_vision("digits-vit")


@pytest.fixture(scope="module")
def digits() -> Pictures:
    return digit_pictures(10)


@pytest.fixture(scope="module")
def reading(model: VisionModel, digits: Pictures) -> Reading:
    return survey_pictures(model, digits, keep=False)


def weights_of(model: VisionModel, digits: Pictures, number: int, **how: object) -> np.ndarray:
    trace = model.trace_picture(digits.rgb[number], keep=f"encoder.{LAYER}.self_attn.weights", **how)  # type: ignore[arg-type]
    found: np.ndarray = trace[f"encoder.{LAYER}.self_attn.weights"].numpy()
    return found


def test_the_measures_are_those_of_each_picture_alone(model: VisionModel, digits: Pictures, reading: Reading) -> None:
    side = model.config.patches_a_side
    at = np.array([(place // side, place % side) for place in range(side**2)], float)
    apart = np.zeros((side**2 + 1, side**2 + 1))
    apart[1:, 1:] = np.linalg.norm(at[:, None] - at, axis=-1)
    assert tuple(reading.tally().measures) == many.PICTURE_MEASURES
    for number in (0, 7):
        weights = weights_of(model, digits, number)[:, 1:]  # (heads, patches, keys)
        expected = {
            "first": weights[..., 0].mean(-1),
            "self": np.stack([np.diagonal(each[:, 1:]) for each in weights]).mean(-1),
            "distance": (weights * apart[1:]).sum(-1).mean(-1),
        }
        for name, values in expected.items():
            np.testing.assert_allclose(reading.measure(name)[LAYER, :, number], values, atol=1e-5)


def test_the_strongest_places_lead_from_patch_to_patch(model: VisionModel, digits: Pictures, reading: Reading) -> None:
    expected = []
    for number in range(10):
        weights = weights_of(model, digits, number)[HEAD]
        expected += [
            (weights[query, key], number, query, key)
            for query in range(len(weights))
            for key in range(1, len(weights))
            if query != key
        ]
    expected.sort(reverse=True)
    places = reading.strongest(ATTENTION, LAYER, HEAD, 5)
    assert [(place.number, place.query, place.key) for place in places] == [each[1:] for each in expected[:5]]
    assert [place.weight for place in places] == pytest.approx([each[0] for each in expected[:5]], abs=1e-5)
    assert places[0].key_tokens[places[0].key] == model.tokens()[places[0].key].text
    assert places[0].kind in digits.kinds == tuple("0123456789")
    distances, shares = reading.by_distance(ATTENTION, LAYER, HEAD)
    assert shares[distances < 0].sum() == 0
    assert shares.sum() == pytest.approx(1)


def test_it_goes_on_where_it_was_stopped(
    model: VisionModel, digits: Pictures, reading: Reading, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rows, "BATCH_TOKENS", 100)
    asked = count()
    begun = survey_pictures(model, digits, keep=False, stop=lambda: next(asked) >= 2)
    assert 0 < begun.read.sum() < 10
    whole = survey_pictures(model, digits, keep=False, begun=begun)
    assert whole == reading != begun
    np.testing.assert_allclose(whole.measure("spread"), reading.measure("spread"), atol=1e-6)


def test_an_edit_changes_what_is_read_and_a_reading_is_kept(model: VisionModel, digits: Pictures) -> None:
    edit = ablate("encoder.0.self_attn", 1)
    found = survey_pictures(model, digits, edits=[edit])
    weights = weights_of(model, digits, 3, edits=[edit])
    np.testing.assert_allclose(found.measure("first")[LAYER, :, 3], weights[:, 1:, 0].mean(-1), atol=1e-5)
    again = survey_pictures(model, digits, edits=[edit], stop=lambda: True)
    assert again.is_whole, "it comes from the disk"
    with pytest.raises(ModelMismatch, match="other pictures"):
        survey_pictures(model, digit_pictures(5), begun=found)


def test_files_are_read_and_what_is_none_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "cats"
    folder.mkdir()
    for shade in (10, 200):
        Image.new("RGB", (12, 9), (shade, 0, 0)).save(folder / f"{shade}.png")
    (folder / "notes.txt").write_text("no picture")
    found, faults = read_pictures(sorted(folder.iterdir()))
    assert [(text.content, text.kind) for text in found.texts] == [("10.png", "cats"), ("200.png", "cats")]
    assert [picture.shape for picture in found.rgb] == [(9, 12, 3)] * 2
    assert [file.name for file, _ in faults] == ["notes.txt"]
    assert found != Pictures(found.name, found.texts, rgb=found.rgb[::-1])
    monkeypatch.setattr(many, "MOST_PICTURES", 1)
    few, faults = read_pictures(sorted(folder.iterdir()))
    assert len(few.texts) == 1
    assert "at most 1 " in faults[0][1]
