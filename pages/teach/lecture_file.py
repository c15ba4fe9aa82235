"""A lecture: scenes in order, and the TOML file that holds them. No Streamlit here.

    format = 1
    title = "Attention in twenty minutes"
    about = "For a first lecture."

    [[scenes]]
    title = "One head, one pair of words"
    page = "heads"                        # the URL path of a page; "home" for Home
    point = "The line from 'over' to 'jumps'."
    question = "Which word will it look at?"
    ask = "attention"                     # a kind of question from the numbers, asked before the view is shown
    notes = '''What the speaker says.'''

    [scenes.state]                        # exactly what the URL says
    model = "tiny-lm"
    layer = "2"

A file from a stranger is only text: nothing in it names a file, runs, or is shown as HTML.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import tomli_w

from model.errors import GlassformerError
from pages.shared.keys import KEYS
from pages.shared.old_names import rename
from pages.shared.question_kinds import QUESTION_TITLES
from pages.teach import toml_limits

FOLDER = Path(__file__).resolve().parents[2] / "assets" / "lectures"
FORMAT = 1
MAX_BYTES = 256_000
MAX_SCENES = 100
MAX_VALUES = 100  # keys of one scene
MAX_CHARACTERS = {
    "title": 120, "page": 60, "point": 500, "question": 500, "ask": 40, "notes": 6000, "about": 2000,
}  # fmt: skip
MAX_VALUE_CHARACTERS = max(key.max_characters for key in KEYS.values())
SCENE_TEXTS = ("title", "page", "point", "question", "ask", "notes")


class LectureError(GlassformerError):
    """A file that cannot be read as a lecture."""


@dataclass(frozen=True)
class Scene:
    """One view and its words. `state` holds the values in the view's URL, as text.

    `ask` is the kind of question that the class answers first (`pages.shared.question_kinds`), or "".
    """

    page: str
    state: Mapping[str, str]
    title: str = ""
    point: str = ""
    question: str = ""
    ask: str = ""
    notes: str = ""


@dataclass(frozen=True)
class Lecture:
    title: str = "My lecture"
    about: str = ""
    scenes: tuple[Scene, ...] = ()


@dataclass(frozen=True)
class Problem:
    """A fault of a scene (counted from 0), or of the file (None). `stops`: the scene cannot be played."""

    scene: int | None
    what: str
    stops: bool = False


def read(file: bytes) -> tuple[Lecture, list[Problem]]:
    """The lecture in a TOML file, and the parts that had to be left out. Raises `LectureError` if it is no lecture."""
    if len(file) > MAX_BYTES:
        raise LectureError(f"The file has {len(file):,} bytes; a lecture has at most {MAX_BYTES:,}.")
    try:
        text = file.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise LectureError(f"A lecture is a TOML file in UTF-8; byte {error.start:,} of this one is not.") from None
    if excess := toml_limits.find_excess(text):
        raise LectureError(f"The file is too much for a lecture: {excess}.")
    try:
        table = tomllib.loads(text)
    except ValueError as error:
        raise LectureError(f"This is not a TOML file: {error}") from None
    if table.get("format") != FORMAT:
        raise LectureError(f"A lecture starts with the line: format = {FORMAT}")
    scenes = table.get("scenes", [])
    if not isinstance(scenes, list) or not all(isinstance(each, dict) for each in scenes):
        raise LectureError("The scenes of a lecture are written as tables: [[scenes]]")
    if len(scenes) > MAX_SCENES:
        raise LectureError(f"The file has {len(scenes):,} scenes; a lecture has at most {MAX_SCENES}.")

    problems = _find_unknown(table, {"format", "scenes", *_names(Lecture)}, None)
    texts = _read_texts(table, ("title", "about"), None, problems)
    return Lecture(
        **texts, scenes=tuple(_read_scene(each, place, problems) for place, each in enumerate(scenes))
    ), problems


def write(lecture: Lecture) -> str:
    """The lecture as TOML that `read` gives back unchanged."""
    table = {
        "format": FORMAT,
        "title": lecture.title,
        "about": lecture.about,
        "scenes": [
            {**{name: value for name in SCENE_TEXTS if (value := getattr(scene, name))}, "state": dict(scene.state)}
            for scene in lecture.scenes
        ],
    }
    # TOML knows one kind of line break inside a text of several lines. A text with another kind is one line of escapes.
    texts = [lecture.title, lecture.about, *(text for scene in lecture.scenes for text in _texts_of(scene))]
    return tomli_w.dumps(table, multiline_strings=not any("\r" in text for text in texts))


def shipped_lectures() -> dict[str, Lecture]:
    """The lectures that come with the app, by file name."""
    return {path.stem: read(path.read_bytes())[0] for path in sorted(FOLDER.glob("*.toml"))}


def _texts_of(scene: Scene) -> Iterator[str]:
    yield from (getattr(scene, name) for name in SCENE_TEXTS)
    yield from scene.state.values()


def _read_scene(table: dict[str, Any], place: int, problems: list[Problem]) -> Scene:
    problems += _find_unknown(table, _names(Scene), place)
    texts = _read_texts(table, SCENE_TEXTS, place, problems)
    texts.setdefault("page", "")
    if texts.get("ask", "") not in ("", *QUESTION_TITLES):
        problems.append(Problem(place, f"it asks “{texts.pop('ask')}”, which is no kind of question, and asks nothing"))
    state = table.get("state", {})
    if not isinstance(state, dict) or len(state) > MAX_VALUES:
        problems.append(Problem(place, f"its state is not a table of at most {MAX_VALUES} keys and was left out"))
        state = {}
    values = {}
    for name, value in state.items():
        if isinstance(value, str | int | float | bool) and len(text := _to_text(value)) <= MAX_VALUE_CHARACTERS:
            values[name] = text
        else:
            problems.append(Problem(place, f"the value of {name[:60]} is not a short text and was left out"))
    return Scene(state=rename(texts["page"], values), **texts)


def _to_text(value: str | int | float | bool) -> str:
    """A number or a truth value as in a URL, for files written by hand. A number of absurd length has no text."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    try:
        return str(value)
    except ValueError:
        return "?" * (MAX_VALUE_CHARACTERS + 1)


def _read_texts(
    table: dict[str, Any], names: tuple[str, ...], scene: int | None, problems: list[Problem]
) -> dict[str, str]:
    texts = {}
    for name in names:
        value = table.get(name, "")
        if not isinstance(value, str):
            problems.append(Problem(scene, f"its {name} is not a text and was left out"))
        elif len(value) > MAX_CHARACTERS[name]:
            problems.append(Problem(scene, f"its {name} was cut to {MAX_CHARACTERS[name]:,} characters"))
            texts[name] = value[: MAX_CHARACTERS[name]]
        elif value:
            texts[name] = value
    return texts


def _find_unknown(table: dict[str, Any], known: set[str], scene: int | None) -> list[Problem]:
    return [Problem(scene, f"{name[:60]} is not known here and was left out") for name in table if name not in known]


def _names(kind: type) -> set[str]:
    return {field.name for field in fields(kind)}
