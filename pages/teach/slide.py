"""Slide: a plain scene of a lecture, with a title, paragraphs, a picture and an equation. Only a lecture leads here."""

from __future__ import annotations

import streamlit as st

from pages.shared.elements.lecture_screen import present_screen
from pages.shared.elements.page import ABOVE, Page, Part
from pages.shared.server.session_values import of_session
from pages.shared.session import state
from pages.teach.lectures import plain_scenes, slide_pictures
from pages.teach.lectures.notes_markdown import to_markdown
from pages.teach.presenting.my_room import RoomSession
from views.teach.slide import Slide
from viz.shared.style import markdown_text

IDEA = "The lecturer's own words. No model computed them."
# In a lecture there is no run bar: nothing here is of the model and the sentence that it names.
WITHOUT_BAR = """
<style>
[data-testid="stLayoutWrapper"]:has(> .st-key-run-bar-place) { display: none; }
:root { --stage-bar: 0px !important; }
</style>
"""
STYLE = """
<style>
[data-testid="stMainBlockContainer"] [data-testid="stHeading"] h1 { font-size: clamp(1.5rem, 2.8vw, 5rem) !important; }
.st-key-written-slide :is(p, li, .katex) {
  font-size: clamp(1.25rem, 2.1vw, 4rem); line-height: 1.45; text-align: start;
}
.st-key-written-slide :is(p, li) { max-width: 40em; }
.st-key-written-slide [data-testid="stMarkdownContainer"] { overflow: auto; max-height: 80vh; }
.st-key-written-slide img { max-height: 62vh; object-fit: contain; object-position: left top; }
</style>
"""


def slide() -> Slide:
    text = plain_scenes.begin_text(state.get("slide_text"), state.get("slide_shown"))
    name = state.get("slide_picture")
    picture = slide_pictures.STORE.find(name) if name else ""
    return Slide(
        to_markdown(text) if text.strip() else "",
        plain_scenes.safe_equation(state.get("slide_equation")),
        slide_pictures.data_url(picture) if picture else "",
        state.get("slide_alt") or "A picture without a description",
        bool(name),
    )


def heading() -> str:
    return markdown_text(state.get("slide_title").strip()) or "Untitled"


def _set_type(view: Slide) -> None:
    """The style sheet of the page."""
    in_lecture = present_screen() is not None or of_session(RoomSession).followed is not None
    st.html(STYLE + (WITHOUT_BAR if in_lecture else ""))


PAGE = Page(heading, IDEA, "", {"": Part("", slide, {ABOVE: _set_type})}, depths=())
