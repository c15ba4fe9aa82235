"""The question that the presenter asks now. `pages.teach.questions` makes it.

A question belongs to one view and ends when the view changes. Every page imports this module, so it imports no torch.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from pages.catalogue import question_kinds_of
from pages.shared.model_runs import traces
from pages.shared.server.session_values import of_session
from pages.shared.session import state
from pages.teach.lectures.own_question import OWN, OwnQuestion

if TYPE_CHECKING:
    from model.questions import Question

MAX_FIRST_NUMBER = 2**40  # Numbers begin anywhere below, so that those of two sessions of one browser differ.


@dataclass(frozen=True)
class ViewQuestion:
    """The question of a view. `number` counts those of a session. Without a question, `why_not` is the reason."""

    number: int
    question: Question | OwnQuestion | None
    why_not: str = ""
    picture: str = ""  # the picture that the question is about, for an `<img>`
    seconds: int = 0  # the time to answer; 0 for any
    of_scene: bool = False  # asked by the presented scene, and not by the presenter's key

    @property
    def presenter_data(self) -> dict[str, Any]:
        """The data for the presenter's bar."""
        if self.question is None:
            return {"number": self.number, "whyNot": self.why_not}
        question = self.question
        return {
            "number": self.number,
            "ofScene": self.of_scene,
            "name": question.id,
            "text": question.text,
            "picture": self.picture,
            "choices": [choice.label for choice in question.choices],
            "words": not question.choices,
            "seconds": self.seconds,
            **solution(question),
        }


@dataclass
class AskedSession:
    """What is asked of the class: a kind of question, "" for none, and the `view` that it belongs to once it was shown.

    `last` is the last kind that was asked. The other fields are as `ask` takes them.
    """

    number: int = field(default_factory=lambda: secrets.randbelow(MAX_FIRST_NUMBER))
    kind: str = ""
    last: str = ""
    view: tuple[str, dict[str, str]] | None = None
    or_another: bool = False
    own: OwnQuestion | None = None
    seconds: int = 0
    lead: str = ""


def solution(question: Question | OwnQuestion) -> dict[str, Any]:
    """The answer with its explanation, for the time when it is revealed."""
    notes = [choice.note for choice in question.choices]
    return {"answer": question.answer, "notes": notes, "explanation": question.explanation}


def ask(kind: str, or_another: bool = False, own: OwnQuestion | None = None, seconds: int = 0, lead: str = "") -> None:
    """Ask a question of a kind about the view of the next run; "" asks none, and `OWN` the lecturer's `own`.

    With `or_another`, a view without a question of that kind is asked one of the page's other kinds. `lead`: the
    lecturer's words, which stand above the question.
    """
    asked = of_session(AskedSession)
    asked.number += 1
    asked.kind, asked.view = kind, None
    asked.last = asked.last if kind in ("", OWN) else kind
    asked.or_another, asked.own, asked.seconds, asked.lead = or_another, own, seconds, lead


def ask_another() -> None:
    """Ask the page's next kind of question after the last one. The first is the most fitting one."""
    kinds = question_kinds_of(state.page())
    last = of_session(AskedSession).last
    if kinds:
        ask(kinds[(kinds.index(last) + 1) % len(kinds)] if last in kinds else kinds[0], or_another=True)


def stop() -> None:
    """Ask no more."""
    ask("")


def is_asked() -> bool:
    """Whether this session asks a question about the view that is on screen, as far as this run knows it."""
    asked = of_session(AskedSession)
    return bool(asked.kind) and asked.view in (None, _view())


def of_view() -> ViewQuestion | None:
    """The question of this run's view, if one is asked. Call it before the page is drawn."""
    asked = of_session(AskedSession)
    if not asked.kind:
        return None
    if asked.view not in (None, _view()):
        stop()
        return None
    if asked.kind == OWN:
        return ViewQuestion(asked.number, asked.own, seconds=asked.seconds, of_scene=True)
    from pages.teach import questions  # It imports torch.

    kinds, why_not = [asked.kind], ""
    if asked.or_another:
        kinds += [kind for kind in question_kinds_of(state.page()) if kind not in kinds]
    for kind in kinds:
        try:
            view = questions.present()
            question, picture = questions.pose(kind, view), questions.picture(view)
        except traces.errors() as error:
            why_not = why_not or str(error)
        else:
            asked.kind = asked.last = kind
            return ViewQuestion(
                asked.number,
                _below(asked.lead, question),
                picture=picture,
                seconds=asked.seconds,
                of_scene=not asked.or_another,
            )
    return ViewQuestion(asked.number, None, why_not)


def pose_here(kind: str) -> Question | None:
    """The question of a kind about the view of the present keys; None where it has none."""
    from pages.teach import questions  # It imports torch.

    try:
        return questions.pose(kind, questions.present())
    except traces.errors():
        return None


def _below(lead: str, question: Question) -> Question:
    """The question below the lecturer's words, where they do not say the same."""
    words = " ".join(lead.split())
    if not words or words.casefold() in question.text.casefold():
        return question
    return replace(question, text=f"{words}\n{question.text}")


def bind_to_view() -> None:
    """Bind the question to the view of this run. Call it after the page, when the view is complete."""
    of_session(AskedSession).view = _view()


def _view() -> tuple[str, dict[str, str]]:
    return state.page(), state.view()
