"""The elements that every page is laid out with: title, depth switch, the choice between parts, captions, code, export.

`pages.shared.elements.page.draw` calls them for a page that is data. Tools, such as Lecture, call them themselves.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.shared.elements import fragments, lecture_screen, prompts, shown
from pages.shared.server.session_values import of_session
from pages.shared.session import keys, state
from pages.shared.session.key_titles import title_of
from views.plain import source_of
from viz.shared.style import Theme, markdown_text, upper_first

MIME_TYPES = {
    "svg": "image/svg+xml",
    "pdf": "application/pdf",
    "png": "image/png",
    "csv": "text/csv",
    "npz": "application/octet-stream",
    "html": "text/html",
    "json": "application/json",
    "py": "text/x-python",
}

STAGE_HEAD = "stage head"  # the key of the row with a presented scene's title, which stays in sight
STAGE_WORDS = "stage words"  # the key of what stands beside it: the question and the point, one at a time
STAGE_QUESTION, STAGE_POINT = "stage question", "stage point"

MENU_WIDTH = 320  # pixels, of the code in a menu: a phone has room for it
THEMES: tuple[Theme, ...] = ("light", "dark")
Pictures = Mapping[str, Callable[[Theme], bytes | str]]  # label of a file -> the function that makes it for a theme


Prompt = prompts.Prompt
try_this = prompts.show


def begin(heading: str, idea: str, *, depths: tuple[str, ...] = keys.DEPTHS) -> str:
    """Title, one sentence of idea, the depth switch, and the place of "Try this". Returns the chosen depth.

    A page passes its own `depths` if it lacks some. No switch is drawn for one depth or none.
    """
    name_part("")
    depth = _show_title(heading, idea, depths)
    if depths:  # a tool has neither depths nor things to try
        prompts.reserve()
    return depth


def _show_title(heading: str, idea: str, depths: tuple[str, ...]) -> str:
    words = lecture_screen.scene_words()
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key=STAGE_HEAD if words else None):
        st.title(heading, anchor=False, width="content")
        st.markdown(f":gray[{idea}]", width="stretch")
        if words:
            _show_words(words)
        if len(depths) > 1:
            if state.get("depth") not in depths:
                state.put(depth=depths[0])
            st.segmented_control(
                "How deep", depths, key="depth", required=True, label_visibility="collapsed", width="content"
            )
            return state.get("depth")
    return depths[0] if depths else keys.DEPTHS[0]


def _show_words(words: lecture_screen.SceneWords) -> None:
    """The question and the point of a presented scene."""
    with st.container(key=STAGE_WORDS):
        for key, text in ((STAGE_QUESTION, words.question), (STAGE_POINT, words.point)):
            with st.container(key=key):
                st.markdown(markdown_text(text))


@dataclass
class PartSession:
    """The title of the open part of a page."""

    title: str = ""


def choose_part(key: str, titles: Mapping[str, str]) -> DeltaGenerator:
    """The choice between the parts of a page, kept under `key`. Returns its row."""
    row = st.container(horizontal=True, vertical_alignment="center", gap="small")
    row.segmented_control(
        upper_first(title_of(key)),
        tuple(titles),
        key=key,
        format_func=titles.__getitem__,
        required=True,
        label_visibility="collapsed",
        width="content",
    )
    name_part(titles[state.get(key)])
    return row


def name_part(title: str) -> None:
    """Say the title of the open part, for the slides that are made of it. An icon before it is left out."""
    of_session(PartSession).title = without_icon(title)


def without_icon(title: str) -> str:
    """A title without the icon before it."""
    return re.sub(r"^:material/\w+: ", "", title)


def open_part() -> str:
    """The title of the open part of the page; "" where it has none."""
    return of_session(PartSession).title


def caption(text: str) -> None:
    """One thing to see in the picture, computed from the data, as Markdown.

    User text in it must have gone through `viz.shared.style.markdown_text`.
    """
    st.markdown(f":gray[{text}]")


def settings(name: str) -> DeltaGenerator:
    """A place for what a picture is made with, above it in the same container. On a phone it stands below it."""
    return st.container(key=f"settings {name}", horizontal=True, vertical_alignment="bottom", gap="small")


def key_hint(text: str) -> None:
    """Words that name keys, as Markdown. assets/style.css hides them where there is no keyboard."""
    with st.container(key="keys"):
        caption(text)


def code(*objects: Any) -> None:
    """The source of classes and functions of the library, as it runs here."""
    for each in objects:
        module, source = source_of(each)
        st.markdown(f":gray[`{module}`]")
        st.code(source, language="python", line_numbers=True, wrap_lines=True)


def copy_as_python(lines: str, width: int | Literal["stretch"] = "stretch") -> None:
    """The lines that make the view in a notebook, with a button that copies them. Nothing for ""."""
    if lines:
        st.caption("Copy as Python: the same view in a notebook")
        st.code(lines, language="python", wrap_lines=True, width=width)


@fragments.alone
def export(name: str, pictures: Pictures | None = None, **makers: Callable[[], bytes | str]) -> None:
    """A menu of downloads: `export("heads", {"SVG": ...}, CSV=...)`. Each file is made when the reader wants it.

    The first word of a label, in lower case, is the file's extension. What a label says after "of" becomes part of the
    file's name. `pictures` are made for the theme that the reader chooses in the menu. A maker runs outside the page's
    script and must not read `st.session_state`, so bind the values that it needs. The buttons are drawn once the menu
    is open.
    """
    menu = st.popover("Export", icon=":material/download:", type="tertiary", key=f"export {name}", on_change="rerun")
    if not menu.open:
        return
    with menu:
        copy_as_python(shown.copied(), MENU_WIDTH)
    if pictures:
        theme = menu.segmented_control(
            "Pictures for a page that is",
            THEMES,
            default=state.theme(),
            key=f"export {name} theme",
            format_func=str.capitalize,
            required=True,
        )
        makers = {label: partial(make, theme) for label, make in pictures.items()} | makers
    for label, make in makers.items():
        kind = label.lower()
        extension = kind.split()[0]
        ending = "-dark" if label in (pictures or ()) and theme == "dark" else ""
        named = "".join(f"-{part}" for part in label.split(" of ")[1:])
        menu.download_button(
            label,
            make,
            file_name=f"{name}{named}{'-slide' if 'slide' in kind else ''}{ending}.{extension}",
            mime=MIME_TYPES[extension],
            key=f"export {name} {kind}{ending}",
            on_click="ignore",
            width="stretch",
        )
