"""A scene that has been made, with all that the files of its lecture show of it."""

from __future__ import annotations

from dataclasses import dataclass

from model.questions import Question
from pages.shared.session.question_kinds import QUESTION_TITLES
from pages.teach.handouts.scene_view import SceneView
from pages.teach.lectures import own_question
from pages.teach.lectures.scene import Scene
from viz.documents.page_parts import Table
from viz.documents.scene_text import AskedQuestion

WORDS_ASKED = "The class writes words of its own."


@dataclass(frozen=True)
class KeptScene:
    """A scene that has been made: `pictures` as SVG, the `table` above them, and the whole `view`.

    `missing` says why there is neither picture nor table. `words` are those of a plain scene. `posed` is the question
    that was made from the numbers of the view. `place` is the scene's place in its lecture, and `step` the one of its
    `steps` that the view shows, counted from 1.
    """

    scene: Scene
    where: str
    pictures: tuple[bytes, ...] = ()
    table: Table | None = None
    caption: str = ""
    missing: str = ""
    view: SceneView | None = None
    words: str = ""
    posed: Question | None = None
    place: int = 0
    step: int = 1
    steps: int = 1

    @property
    def framed(self) -> int:
        """How many of the pictures the scene points at: all of its focus, or the first one where it names none."""
        many = len(self.pictures) if self.scene.focus else 1
        return min(many, len(self.pictures)) if self.scene.point else 0

    @property
    def said_question(self) -> str:
        """The question that is only said."""
        return "" if own_question.of_scene(self.scene) else self.scene.question

    @property
    def asked(self) -> AskedQuestion | None:
        """The question that the class answers: the lecturer's own, else the one from the numbers."""
        scene = self.scene
        own, posed = own_question.of_scene(scene), self.posed
        time = f"Time to answer: {scene.seconds} seconds." if scene.seconds else ""
        if own is not None:
            how = " ".join(filter(None, (WORDS_ASKED if scene.words else "", time)))
            return AskedQuestion(own.text, [each.label for each in own.choices], how, own.answer, own.explanation)
        if posed is not None:
            labels = [each.label for each in posed.choices]
            return AskedQuestion(posed.text, labels, time, posed.answer, posed.explanation, from_numbers=True)
        return AskedQuestion(QUESTION_TITLES[scene.ask], how=time, from_numbers=True) if scene.ask else None
