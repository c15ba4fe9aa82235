"""The end slide: every scene once with its point, and an address only where the class can open it."""

from __future__ import annotations

import pytest

from pages.teach.lectures import scene_steps
from pages.teach.lectures.scene import Lecture, Scene
from pages.teach.presenting import class_address, end_slide

SCENES = (
    Scene("heads", {}, "One", "There.", steps=({"layer": "1"}, {"layer": "2"})),
    Scene("heads", {}),
    Scene("masks", {}, "Two"),
)
LECTURE = scene_steps.unfold(Lecture("L", "", SCENES))


@pytest.mark.parametrize(
    ("address", "is_shown"),
    [("https://example.org/app", True), ("http://localhost:8501", False), ("", False), ("http://[abc", False)],
)
def test_the_slide_has_each_scene_once_and_an_address_that_others_can_open(
    address: str, is_shown: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(class_address, "address", lambda: address)
    slide = end_slide.data_of(LECTURE)
    assert slide["scenes"] == [("One", "There."), ("Two", "")]
    assert slide["address"] == (address if is_shown else "")
    assert slide["qr"] == (class_address.qr_rows(address) if is_shown else [])
