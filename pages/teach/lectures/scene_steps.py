"""Steps within a scene: small changes of its view, one after another. No Streamlit here.

A presented lecture has a scene for each step (`unfold`). So the code that goes from scene to scene, shows notes or
takes the class along knows nothing of steps.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from pages.teach.lectures.scene import Lecture, Scene

SceneEdit = Callable[[Scene], Scene]
# What a scene says once, before its first step.
SAID_ONCE: Mapping[str, Any] = {
    "question": "", "ask": "", "choices": (), "answer": 0, "words": False, "seconds": 0, "minutes": 0,
}  # fmt: skip


def unfold(lecture: Lecture) -> Lecture:
    """The lecture with a scene for each step of its scenes."""
    return replace(lecture, scenes=tuple(each for scene in lecture.scenes for each in unfold_scene(scene)))


def place_of(lecture: Lecture, place: int) -> int:
    """The place that a scene of the lecture has in the unfolded lecture: that of its beginning."""
    return place + sum(len(scene.steps) for scene in lecture.scenes[:place])


def view_at(scene: Scene, step: int) -> dict[str, str]:
    """The values of the scene's view after so many steps."""
    values = dict(scene.state)
    for change in scene.steps[:step]:
        values |= change
    return values


def find_change(before: Mapping[str, str], after: Mapping[str, str], defaults: Mapping[str, str]) -> dict[str, str]:
    """The step that leads from one view to another. A key that only the first has gets its default."""
    gone = {name: defaults[name] for name in before if name not in after and name in defaults}
    values = {**gone, **after}
    return {name: value for name, value in values.items() if before.get(name, defaults.get(name)) != value}


def unfold_scene(scene: Scene) -> list[Scene]:
    """The scene as it begins, and after each of its steps."""
    first = replace(scene, steps=())
    if not scene.steps:
        return [first]
    later = replace(first, **SAID_ONCE)
    return [first, *(replace(later, state=view_at(scene, step)) for step in range(1, len(scene.steps) + 1))]
