"""Things to try on a page: a row beside its picture, and the way back from them.

`reserve` keeps the row's place below the title, before the page knows its prompts. `show` fills it. A press changes
keys of the state. Then a line below the row names the changes, says what to see, and offers the way back. The page
scrolls to what is to be seen.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING, Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.components import mounts
from pages.shared.elements import claims
from pages.shared.elements.claims import Claim
from pages.shared.elements.lecture_screen import present_screen
from pages.shared.model_runs import traces
from pages.shared.server.session_values import of_session
from pages.shared.session import state, substitutes
from pages.shared.session.key_titles import is_code, title_of, value_title
from viz.documents.places import class_of
from viz.shared.labels import text_width
from viz.shared.style import isolate, markdown_text, number
from viz.shared.tokens import shorten

if TYPE_CHECKING:
    from model import Card

PLACE = "try this"  # the container's key, by which a saved page leaves it out
MAX_QUOTED = 40  # characters of a text
LABEL_SIZE, AROUND_LABEL = 14, 36  # pixels: of the type of a label, and of its button with a gap beside the label
ROW_WIDTH, MENU_WIDTH = 1030, 100  # pixels of the row at 1366 x 768, after its title, and of the menu at its end
MODELS = ("model", "classify_model", "see_model", "training_of")
SENTENCES = ("text", "turns", "target")


@dataclass(frozen=True)
class Prompt:
    """Something to try: a button that sets keys of `state.KEYS`, and one line about its effect (Markdown).

    `values` may name a model. A reader's own model that `suits` can show the thing too, and stays. `claim` is what the
    line says, as data. `at` is the key of the element that shows it; "": the first picture of the page.
    """

    label: str
    see: str
    values: Mapping[str, Any]
    suits: Callable[[Card], bool] | None = None
    claim: Claim | None = None
    at: str = ""


@dataclass(frozen=True)
class Trial:
    """A prompt that was pressed on a page: what the press changed, as Markdown. `press`: its number in the session."""

    page: str
    changes: tuple[str, ...]
    prompt: Prompt
    press: int


@dataclass
class PromptSession:
    """The reserved place of the row, until it is filled; and what was pressed in a session.

    `before`: the model and the sentence of the last press, and the reader's own values behind all presses.
    """

    place: DeltaGenerator | None = None
    presses: int = 0
    trial: Trial | None = None
    before: tuple[str, str, dict[str, Any]] = ("", "", {})


def reserve() -> None:
    """Keep the place of the row. The elements below it do not move when the row is filled."""
    claims.begin()
    if present_screen() is None:
        of_session(PromptSession).place = _make_place()


def _make_place() -> DeltaGenerator:
    return st.container(key=PLACE, gap=None)


def show(*prompts: Prompt) -> None:
    """Two or three things to try: at the reserved place, but at the page's foot while a lecture is presented."""
    if present_screen() is not None:
        _show_at_foot(prompts)
        return
    session = of_session(PromptSession)
    place, session.place = session.place, None
    with place or _make_place():  # a part of a page that is shown alone has reserved none
        with st.container(horizontal=True, vertical_alignment="center", gap="small", key="prompts"):
            st.markdown(":gray[Try this]", width="content")
            first = count_in_row([each.label for each in prompts])
            for each in prompts[:first]:
                _show_button(each)
            if others := prompts[first:]:
                key = f"more to try {session.presses}"  # another one closes the menu behind a press
                with st.popover(f"{len(others)} more", key=key, width="content"):
                    for each in others:
                        _show_button(each)
        if _before_try():
            _show_trial(session.trial)


def count_in_row(labels: Sequence[str]) -> int:
    """How many prompts have room in one row of a desk. Where not all have, there is room for the menu of the others."""
    ends = list(accumulate(text_width(label, LABEL_SIZE) + AROUND_LABEL for label in labels))
    room = ROW_WIDTH if ends and ends[-1] <= ROW_WIDTH else ROW_WIDTH - MENU_WIDTH
    return sum(end <= room for end in ends)


def _show_button(prompt: Prompt) -> None:
    st.button(prompt.label, key=f"try {prompt.label}", on_click=_try, args=(prompt,), width="content")


def _show_at_foot(prompts: tuple[Prompt, ...]) -> None:
    """Each prompt with what it lets see: notes of lectures quote it. The picture stays at the top."""
    with st.container(key=PLACE):
        st.subheader("Try this", anchor=False, divider="gray")
        for column, each in zip(st.columns(len(prompts)), prompts, strict=True):
            with column:
                st.button(each.label, key=f"try {each.label}", on_click=_try, args=(each,), width="stretch")
                st.markdown(f":gray[{each.see}]")
        if _before_try():
            st.button("Back to my sentence", key="back to my sentence", type="tertiary", on_click=_go_back)


def _show_trial(trial: Trial | None) -> None:
    """The line about the last press, where it was on this page, and the way back."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="tried"):
        if trial is not None and trial.page == state.page():
            changes = "; ".join(trial.changes) or "this was on screen already"
            said = f":gray[{changes[0].upper()}{changes[1:]}.] {trial.prompt.see} {claims.deny(trial.prompt.claim)}"
            st.markdown(said.strip(), width="stretch")
            mounts.reveal(class_of(trial.prompt.at), trial.press, key="reveal")
        st.button("Back to my sentence", key="back to my sentence", type="tertiary", on_click=_go_back)


def _try(prompt: Prompt) -> None:
    """Set the keys of a prompt, and keep the reader's choices behind them. The first of several prompts counts."""
    before, values = _before_try(), values_of(prompt)
    changes = tuple(filter(None, (_describe_change(name, state.get(name), value) for name, value in values.items())))
    for name in values:
        before.setdefault(name, substitutes.choice_of(name))
    state.put(**values)
    session = of_session(PromptSession)
    session.presses += 1
    press = session.trial.press + 1 if session.trial else 0
    session.trial = Trial(state.page(), changes, prompt, press)
    session.before = (state.get("model"), state.get("text"), before)


def values_of(prompt: Prompt) -> dict[str, Any]:
    """The values that a press sets: a prompt's own, without its model where the one on the page can show the thing.

    Its sentence is read as its words say: by the model without edits, from the usual first token. What the words are
    about is in the picture, and not among the equations or in the code.
    """
    card = _card(state.get("model"))
    keeps_model = card is not None and prompt.suits is not None and prompt.suits(card)
    values = {name: value for name, value in prompt.values.items() if name != "model" or not keeps_model}
    if "text" in values:
        values = {"edits": "", "begin": "", "turns": ""} | values
    if state.get("depth") in ("Formula", "Code"):
        values = {"depth": "Picture"} | values
    return values


def _card(name: str) -> Card | None:
    from model import available  # it needs torch, which is not loaded before a prompt is pressed

    return next((card for card in (*traces.cards(), *available("vision")) if card.name == name), None)


def _describe_change(name: str, before: Any, after: Any) -> str:
    """A change in words, as Markdown: "layer 3 → 0"; "" where nothing changes, or where the page chooses the value."""
    if before == after or (_is_open(name, after) and name != "edits"):
        return ""
    if name in MODELS:
        return f"model: {_write(name, before)} → {_write(name, after)}"
    if name in SENTENCES:
        return f"{title_of(name)} → “{isolate(markdown_text(shorten(after, MAX_QUOTED)))}”"
    title = title_of(name)
    if is_code(name):
        return f"{title} changed"
    old = "" if _is_open(name, before) else f"{_write(name, before)} "
    return f"{title} {old}→ {_write(name, after)}"


def _is_open(name: str, value: Any) -> bool:
    """Whether the page chooses in the place of a value."""
    return value == state.KEYS[name].default and value in ("", (), -1, -2)


def _write(name: str, value: Any) -> str:
    """A value of a key as Markdown."""
    if name in MODELS:
        card = _card(value)
        return markdown_text(card.title if card is not None else value)
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        return ", ".join(map(str, value))
    if isinstance(value, str):
        if state.KEYS[name].choices:
            return markdown_text(value_title(value))
        return f"“{isolate(markdown_text(shorten(value, MAX_QUOTED)))}”"
    return str(value) if isinstance(value, int) else number(value)


def _before_try() -> dict[str, Any]:
    """What the prompts have replaced; nothing once the reader has chosen another model or sentence."""
    model, text, before = of_session(PromptSession).before
    return before if (model, text) == (state.get("model"), state.get("text")) else {}


def _go_back() -> None:
    state.put(**_before_try())
    session = of_session(PromptSession)
    session.before, session.trial = ("", "", {}), None
