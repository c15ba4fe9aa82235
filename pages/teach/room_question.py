"""The question that a presenter asks now. `pages.teach.questions` makes it.

A question is asked of one view and ends when the view changes. This module is loaded with every page: no torch here.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import streamlit as st

from pages.catalogue import question_kinds_of
from pages.shared import state, traces

if TYPE_CHECKING:
    from model.questions import Question


@dataclass(frozen=True)
class ViewQuestion:
    """What is asked now. `number` counts the askings of a session; without a question, `why_not` says why."""

    number: int
    question: Question | None
    why_not: str = ""
    picture: str = ""  # what the question is about, for an `<img>`

    @property
    def told(self) -> dict[str, Any]:
        """For the presenter's browser."""
        if self.question is None:
            return {"number": self.number, "whyNot": self.why_not}
        question = self.question
        return {
            "number": self.number,
            "name": question.id,
            "text": question.text,
            "picture": self.picture,
            "choices": [choice.label for choice in question.choices],
            **solution(question),
        }


def solution(question: Question) -> dict[str, Any]:
    """What is told once the answer is known."""
    notes = [choice.note for choice in question.choices]
    return {"answer": question.answer, "notes": notes, "explanation": question.explanation}


def ask(kind: str, or_another: bool = False) -> None:
    """Ask a question of a kind about the view that the next run shows; "": none. `or_another`: where the view poses
    none of that kind, one of the page's other kinds will do."""
    before = st.session_state.get("_asked", {})
    number, last = before.get("number", 0) + 1, kind or before.get("last", "")
    st.session_state["_asked"] = {
        "kind": kind, "last": last, "number": number, "view": None, "or_another": or_another,
    }  # fmt: skip


def ask_another() -> None:
    """Ask the next kind that this page has behind the last one, the most apt one first."""
    kinds = question_kinds_of(st.session_state["_page"])
    last = st.session_state.get("_asked", {}).get("last", "")
    if kinds:
        ask(kinds[(kinds.index(last) + 1) % len(kinds)] if last in kinds else kinds[0], or_another=True)


def stop() -> None:
    """Ask no more."""
    ask("")


def now() -> ViewQuestion | None:
    """The question of the view of this run, if one is asked. Call it before the page is drawn."""
    asked = st.session_state.get("_asked")
    if not asked or not asked["kind"]:
        return None
    if asked["view"] not in (None, _here()):
        stop()
        return None
    from pages.teach import questions

    kinds, why_not = [asked["kind"]], ""
    if asked.get("or_another"):
        kinds += [kind for kind in question_kinds_of(st.session_state["_page"]) if kind not in kinds]
    for kind in kinds:
        try:
            view = questions.present()
            question, picture = questions.pose(kind, view), questions.picture(view)
        except traces.errors() as error:
            why_not = why_not or str(error)
        else:
            asked["kind"] = asked["last"] = kind
            return ViewQuestion(asked["number"], question, picture=picture)
    return ViewQuestion(asked["number"], None, why_not)


def settle() -> None:
    """The page has been drawn, and its view is complete: a later one is another view."""
    if st.session_state.get("_asked"):
        st.session_state["_asked"]["view"] = _here()


def _here() -> tuple[str, dict[str, str]]:
    return st.session_state["_page"], state.view()
