"""The stage of a presented scene: its view is laid out for a lecture room, and its words stand above it.

assets/components/teach/presenter/stage.js keeps the scene's focus in view.
"""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from pages.shared.elements import prompts
from pages.shared.elements.layout import STAGE_HEAD, STAGE_POINT, STAGE_QUESTION, STAGE_WORDS
from pages.shared.elements.lecture_screen import SceneWords
from pages.shared.session import state
from pages.shared.session.keys import KEYS
from pages.teach.lectures.scene import Scene

# The bars float, so the block around them takes no space. Canvases and charts are in pixels, and grow by other means
# (assets/components/shared/layout.js, pages/shared/elements/lecture_screen.py). stage.js sets the variables.
PRESENTING = """
html { font-size: clamp(16px, 1.15vw, 40px); --presenting: 1; }
[data-testid="stSidebar"], [data-testid="stHeader"], [data-testid="stExpandSidebarButton"] { display: none; }
[data-testid="stMain"] { padding-right: var(--panel-width, 0px); }
[data-testid="stMainBlockContainer"] { --page-margin: 2.5rem; padding: 0 var(--page-margin) 4rem; }
[data-testid="stMainBlockContainer"] h1 { font-size: 1.35rem !important; padding: 0 !important; }
[data-testid="stMainBlockContainer"] [data-testid="stVerticalBlock"] { gap: 0.45rem; }
[data-testid="stElementContainer"]:has(h1) + [data-testid="stElementContainer"] { display: none; }
[data-testid="stLayoutWrapper"]:has(> .st-key-run-bar-place) {
  min-height: 0; margin-bottom: 0; padding: 0.3rem var(--page-margin);
}
[data-testid="stNumberInput"] { display: flex; align-items: center; gap: 0.5rem; }
[data-testid="stNumberInput"] label { flex: none; width: auto; margin: 0; white-space: nowrap; }
[data-testid="stNumberInputContainer"] { min-width: 4.5rem; max-width: 8rem; }
[data-testid="stElementContainer"]:has(> [data-testid="stNumberInput"]) { min-width: max-content; }
[class*="st-key-written-"]:not(.st-key-written-slide) p { font-size: max(1.15rem, 3vh); }
.st-key-teaching { position: absolute; height: 0; gap: 0; }
.st-key-help-foot { --foot: none; }
[data-stage="marked"] { outline: 4px solid light-dark(#b35c00, #f2ae38); outline-offset: 3px; border-radius: 4px; }
[data-stage="zoomed"] {
  position: fixed !important; z-index: 950; left: 0; top: 0; overflow: hidden;
  background: light-dark(#ffffff, #0f1216); transform-origin: 0 0;
}
html[data-zoomed] [data-testid="stMainBlockContainer"] :not([data-stage="zoomed"], [data-stage="zoomed"] *) {
  visibility: hidden;
}
html[data-zoomed] [data-stage="zoomed"], html[data-zoomed] .st-key-teaching * { visibility: visible; }
@media (max-width: 640px) { [data-testid="stMainBlockContainer"] { padding: 0.5rem 1rem 6rem; } }
"""
# The scene's title stands large and stays in sight below the run bar. Beside it stands the question, and then in the
# same place the point, so that nothing moves. The last row of a room reads letters of 1/40 of the screen's height.
SCENE_HEAD = """
[data-testid="stLayoutWrapper"]:has(> .st-key-HEAD) {
  position: sticky; top: var(--stage-bar, 2.6rem); z-index: 90; background: light-dark(#ffffff, #0f1216);
}
[data-testid="stMainBlockContainer"] .st-key-HEAD { flex-wrap: nowrap; gap: 1.5rem; padding: 0.2rem 0; }
[data-testid="stMainBlockContainer"] .st-key-HEAD h1 { font-size: 1.8rem !important; line-height: 1.2; }
.st-key-HEAD > [data-testid="stLayoutWrapper"]:has(.st-key-WORDS) { flex: 1 1 50%; }
.st-key-WORDS { display: grid; align-items: center; }
.st-key-WORDS > * { grid-area: 1 / 1; }
.st-key-WORDS :is(p, [data-testid="stMarkdownContainer"]) { margin: 0; }
.st-key-WORDS p {
  font-size: max(1.15rem, 3vh); line-height: 1.25; font-weight: 600; white-space: pre-wrap; unicode-bidi: plaintext;
}
.st-key-POINT p { color: light-dark(#8f5000, #f2ae38); }
html:not([data-scene-words="question"]) .st-key-QUESTION *,
html:not([data-scene-words="point"]) .st-key-POINT * { visibility: hidden; }
@media (max-width: 640px) { [data-testid="stMainBlockContainer"] .st-key-HEAD { flex-wrap: wrap; gap: 0; } }
"""
# Their values say which picture the scene shows, and the scene has chosen.
CHOSEN = ("depth", "attention", "layer", "head", "query", "key", "window", "columns")
WIDGETS = (
    "stButtonGroup", "stSelectbox", "stSlider", "stNumberInput", "stTextInput", "stTextArea", "stCheckbox", "stRadio",
)  # fmt: skip


def words_of(scene: Scene, page: str) -> SceneWords | None:
    """The scene's words, where its page is on screen and it has any."""
    if scene.page != page or not (scene.title or scene.question or scene.point):
        return None
    return SceneWords(scene.title or state.pages()[page].title, scene.question, scene.point)


def show(scene: Scene, page: str) -> None:
    """Write the style sheet of the stage. Where the presenter has gone to another page, its controls stay."""
    style = PRESENTING
    if scene.page == page:
        style += _scene_head()
        style += _hide_unused(scene.state)
    st.html(f"<style>{style}</style>")


def controls_of(values: Mapping[str, str]) -> list[str]:
    """The keys of the controls that the stage of a scene shows: those whose value the scene sets."""
    return [name for name, key in KEYS.items() if name in values and not key.choices and name not in CHOSEN]


def _scene_head() -> str:
    keys = {"HEAD": STAGE_HEAD, "WORDS": STAGE_WORDS, "QUESTION": STAGE_QUESTION, "POINT": STAGE_POINT}
    style = SCENE_HEAD
    for placeholder, key in keys.items():
        style = style.replace(placeholder, _name(key))
    return style


def _hide_unused(values: Mapping[str, str]) -> str:
    """The rule that hides all controls but those of the scene; stage.js shows them on a key."""
    unused = set(KEYS).difference(controls_of(values))
    classes = ", ".join(f".st-key-{_name(name)}" for name in KEYS if name in unused)
    kinds = ", ".join(f"[data-testid={kind}]" for kind in WIDGETS)
    widgets = f":has(> :is({kinds}))"
    controls = f':is({classes}){widgets}, [class*="st-key-export-"], .st-key-{_name(prompts.PLACE)}'
    return f"html:not([data-controls]) [data-testid=stMain] :is({controls}) {{ display: none; }}"


def _name(key: str) -> str:
    return key.replace(" ", "-")
