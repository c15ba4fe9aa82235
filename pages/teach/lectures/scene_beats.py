"""What Page Down shows of a scene, one after another. No Streamlit here.

A scene is played in up to three beats: its question, the answer of the class, its point. The presenter's browser goes
through them, and the same way back (assets/components/teach/presenter/beats.js).
"""

from __future__ import annotations

from typing import Literal

from pages.teach.lectures import own_question
from pages.teach.lectures.scene import Scene

Beat = Literal["question", "answer", "point"]


def beats_of(scene: Scene) -> tuple[Beat, ...]:
    """The beats of a scene, or of a step of one.

    A question that the class answers has an answer. A question that is only said has none. The last beat is the bare
    picture with the point of the scene, if it has one.
    """
    is_answered = bool(scene.ask) or own_question.of_scene(scene) is not None
    if is_answered:
        return ("question", "answer", "point")
    return ("question", "point") if scene.question else ("point",)
