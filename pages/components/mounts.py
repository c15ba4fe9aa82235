"""Mounts of the browser components: the registration of all, and the mounts that several sections use.

A component is registered once, when its module is imported. Its data are packed bytes (`viz.shared.payload`): for text
Streamlit would import pandas, which takes a third of a second. When the reader acts in a component, its callback runs.
The value is then in the session under the component's key.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import streamlit as st

from viz.shared.component_files import module_of, name_of, script_of, styles_of
from viz.shared.component_script import pack_script
from viz.shared.payload import pack
from viz.shared.style import Theme

Callback = Callable[[], None] | None

# Their scripts travel deflated, and start a moment later. That of lecture_memory must not: a browser test lost the kept
# scenes of a lecture that way.
PACKED = {"attention/attention_lines", "home/model_map", "home/map_place"}


@cache
def component(path: str) -> Any:
    """The function that mounts the component in a folder of assets/components, such as "attention/heads_atlas".

    It is registered when it is first asked for. Its module has the folder's name, and brings all modules that it
    imports, each with its style sheet.
    """
    module = module_of(path)
    script = pack_script(script_of(module)) if path in PACKED else script_of(module)
    registered = st.components.v2.component(name_of(path), css=styles_of(module), js=script)

    def mount(*, key: str, **arguments: Any) -> Any:
        # Streamlit forgets a component with its page. A late message would then find nothing under the key.
        st.session_state.setdefault(key, {})
        return registered(key=key, **arguments)

    return mount


_theme_watch = component("app/theme_watch")
_pulse = component("app/pulse")
_reveal = component("app/reveal")


def pulse(seconds: float, beat: int, *, key: str) -> None:
    """Run the dialog around it again each so many seconds. `beat`: another number in each of its runs."""
    _pulse(data=pack({"seconds": seconds, "beat": beat}), key=key, on_beat_change=_nothing)


def reveal(place: str, press: int, *, key: str) -> None:
    """Scroll the page to the element of this class, once for each press. "": to its first picture below the prompts."""
    with st.container(key=f"{key} unseen"):
        _reveal(data=pack({"place": place, "press": press}), key=key)


def _nothing() -> None:
    """An empty callback. Streamlit names a component's value only if it has a callback."""


def theme_watch(theme: Theme, type_pixels: float, on_sizes: Callback) -> None:
    """Run the page again if the browser's theme is not `theme`, the theme of the figures, or if its type is not about
    as large as they are drawn for. `on_sizes` runs before: `.seen` under "theme watch" has the size of the type and the
    height of the window, in pixels."""
    _theme_watch(data=pack({"theme": theme, "type": type_pixels}), key="theme watch", on_seen_change=on_sizes)
