"""The works that the app cites, each with a link to it where it has one. A link may single one out."""

from __future__ import annotations

import streamlit as st

from model.bibliography import Work, bibliography
from pages.shared.session import state
from viz.shared.style import markdown_text

LECTURES = 5  # the first works are the lecture documents that the app follows


def show() -> None:
    works = bibliography()
    key = state.checked_choice("glossary_source", ("", *(work.key for work in works)), "Source", "")
    for work in works:
        if work.key == key:
            with st.container(border=True, key="chosen source"):
                st.markdown(describe_work(work))
    st.subheader("The lecture documents that this app follows", anchor=False)
    st.markdown(_list(works[:LECTURES]))
    st.subheader("Papers and books", anchor=False)
    st.markdown(_list(sorted(works[LECTURES:], key=lambda work: (work.cited[0].lower(), work.title))))


def describe_work(work: Work) -> str:
    """A work as Markdown, with a link to it."""
    title = f"[{markdown_text(work.title)}]({work.link})" if work.link else f"*{markdown_text(work.title)}*"
    year = f" ({work.year})" if work.year else ""
    authors = f" {markdown_text(work.authors)}{year}." if work.authors else ""
    return f"**{markdown_text(work.cited[0])}**:{authors} {title}. {markdown_text(work.where)}."


def _list(works: tuple[Work, ...] | list[Work]) -> str:
    return "\n".join(f"- {describe_work(work)}" for work in works)
