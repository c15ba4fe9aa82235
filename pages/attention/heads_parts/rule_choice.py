"""Many texts, Rule: the rule that is tested, as a sentence of menus, and its test where the reading has none of it."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from model.errors import RuleError
from model.surveys.reading import Reading
from model.surveys.rule_text import MOST_PARTS, SIMPLE, read_rule, write_rule
from model.surveys.rules import MARKS, Else, Nearest, Rule
from pages.attention.heads_parts import readings
from pages.attention.heads_parts.readings import Wish
from pages.shared.session import state
from pages.shared.session.keys import KEYS
from views.attention.many_texts.rule import RuleOnTexts
from views.head_of_run import HeadOfRun
from viz.shared.style import markdown_text, upper_first

NEAREST = "nearest"
TITLES = {name: rule.words for name, rule in SIMPLE.items()} | {NEAREST: "at the nearest earlier …"}


def rule_on_texts(head: HeadOfRun, reading: Reading) -> RuleOnTexts:
    """The view of the rule that the reader has made."""
    rule = _read()
    trial = trial_of(RuleOnTexts(head, reading, rule))
    tried = None if trial is None else trial.found()
    if tried is not None and tried.is_whole:
        reading = reading.with_rule(rule, tried.rule_tallies)
    return RuleOnTexts(head, reading, rule)


def trial_of(view: RuleOnTexts) -> Wish | None:
    """The reading by which the rule is tested; None where it needs none, or the texts are not read to their end."""
    if view.is_tested or view.head.at.is_cross or not view.reading.is_whole:
        return None
    return Wish(view.head.run.model, view.reading.collection, keeps=False, rules=(view.rule,))


def show_buttons(view: RuleOnTexts) -> None:
    """The button that tests the rule, goes on with the test, or stops it."""
    trial = trial_of(view)
    if trial is not None:
        readings.show_buttons(trial, "Test this rule")


def _read() -> Rule:
    try:
        return read_rule(state.get("heads_rule"))
    except RuleError as error:
        state.put(heads_rule=KEYS["heads_rule"].default)
        state.say("heads_rule", markdown_text(str(error)))
        return read_rule(state.get("heads_rule"))


def choose(view: RuleOnTexts) -> None:
    """A menu for each part of the rule, and what its words are."""
    parts = view.rule.parts
    for place, part in enumerate(parts):
        with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
            _choose_part(place, part, f"{upper_first(view.head.place)} looks" if place == 0 else "or else")
            if len(parts) > 1:
                others = (*parts[:place], *parts[place + 1 :])
                st.button("Leave out", icon=":material/close:", key=f"heads rule out {place}", type="tertiary",
                          on_click=_put, args=(others,))  # fmt: skip
            if place == len(parts) - 1 and len(parts) < MOST_PARTS:
                added = (*parts, next(rule for rule in SIMPLE.values() if rule not in parts))
                st.button("Else", icon=":material/add:", on_click=_put, args=(added,))


def _choose_part(place: int, part: Rule, label: str) -> None:
    """The menu of one part. One that names words has fields for them."""
    key, args = f"heads rule {place}", (place,)
    st.session_state[key] = NEAREST if isinstance(part, Nearest) else write_rule(part)
    st.selectbox(label, tuple(TITLES), key=key, format_func=TITLES.__getitem__, on_change=_take, args=args, width=340)
    if not isinstance(part, Nearest):
        return
    named = [*part.marks, *part.any_of]
    if st.session_state.get(f"{key} of"):  # a reader may take the last one away before naming another
        st.session_state[f"{key} of"] = named
    else:
        st.session_state.setdefault(f"{key} of", named)
    st.multiselect(
        "marks and words", [*MARKS, *part.any_of], key=f"{key} of", accept_new_options=True, on_change=_take, args=args,
        placeholder="Choose marks, or type words", width=340,
    )  # fmt: skip
    st.session_state[f"{key} like"] = part.pattern
    st.text_input(
        "or a word like", key=f"{key} like", placeholder="*ing", on_change=_take, args=args, width=130,
        help="* stands for any characters, ? for one, [0-9] for one of these.",
    )  # fmt: skip


def _take(place: int) -> None:
    """The part of the rule that a menu or a field has changed."""
    parts, key = _read().parts, f"heads rule {place}"
    name = st.session_state[key]
    part: Rule | None
    if name != NEAREST:
        part = SIMPLE[name]
    elif not isinstance(parts[place], Nearest):
        part = Nearest((next(iter(MARKS)),))
    else:
        part = _nearest(st.session_state[f"{key} of"], st.session_state[f"{key} like"])
    if part is not None:
        _put((*parts[:place], part, *parts[place + 1 :]))


def _nearest(named: Sequence[str], pattern: str) -> Rule | None:
    """None where the reader has named nothing yet."""
    marks = tuple(name for name in named if name in MARKS)
    words = tuple(name.strip() for name in named if name not in MARKS)
    return Nearest(marks, words, pattern.strip()) if marks or words or pattern.strip() else None


def _put(parts: Sequence[Rule]) -> None:
    """The rule of these parts. One that a link cannot have is left as it was."""
    text = write_rule(parts[0] if len(parts) == 1 else Else(tuple(parts)))
    try:
        read_rule(text)
    except RuleError as error:
        state.say("heads_rule", markdown_text(str(error)))
        return
    state.put(heads_rule=text)
