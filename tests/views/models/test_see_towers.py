"""See with models that compare pictures with sentences, and with models whose learnt tokens are other ones."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from model.vision.model import VisionModel, load_vision
from model.zoo import cards
from tests.model.zoo import tiny_families
from tests.model.zoo.opened import card_of_files
from tests.model.zoo.tiny_towers import make_clip, make_siglip
from tests.views.shown import parts, said, tables
from views.models.see.answer import WhatComesOut
from views.models.see.attention import LooksOfPatch, asking_patch
from views.models.see.cost import CostOfPatches
from views.models.see.every_number import EveryNumber, map_picture
from views.models.see.kinds import KindsOfVit
from views.models.see.patches import PatchesOfPicture
from views.models.see.picture import SeenPicture, compare_with, see_example
from views.models.see.place import Place
from views.models.see.place_trials import Change
from views.parts import Controls
from views.plain import plain_view
from views.view import DEPTHS

SENTENCES = "a cat *on* a mat\nthe dog\n\nthe dog\na robot"
MAKERS: dict[str, Any] = {
    "clip": make_clip,
    "siglip": make_siglip,
    "registers": lambda name, folder: tiny_families.make_vision(name, folder, "Model"),
}


@pytest.fixture
def see(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Makes a picture that a tiny model of that name reads, which is on the list of models."""

    def make(name: str) -> SeenPicture:
        MAKERS[name](name, tmp_path / "tower")
        card = replace(card_of_files(tmp_path / "tower"), place=str(tmp_path / "tower"))
        monkeypatch.setattr(cards, "REAL", (*cards.REAL, card))
        return see_example(compare_with(load_vision(str(tmp_path / "tower")), SENTENCES), "shapes")

    return make


@pytest.mark.slow
@pytest.mark.parametrize("name", MAKERS)
def test_every_part_has_every_depth(name: str, see: Any) -> None:
    seen = see(name)
    patch = asking_patch(seen, -1)
    views = [
        PatchesOfPicture(seen, 3), LooksOfPatch(seen, 1, 2, patch), WhatComesOut(seen, "example", -1),
        Place(seen, Change("blank", 1, 0.5)), CostOfPatches(seen), KindsOfVit(seen),
        EveryNumber(seen, 1, map_picture(seen)),
    ]  # fmt: skip
    assert all(plain_view(view, depth) for view in views for depth in DEPTHS)
    fields = [part for view in views for part in parts(view) if part == Controls("sentences")]
    assert len(fields) == (0 if name == "registers" else len(views))


@pytest.mark.parametrize("name", ["clip", "siglip"])
def test_the_answer_is_the_sentence_that_is_most_alike(name: str, see: Any) -> None:
    seen = see(name)
    assert seen.config.image_labels == ("a cat *on* a mat", "the dog", "a robot")
    shares = seen.model.probabilities(seen.run).numpy()
    view = WhatComesOut(seen, "example", -1)
    assert tables(view)[0].iloc[:, 1].tolist() == pytest.approx(shares.tolist(), abs=1e-5)
    best = seen.config.image_labels[int(np.argmax(shares))].replace("*", r"\*")
    shown = said(view)
    assert f"**{best}**" in shown
    assert ("It must choose" in shown) == (name == "clip")
    formulas = "".join(map(str, plain_view(view, "Formula")))
    assert (r"\frac{P h}{|P h|}" in formulas) == (name == "clip")


def test_a_probe_is_shown_as_attention(see: Any) -> None:
    seen = see("siglip")
    view = LooksOfPatch(seen, 1, 2, asking_patch(seen, -1))
    assert view.patch >= 0, "there is no class token that could ask"
    _, probe, _ = tables(view)
    weights = seen.run["probe.cross_attn.weights"][2, 0]
    assert probe["weight"].tolist() == pytest.approx(weights.tolist(), abs=1e-5)
    assert probe["looks at"].tolist()[:2] == ["r1 c1", "r1 c2"]
    before, _ = Place(seen, Change("blank", share=0.0)).trials[0].gazes()
    assert before.tolist() == pytest.approx(seen.run["probe.cross_attn.weights"][:, 0].mean(0).tolist(), abs=1e-5)


def test_registers_ask_too(see: Any) -> None:
    seen = see("registers")
    view = LooksOfPatch(seen, 1, 2, -3)
    weights = seen.run["encoder.1.self_attn.weights"][2, 2]
    assert tables(view)[0]["weight"].tolist() == pytest.approx(weights.tolist(), abs=1e-5)
    assert tables(view)[0]["looks at"].tolist()[:3] == ["the class token", "register 1", "register 2"]
    assert "register 2 looks most at" in view.caption()
    assert "goes to the class token and 4 registers." in view.caption()
    assert "Then come 4 registers" in said(PatchesOfPicture(seen, 0))


def test_a_model_without_a_tower_of_texts_stays_as_it_is() -> None:
    model: VisionModel = load_vision("digits-vit")
    assert compare_with(model, SENTENCES) is model


@pytest.mark.parametrize("name", ["clip", "siglip"])
def test_the_answer_is_accounted_for_by_the_parts_of_the_model(name: str, see: Any) -> None:
    seen = see(name)
    view = WhatComesOut(seen, "example", -1)
    found = [table for table in tables(view) if "adds" in table]
    if name == "siglip":
        assert not found
        assert "A probe gathers this answer" in said(view)
        return
    best, other, *_ = sorted(seen.run["image_logits"].tolist(), reverse=True)
    assert found[0]["adds"].sum() == pytest.approx(best - other, abs=1e-4)
    assert "layer 2, head 3" in found[0]["part"].tolist()
