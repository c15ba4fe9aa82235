"""Which texts the part Many texts reads: a collection of the project, or the reader's own."""

from __future__ import annotations

import streamlit as st

from model import Model
from model.texts.collection import Collection
from pages.adding import local_token
from pages.attention.heads_parts import own_texts
from pages.shared.server import session_values
from pages.shared.session import state
from pages.shared.session.key_titles import title_of
from views.attention.many_texts import texts
from views.attention.many_texts.names import MINE
from viz.shared.style import count_noun, markdown_text, upper_first

NAME, KINDS = "heads texts", "heads kinds"  # keys of the controls
YOURS = "Your own texts"


def chosen(model: Model) -> Collection | None:
    """The texts that are read; None where they are the reader's own, and this window has none."""
    name = chosen_name(model)
    if name == MINE:
        return own_texts.collection()
    known, wanted = texts.BUILT_IN[name]().kinds, texts.split_kinds(state.get("heads_kinds"))
    kinds = texts.BETWEEN.join(kind for kind in wanted if kind in known)
    if len(texts.split_kinds(kinds)) < len(wanted):
        state.put(heads_kinds=kinds)
        state.say("heads_kinds", f"These texts have other kinds: {markdown_text(texts.BETWEEN.join(known))}.")
    return texts.built_in(name, kinds)


def chosen_name(model: Model) -> str:
    """The name of the collection; the page chooses by the model where the reader has not."""
    return state.get("heads_texts") or texts.usual_texts(model)


def may_keep(model: Model) -> bool:
    """Whether a reading of the chosen texts may be kept on the disk. A server writes nothing there that tells of a
    reader's own texts."""
    is_own = chosen_name(model) == MINE
    return not is_own or (not session_values.is_apart() and local_token.is_local())


def choose(model: Model) -> None:
    """The menu of the texts."""
    name, collection = chosen_name(model), chosen(model)
    label = f"{markdown_text(collection.name)}, {count_noun(len(collection.texts), 'text')}" if collection else YOURS
    with st.popover(f"Read: {label}", icon=":material/library_books:", width="content"):
        st.session_state[NAME] = name
        titles = {each: whole().name for each, whole in texts.BUILT_IN.items()} | {MINE: YOURS}
        st.radio(
            upper_first(title_of("heads_texts")), tuple(titles), key=NAME, format_func=titles.__getitem__,
            on_change=_take_name,
        )  # fmt: skip
        if name == MINE:
            own_texts.choose()
        else:
            st.session_state[KINDS] = list(texts.split_kinds(state.get("heads_kinds")))
            st.pills(
                upper_first(title_of("heads_kinds")), texts.BUILT_IN[name]().kinds, selection_mode="multi", key=KINDS,
                help="Only these are read. With none chosen, all are.", on_change=_take_kinds,
            )  # fmt: skip
    own_texts.remember()


def _take_name() -> None:
    state.put(heads_texts=st.session_state[NAME], heads_kinds="")


def _take_kinds() -> None:
    state.put(heads_kinds=texts.BETWEEN.join(st.session_state[KINDS]))
