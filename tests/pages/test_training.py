"""The Training page: every part at every depth, and a live run that is started and stopped."""

import threading

import pytest

from tests.conftest import loaded
from tests.pages.conftest import run_page, text


@pytest.mark.parametrize("depth", ["Picture", "Numbers", "Formula", "Code"])
@pytest.mark.parametrize("part", ["replay", "live", "forcing"])
def test_every_part_has_every_depth(part: str, depth: str) -> None:
    run_page("learning/training.py", model="tiny-lm", training_part=part, depth=depth)


@pytest.mark.parametrize("name", ["tiny-lm", "en-ur"])
@pytest.mark.parametrize("snapshot", [0, 5, -1])
def test_every_snapshot_says_its_step(name: str, snapshot: int) -> None:
    app = run_page(
        "learning/training.py", model=name, text="I am a robot", training_of=name, training_snapshot=snapshot
    )
    steps = [entry["step"] for entry in loaded(name).card.details["snapshots"]]
    assert f"{steps[snapshot]:,}" in text(app)


def test_a_live_run_starts_and_stops() -> None:
    before = set(threading.enumerate())
    app = run_page("learning/training.py", model="tiny-lm", training_part="live", training_steps=5000)
    start = next(button for button in app.button if "Start" in button.label)
    start.click().run()
    assert not app.exception
    stop = next(button for button in app.button if "Stop" in button.label)
    stop.click().run()
    assert not app.exception
    for thread in set(threading.enumerate()) - before:
        if "live" in thread.name.lower() or "train" in thread.name.lower():
            thread.join(timeout=20)
            assert not thread.is_alive()
