"""The frame of every page: title, idea, depth switch, equation, caption, code, "Try this", export.

How a page uses it:

    depth = lesson.begin("Heads", "For every word, each head decides where to look.")
    run = traces.current(keep="*.weights")
    if depth == "Formula":
        lesson.equation(r"A = \\mathrm{softmax}(QK^\\top/\\sqrt{d_k})", "Palaskos (2022), eq. 3.42", {"A": "..."})
    elif depth == "Code":
        lesson.code(Attention)
    else: ...the picture, or its numbers...
    lesson.caption(f"'{token}' looks most at '{other}', 31%.")
    lesson.export("heads", {"PNG": lambda theme: figure_bytes("png", theme)}, CSV=lambda: table_bytes())
    lesson.try_this(lesson.Prompt("What is *it*?", "Layer 9, head 2 looks at *fox*.", {"heads_layer": 9}))
"""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import streamlit as st

from pages.shared import fragments, keys, state
from viz.shared.style import MINUS, Theme, isolate, markdown_text, number

MIME = {
    "svg": "image/svg+xml",
    "pdf": "application/pdf",
    "png": "image/png",
    "csv": "text/csv",
    "npz": "application/octet-stream",
    "html": "text/html",
    "json": "application/json",
    "py": "text/x-python",
}

THEMES: tuple[Theme, ...] = ("light", "dark")
Pictures = Mapping[str, Callable[[Theme], bytes | str]]  # label of a file -> what makes it for a theme


@dataclass(frozen=True)
class Prompt:
    """Something to try: a button that sets keys of `state.KEYS`, and one line that says what will be seen."""

    label: str
    see: str
    values: Mapping[str, Any]


def begin(heading: str, idea: str, *, depths: tuple[str, ...] = keys.DEPTHS) -> str:
    """Title, one sentence of idea, and the depth switch. Returns the depth that the reader chose.

    A page without some depths passes those that it has; with one or none, no switch is drawn.
    """
    if len(depths) < 2:
        st.title(heading, anchor=False)
        st.markdown(f":gray[{idea}]")
        return depths[0] if depths else keys.DEPTHS[0]
    left, switch = st.columns([3, 2], vertical_alignment="center")
    left.title(heading, anchor=False)
    with switch, st.container(horizontal=True, horizontal_alignment="right"):
        if state.get("depth") not in depths:
            state.put(depth=depths[0])
        st.segmented_control(
            "How deep", depths, key="depth", required=True, label_visibility="collapsed", width="content"
        )
    st.markdown(f":gray[{idea}]")
    return state.get("depth")


Parts = Mapping[str, tuple[str, Callable[[str], None]]]  # value of the key -> title, and what shows it at a depth


def parts(key: str, choices: Parts, depth: str) -> None:
    """A page of several parts: the choice between them, kept under `key`, and the open one. The others do not run."""
    st.segmented_control(
        "Part",
        tuple(choices),
        key=key,
        format_func=lambda part: choices[part][0],
        required=True,
        label_visibility="collapsed",
    )
    choices[state.get(key)][1](depth)


def caption(text: str) -> None:
    """What the eye should see, computed from the data. Markdown: user text through `viz.shared.style.markdown_text`."""
    st.markdown(f":gray[{text}]")


def equation(latex: str, source: str, symbols: Mapping[str, str] | None = None) -> None:
    """An equation, where it comes from, and what each symbol (LaTeX) stands for in this run."""
    st.latex(latex)
    st.caption(source)
    if symbols:
        st.markdown("\n".join(f"- ${symbol}$: {meaning}" for symbol, meaning in symbols.items()))


def work_out(said: str, *sums: str) -> None:
    """Beneath an equation, the same with the numbers of this run: what they are of (Markdown), then each sum (LaTeX).

    `pages.shared.sums` writes the common ones.
    """
    st.markdown(said)
    for latex in sums:
        st.latex(latex)


def quote(word: str) -> str:
    """A token as running text names it: bold, safe in Markdown, and in its own direction of writing.

    One of signs alone stands in quotation marks: “After 9 tokens . is likeliest” would read as a slip.
    """
    bold = f"**{isolate(markdown_text(word))}**"
    return bold if any(map(str.isalnum, word)) else f"“{bold}”"


def tex(value: float, digits: int = 3) -> str:
    """A number for LaTeX, in the figures of `number`; a negative one in brackets."""
    if math.isinf(value):
        return r"\infty" if value > 0 else r"(-\infty)"
    text = number(value, digits).replace(",", "{,}").replace(MINUS, "-")
    mantissa, _, power = text.partition("e")
    text = rf"{mantissa} \cdot 10^{{{int(power)}}}" if power else text
    return f"({text})" if value < 0 else text


def code(*objects: Any) -> None:
    """The source of the library's own classes and functions, as it runs here."""
    for shown in objects:
        st.markdown(f":gray[`{inspect.getmodule(shown).__name__}`]")  # type: ignore[union-attr]
        st.code(inspect.getsource(shown), language="python", line_numbers=True, wrap_lines=True)


def try_this(*prompts: Prompt) -> None:
    """Two or three things to try. Each sets the state of a view, and says what will be seen there."""
    with st.container(key="try this"):  # a saved page leaves it out
        st.subheader("Try this", anchor=False, divider="gray")
        for column, each in zip(st.columns(len(prompts)), prompts, strict=True):
            with column:
                st.button(
                    each.label,
                    key=f"try {each.label}",
                    on_click=state.put,
                    kwargs=dict(each.values),
                    width="stretch",
                )
                caption(each.see)


@fragments.alone
def export(name: str, pictures: Pictures | None = None, **makers: Callable[[], bytes | str]) -> None:
    """A menu of downloads: `export("heads", {"SVG": ...}, CSV=...)`. Each file is made when it is asked for.

    What stands before a label's first space is, in lower case, the extension. `pictures` are made for the theme that
    the reader chooses in the menu, the page's own at first. A maker runs outside the page's script: it must not read
    `st.session_state`, so bind the values that it needs. The buttons are drawn once the menu is opened.
    """
    menu = st.popover("Export", icon=":material/download:", type="tertiary", key=f"export {name}", on_change="rerun")
    if not menu.open:
        return
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
        menu.download_button(
            label,
            make,
            file_name=f"{name}{'-slide' if 'slide' in kind else ''}{ending}.{extension}",
            mime=MIME[extension],
            key=f"export {name} {kind}{ending}",
            on_click="ignore",
            width="stretch",
        )
