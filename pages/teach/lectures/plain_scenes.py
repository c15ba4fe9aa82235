"""Plain scenes of a lecture: the page `slide` with one's own words, picture and equation. No Streamlit here."""

from __future__ import annotations

from dataclasses import replace

from pages.teach.lectures import slide_pictures
from pages.teach.lectures.lecture_file import MAX_STEPS, PICTURE_KEY
from pages.teach.lectures.scene import Scene

PAGE = "slide"


def new_scene() -> Scene:
    return Scene(PAGE, {})


def is_plain(scene: Scene) -> bool:
    return scene.page == PAGE


def paragraphs_of(text: str) -> list[str]:
    """The lines of a text that say something. Each is a paragraph."""
    return [line for line in text.split("\n") if line.strip()]


def begin_text(text: str, count: int) -> str:
    """The text up to its paragraph of that number; all of it if it has fewer."""
    ends = [number for number, line in enumerate(text.split("\n"), 1) if line.strip()]
    return "\n".join(text.split("\n")[: ends[count - 1]]) if 0 < count <= len(ends) else text


def safe_equation(latex: str) -> str:
    """LaTeX that cannot end the equation and go on as Markdown: one line, without dollar signs."""
    return " ".join(latex.replace("$", " ").split())


def set_value(scene: Scene, name: str, text: str) -> Scene:
    """The scene with another value of a key of its page; "" leaves the key out."""
    state = {**scene.state, name: text}
    if not text:
        del state[name]
    changed = replace(scene, state=state)
    return step_through(changed) if name == "slide_text" and scene.steps else changed


def set_title(scene: Scene, title: str) -> Scene:
    """The scene with another title. A plain scene shows it on its page, too."""
    return (
        set_value(replace(scene, title=title), "slide_title", title) if is_plain(scene) else replace(scene, title=title)
    )


def set_picture(scene: Scene, picture: str) -> Scene:
    """The scene with a picture in base64; "" takes it away."""
    name = slide_pictures.name_of(picture) if picture else ""
    return set_value(replace(scene, picture=picture), PICTURE_KEY, name)


def step_through(scene: Scene) -> Scene:
    """The scene with its paragraphs one after another. Those beyond the last step appear together."""
    many = len(paragraphs_of(scene.state.get("slide_text", "")))
    shown = [str(number) for number in range(1, many + 1)][: MAX_STEPS + 1]
    if len(shown) < 2:
        return show_at_once(scene)
    if len(shown) < many:
        shown[-1] = "0"
    steps = tuple({"slide_shown": number} for number in shown[1:])
    return replace(scene, state={**scene.state, "slide_shown": shown[0]}, steps=steps)


def comes_by_paragraph(scene: Scene) -> bool:
    """Whether the steps of a scene do nothing but show its next paragraphs."""
    return is_plain(scene) and all(set(step) <= {"slide_shown"} for step in scene.steps)


def show_at_once(scene: Scene) -> Scene:
    """The scene with all its paragraphs from the start."""
    return replace(scene, state={name: value for name, value in scene.state.items() if name != "slide_shown"}, steps=())
