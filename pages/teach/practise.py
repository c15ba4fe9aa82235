"""Practise: questions about the reader's own sentence, one at a time, answered before anything is shown."""

from __future__ import annotations

import streamlit as st

from model.questions import Choice
from pages.catalogue import question_kinds_of
from pages.shared.elements import layout
from pages.shared.model_runs import traces
from pages.shared.session import state
from pages.shared.session.head_on_screen import keep
from pages.shared.session.question_kinds import QUESTION_TITLES
from pages.teach import questions
from pages.teach.questions import NoQuestion, Question, View
from viz.shared.style import markdown_text

IDEA = "Predict first, then look: every question is made from the numbers of your own sentence."
MAX_SKIPPED = 2 * len(QUESTION_TITLES)  # answered questions that Next passes over
MAX_ANSWERS = 500  # that a session remembers
Answers = dict[str, int]  # id of a question -> the reader's choice


def main() -> None:
    layout.begin("Practise", IDEA, depths=())
    run = traces.current(keep=keep)
    view = View("practise", {"model": run.name, "text": run.text, "target": run.target or ""})
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.selectbox(
            "Questions about",
            ("", *QUESTION_TITLES),
            key="practise_kind",
            format_func=lambda kind: QUESTION_TITLES.get(kind, "One thing after another"),
            on_change=state.put,
            kwargs={"practise_seed": 0},
            width=320,
        )
        _score()
    try:
        question, shown = _question(view, state.get("practise_kind"), state.get("practise_seed"))
    except traces.errors() as error:
        st.info(f"No question here: {markdown_text(str(error))}", icon=":material/help:")
        return
    *about, asks = question.text.split("\n")
    for line in about:
        layout.caption(markdown_text(line))
    st.subheader(markdown_text(asks), anchor=False, divider="gray")
    if picture := questions.picture(shown):
        st.image(picture, width=180)
    chosen = _answers().get(question.id)
    if chosen is None:
        _show_choices(question)
    else:
        _show_answer(question, chosen)
    with st.container(horizontal=True):
        if chosen is not None:
            _see_answer(shown)
        _next(view)


def _question(view: View, kind: str, seed: int) -> tuple[Question, View]:
    """The question of a seed. Without a kind, seeds go through all kinds for which the sentence has a question.

    Raises `NoQuestion` and the errors of `traces.errors`.
    """
    if kind:
        return questions.draw(kind, view, seed)
    mixed = [each for each in QUESTION_TITLES if each not in question_kinds_of("see")]  # Those are about pictures.
    for place in range(len(mixed)):
        try:
            return questions.draw(mixed[(seed + place) % len(mixed)], view, seed)
        except NoQuestion:
            continue
    raise NoQuestion("This sentence poses none. Write a longer one.")


def _show_choices(question: Question) -> None:
    for place, choice in enumerate(question.choices):
        st.button(
            markdown_text(choice.label),
            key=f"choice {question.id} {place}",
            shortcut=str(place + 1),
            on_click=_take_answer,
            args=(question, place),
            width="stretch",
        )
    layout.caption("Choose an answer: the picture comes after it.")
    layout.key_hint(f"The keys 1 to {len(question.choices)} choose, too.")


def _take_answer(question: Question, place: int) -> None:
    answers = _answers()
    if question.id not in answers:  # the first answer counts
        answers[question.id] = place
        right, answered = st.session_state.get("_practise_score", (0, 0))
        st.session_state["_practise_score"] = (right + (place == question.answer), answered + 1)
    while len(answers) > MAX_ANSWERS:
        del answers[next(iter(answers))]


def _show_answer(question: Question, chosen: int) -> None:
    """Right or wrong, why, and every choice with its number."""
    right = question.choices[question.answer].label
    if chosen == question.answer:
        st.success(f"Right: **{markdown_text(right)}**", icon=":material/check_circle:")
    else:
        own = markdown_text(question.choices[chosen].label)
        st.error(f"Not {own}. The answer is **{markdown_text(right)}**.", icon=":material/cancel:")
    st.markdown(markdown_text(question.explanation))
    st.markdown(
        "\n".join(_choice_line(choice, place, question, chosen) for place, choice in enumerate(question.choices))
    )


def _see_answer(shown: View) -> None:
    """The button to the view that shows the answer."""
    values = {name: value for name, value in shown.values.items() if value != ""}
    st.button(
        f"See it on {state.pages()[shown.page].title}",
        key="see it",
        icon=":material/visibility:",
        shortcut="s",
        on_click=state.show,
        args=(shown.page, state.as_text(values)),
    )


def _choice_line(choice: Choice, place: int, question: Question, chosen: int) -> str:
    icon = "check" if place == question.answer else "close" if place == chosen else "remove"
    mark = "  (your answer)" if place == chosen else ""
    return f"- :material/{icon}: **{markdown_text(choice.label)}**: {markdown_text(choice.note)}{mark}"


def _next(view: View) -> None:
    st.button(
        "Next question",
        key="next question",
        icon=":material/arrow_forward:",
        shortcut="n",
        on_click=_go_on,
        args=(view,),
    )


def _go_on(view: View) -> None:
    """Go to the next seed whose question has not been answered, or to the next seed if all have been."""
    kind, seed, answers = state.get("practise_kind"), state.get("practise_seed"), _answers()
    seeds = int(state.KEYS["practise_seed"].high) + 1
    for ahead in range(1, MAX_SKIPPED + 1):
        try:
            fresh = _question(view, kind, (seed + ahead) % seeds)[0].id not in answers
        except traces.errors():
            break
        if fresh:
            state.put(practise_seed=(seed + ahead) % seeds)
            return
    st.toast("You have answered what this sentence asks here. Change the sentence, or ask about something else.")
    state.put(practise_seed=(seed + 1) % seeds)


def _answers() -> Answers:
    return st.session_state.setdefault("_practised", {})


def _score() -> None:
    right, answered = st.session_state.get("_practise_score", (0, 0))
    if answered:
        st.markdown(f"**{right} of {answered}** right in this session")
        st.button("Start again", key="start again", icon=":material/restart_alt:", type="tertiary", on_click=_forget)


def _forget() -> None:
    st.session_state.pop("_practised", None)
    st.session_state.pop("_practise_score", None)
    state.put(practise_seed=0)


main()
