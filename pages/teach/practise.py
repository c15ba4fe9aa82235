"""Practise: questions about the reader's own sentence, one at a time, answered before anything is shown."""

from __future__ import annotations

import streamlit as st

from model.questions import Choice
from pages.catalogue import question_kinds_of
from pages.shared.elements import layout
from pages.shared.model_runs import traces
from pages.shared.session import state
from pages.shared.session.question_kinds import LEVELS, QUESTION_KINDS, QUESTION_TITLES, kinds_of_level
from pages.teach import practise_progress, questions
from pages.teach.questions import NoQuestion, Question, View
from views.head_of_run import keep
from viz.shared.style import markdown_text

IDEA = "Predict first, then look: every question is made from the numbers of your own sentence."
MAX_SKIPPED = 2 * len(QUESTION_TITLES)  # answered questions that Next passes over
# A choice that the pointer happens to rest on must not look chosen.
CHOICES_STYLE = """
<style>
[class*="st-key-choice-"] button:not(:focus-visible):is(:hover, :focus) {
  color: inherit; border-color: light-dark(#d0d7de, #343c46);
}
@media (hover: hover) {
  [class*="st-key-choice-"] button:hover { background: light-dark(#f1f4f7, #1b2129); }
}
</style>
"""


def main() -> None:
    layout.begin("Practise", IDEA, depths=())
    st.html(CHOICES_STYLE)
    run = traces.current(keep=keep)
    view = View("practise", {"model": run.name, "text": run.text, "target": run.target or ""})
    level = _choose_level()
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.selectbox(
            "Questions about",
            ("", *kinds_of_level(level)),
            key="practise_kind",
            format_func=lambda kind: QUESTION_TITLES.get(kind, "One thing after another"),
            on_change=state.put,
            kwargs={"practise_seed": 0},
            width=320,
        )
        _score(level)
    try:
        question, shown = _question(view, level, state.get("practise_kind"), state.get("practise_seed"))
    except traces.errors() as error:
        st.info(f"No question here: {markdown_text(str(error))}", icon=":material/help:")
        return
    _show_question(question, shown)
    chosen = practise_progress.answers(level).get(question.id)
    if chosen is None:
        _show_choices(question, level)
    else:
        _show_answer(question, chosen)
    with st.container(horizontal=True):
        if chosen is not None:
            _see_answer(shown)
        _next(view, level)


def _choose_level() -> str:
    """The level, and what it takes. A link to a kind of another level shows that level."""
    kind = state.get("practise_kind")
    if kind and QUESTION_KINDS[kind].level != state.get("practise_level"):
        state.put(practise_level=QUESTION_KINDS[kind].level)
    st.segmented_control(
        "Level",
        tuple(LEVELS),
        key="practise_level",
        format_func=_say_level,
        required=True,
        on_change=state.put,
        kwargs={"practise_kind": "", "practise_seed": 0},
    )
    level: str = state.get("practise_level")
    layout.caption(LEVELS[level].about)
    return level


def _say_level(level: str) -> str:
    """The title of a level, and what was answered there."""
    right, answered = practise_progress.score(level)
    return f"{LEVELS[level].title} · {right} of {answered}" if answered else LEVELS[level].title


def _question(view: View, level: str, kind: str, seed: int) -> tuple[Question, View]:
    """The question of a seed. Without a kind, seeds go through those of the level that the sentence has a question for.

    Raises `NoQuestion` and the errors of `traces.errors`.
    """
    if kind:
        return questions.draw(kind, view, seed)
    mixed = [
        each for each in kinds_of_level(level) if each not in question_kinds_of("see")
    ]  # Those are about pictures.
    for place in range(len(mixed)):
        try:
            return questions.draw(mixed[(seed + place) % len(mixed)], view, seed)
        except NoQuestion:
            continue
    raise NoQuestion("This sentence poses none. Write a longer one, or choose another level.")


def _show_question(question: Question, shown: View) -> None:
    *about, asks = question.text.split("\n")
    for line in about:
        layout.caption(markdown_text(line))
    st.subheader(markdown_text(asks), anchor=False, divider="gray")
    if help_text := QUESTION_KINDS[question.kind].help:
        layout.caption(help_text)
    if picture := questions.picture(shown):
        st.image(picture, width=180)


def _show_choices(question: Question, level: str) -> None:
    for place, choice in enumerate(question.choices):
        st.button(
            markdown_text(choice.label),
            key=f"choice {question.id} {place}",
            shortcut=str(place + 1),
            on_click=_take_answer,
            args=(level, question, place),
            width="stretch",
        )
    layout.caption("Choose an answer: the picture comes after it.")
    layout.key_hint(f"Typing a number from 1 to {len(question.choices)} chooses, too.")


def _take_answer(level: str, question: Question, place: int) -> None:
    practise_progress.take(level, question.id, place, place == question.answer)


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


def _next(view: View, level: str) -> None:
    st.button(
        "Next question",
        key="next question",
        icon=":material/arrow_forward:",
        shortcut="n",
        on_click=_go_on,
        args=(view, level),
    )


def _go_on(view: View, level: str) -> None:
    """Go to the next seed whose question has not been answered, or to the next seed if all have been."""
    kind, seed = state.get("practise_kind"), state.get("practise_seed")
    answers = practise_progress.answers(level)
    seeds = int(state.KEYS["practise_seed"].high) + 1
    for ahead in range(1, MAX_SKIPPED + 1):
        try:
            fresh = _question(view, level, kind, (seed + ahead) % seeds)[0].id not in answers
        except traces.errors():
            break
        if fresh:
            state.put(practise_seed=(seed + ahead) % seeds)
            return
    st.toast("You have answered what this sentence asks here. Change the sentence, or ask about something else.")
    state.put(practise_seed=(seed + 1) % seeds)


def _score(level: str) -> None:
    right, answered = practise_progress.score(level)
    if answered:
        st.markdown(f"**{right} of {answered}** right at this level")
        st.button(
            "Start again",
            key="start again",
            icon=":material/restart_alt:",
            type="tertiary",
            on_click=_forget,
            args=(level,),
        )


def _forget(level: str) -> None:
    practise_progress.forget(level)
    state.put(practise_seed=0)


main()
