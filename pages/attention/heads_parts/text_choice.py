"""Which texts the part Many texts reads: a collection of the project, or the reader's own."""

from __future__ import annotations

import streamlit as st

from model import Model
from model.texts.collection import Collection
from pages.shared.session import state
from pages.shared.session.key_titles import title_of
from views.attention.many_texts import texts
from viz.shared.style import markdown_text, upper_first

NAME, KINDS = "heads texts", "heads kinds"  # keys of the controls
ALL = "all kinds"


def chosen(model: Model) -> Collection:
    """The texts that are read."""
    name = chosen_name(model)
    known = texts.BUILT_IN[name]().kinds
    kinds = [kind for kind in texts.split_kinds(state.get("heads_kinds")) if kind in known]
    if len(kinds) < len(texts.split_kinds(state.get("heads_kinds"))):
        state.put(heads_kinds=texts.BETWEEN.join(kinds))
        state.say("heads_kinds", f"These texts have other kinds: {markdown_text(texts.BETWEEN.join(known))}.")
    return texts.built_in(name, texts.BETWEEN.join(kinds))


def chosen_name(model: Model) -> str:
    """The name of the collection; the page chooses by the model where the reader has not."""
    return state.get("heads_texts") or texts.usual_texts(model)


def choose(model: Model) -> None:
    """The menu of the texts."""
    name = chosen_name(model)
    collection = chosen(model)
    label = f"Texts: {markdown_text(collection.name)}, {len(collection.texts):,}"
    with st.popover(label, icon=":material/library_books:", width="content"):
        st.session_state[NAME] = name
        titles = {each: whole().name for each, whole in texts.BUILT_IN.items()}
        st.radio(
            upper_first(title_of("heads_texts")), tuple(titles), key=NAME, format_func=titles.__getitem__,
            on_change=_take_name,
        )  # fmt: skip
        st.session_state[KINDS] = list(texts.split_kinds(state.get("heads_kinds")))
        st.pills(
            upper_first(title_of("heads_kinds")), texts.BUILT_IN[name]().kinds, selection_mode="multi", key=KINDS,
            help="Only these are read. With none chosen, all are.", on_change=_take_kinds,
        )  # fmt: skip


def _take_name() -> None:
    state.put(heads_texts=st.session_state[NAME], heads_kinds="")


def _take_kinds() -> None:
    state.put(heads_kinds=texts.BETWEEN.join(st.session_state[KINDS]))
