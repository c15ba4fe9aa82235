"""The dialog that adds a model: a name, a look at what it is, the download, and the models that were added.

It is a piece of the page that runs alone, so nothing on the page changes meanwhile. The whole page runs again when a
model has come or gone. app.py shows the dialog after the page, in each run until the reader closes it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import streamlit as st

from model.errors import GlassformerError
from model.numerals import file_size
from pages.adding import rights
from pages.adding.downloads import Download, Downloads
from pages.adding.rights import NotAllowed
from pages.components import mounts
from pages.shared.model_runs import model_choice
from pages.shared.server import limits, presenters, rate_limits
from pages.shared.server.networks import network_here
from pages.shared.server.presenters import SignInError, Standing
from pages.shared.server.private_parts import runs
from pages.shared.server.rate_limits import LimitReached
from pages.shared.server.session_values import of_session
from viz.shared.style import markdown_text

if TYPE_CHECKING:
    from model import Card
    from model.adding.found import Found
    from model.zoo.files import Progress

FIELD = "adding_name"
PULSE_SECONDS = 0.7
MAX_CHARACTERS = 300
HUB = "https://huggingface.co/models"


class Answer(NamedTuple):
    """What is behind a text that the reader asked for.

    `fault`: why it cannot be added, "" if it can. `instead`: names that were perhaps meant.
    """

    found: Found | None
    fault: str = ""
    instead: tuple[str, ...] = ()


@dataclass
class AddingSession:
    """The dialog of a session.

    `asked`: the text that the reader wants to know about, and `seen`: the last such text with its answer. `work`: the
    download that the reader waits for, and `told`: one whose end the page knows. `has_changed`: the page must run
    again. `beats`: how often the dialog was drawn at a download. `refused`: why nobody could sign in.
    """

    is_open: bool = False
    asked: str = ""
    seen: tuple[str, Answer] | None = None
    work: Download | None = None
    told: Download | None = None
    has_changed: bool = False
    beats: int = 0
    refused: str = ""


def open_dialog() -> None:
    """Show the dialog from the next run on. For callbacks."""
    of_session(AddingSession).is_open = True


def show() -> None:
    """Draw the dialog where the reader has opened it. app.py calls it in each run."""
    if of_session(AddingSession).is_open:
        _dialog()


def _close() -> None:
    session = of_session(AddingSession)
    session.is_open = False
    if session.work is not None and session.work.is_over:
        _forget()


def _forget() -> None:
    session = of_session(AddingSession)
    session.asked, session.seen, session.work = "", None, None


@st.dialog("Add a model", width="medium", on_dismiss=_close)
def _dialog() -> None:
    session = of_session(AddingSession)
    work = session.work
    if work is not None and work.is_over and session.told is not work:
        session.told, session.has_changed = work, True
    if session.has_changed:
        session.has_changed = False
        st.rerun()
    try:
        rights.check_visitor()
    except NotAllowed as error:
        st.info(markdown_text(str(error)), icon=":material/lock:")
        if rights.standing() is Standing.NOT_SIGNED_IN:
            st.button("Sign in", icon=":material/login:", on_click=_sign_in)
        if session.refused:
            st.error(markdown_text(session.refused), icon=":material/error:")
            session.refused = ""
    else:
        _draw_form()
        _draw_state(work)
    _draw_added()


def _draw_form() -> None:
    """The field and its button. The caption says what may be written."""
    from model.zoo.families import families_in_words

    with st.container(key="adding form"), st.form("adding", border=False):
        field, button = st.columns([4, 1], vertical_alignment="bottom")
        field.text_input(
            "Name on the hub, folder or GGUF file" if rights.is_local() else "Name on the hub",
            key=FIELD,
            placeholder="openai-community/gpt2",
            autocomplete="off",
        )
        button.form_submit_button("Look", icon=":material/search:", width="stretch", on_click=_ask)
    # No caption: its colour is that of the page, and a dialog is drawn outside of the page.
    st.markdown(
        f":small[A model of the [Hugging Face hub]({HUB}), with a revision if you like: owner/name@revision; and "
        "one GGUF file of several: owner/name:file.gguf, or owner/name:Q4_K_M. An address of the hub will do. These "
        f"families can be read: {families_in_words()}.]"
    )


def _draw_state(work: Download | None) -> None:
    """What was found, or how far the download is. One place for all, so that nothing below it jumps."""
    with st.container(key="adding state"):
        if work is not None and not work.is_over:
            _draw_progress(work)
        elif work is not None and work.card is not None:
            st.success(f"{markdown_text(work.card.title)} is ready.", icon=":material/check_circle:")
            st.button("Use it now", icon=":material/arrow_forward:", type="primary", on_click=_use, args=(work.card,))
        else:
            if work is not None:
                st.error(markdown_text(work.fault), icon=":material/error:")
            _draw_found()


def _draw_progress(work: Download) -> None:
    st.progress(min(work.share, 1.0), text=markdown_text(f"{work.found.name}: {work.step}"))
    st.button("Cancel", icon=":material/close:", on_click=_cancel, args=(work,))
    session = of_session(AddingSession)
    session.beats += 1
    mounts.pulse(PULSE_SECONDS, session.beats, key="adding pulse")


def _draw_found() -> None:
    """What is behind the name, and the button that adds it; or why it cannot be added."""
    session = of_session(AddingSession)
    asked, seen = session.asked, session.seen
    if not asked:
        return
    if seen is None or seen[0] != asked:
        with st.spinner("Looking…"):
            seen = session.seen = (asked, _look(asked))
    found, fault, instead = seen[1]
    if found is not None:
        lines = [f":gray[{name}] {markdown_text(value)}" for name, value in found.facts()]
        st.markdown("  \n".join([f"**{markdown_text(found.name)}**", *lines]))
    if fault:
        st.error(markdown_text(fault), icon=":material/error:")
        for name in instead:
            st.button(markdown_text(name), key=f"instead {name}", icon=":material/search:", on_click=_ask, args=(name,))
    elif found is not None:
        st.button("Add", icon=":material/download:", type="primary", on_click=_add, args=(found,))


def _look(text: str) -> Answer:
    from model.adding.add import look
    from model.zoo.memory import check_memory

    try:
        rights.check(text)
        rate_limits.spend(limits.ADDITIONS)
        found = look(text)
    except (GlassformerError, LimitReached, OSError) as error:
        return Answer(None, str(error), error.instead if isinstance(error, GlassformerError) else ())
    try:
        check_memory(found.name, found.memory or 0, found.free)
    except GlassformerError as error:
        return Answer(found, str(error))
    return Answer(found)


def _draw_added() -> None:
    """The models that were added, with a button each where this visitor may remove them."""
    from model.zoo.cards import added_cards

    added = added_cards()
    if not added:
        return
    st.markdown("##### Added here")
    may_remove = rights.may_remove()
    for card in added:
        words, button = st.columns([4, 1], vertical_alignment="center")
        facts = f"{card.name} · {file_size(card.size)}{'' if card.ready else f' · {card.state}'}"
        words.markdown(f"**{markdown_text(card.title)}**  \n:small[{markdown_text(facts)}]")
        if may_remove:
            button.button(
                "Remove",
                key=f"remove {card.name}",
                on_click=_remove,
                args=(card.name,),
                type="tertiary",
                width="stretch",
            )


def _sign_in() -> None:
    try:
        presenters.sign_in()
    except SignInError as error:
        of_session(AddingSession).refused = str(error)


def _ask(name: str = "") -> None:
    """Act on a press of Look, or of a name that is offered: what was asked before is forgotten, unless at work."""
    session = of_session(AddingSession)
    if session.work is None or session.work.is_over:
        _forget()
        if name:
            st.session_state[FIELD] = name
        session.asked = st.session_state[FIELD].strip()[:MAX_CHARACTERS]


def _add(found: Found) -> None:
    of_session(AddingSession).work = downloads().join(found, _session(), network_here())


def _cancel(work: Download) -> None:
    downloads().leave(work, _session())
    of_session(AddingSession).work = None


def _use(card: Card) -> None:
    model_choice.take(card.name)
    _close()
    of_session(AddingSession).has_changed = True


def _remove(name: str) -> None:
    from model.adding.add import remove

    if rights.may_remove():
        remove(name)
        of_session(AddingSession).has_changed = True


def _session() -> str:
    return runs.session_id() or ""


@st.cache_resource(show_spinner=False, max_entries=1)
def downloads() -> Downloads:
    """The downloads of this server."""

    def add(found: Found, progress: Progress) -> Card:
        from model.adding.add import add

        return add(found, progress)

    return Downloads(add)
