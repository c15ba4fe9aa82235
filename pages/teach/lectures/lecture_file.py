r"""A lecture: scenes in order, and the TOML file that holds them. No Streamlit here.

    format = 1
    title = "Attention in twenty minutes"
    about = "For a first lecture."

    [[scenes]]
    title = "One head, one pair of words"
    page = "heads"                        # the URL path of a page; "home" for Home
    point = "The line from 'over' to 'jumps'."
    focus = "heads lines"                 # the element that is kept in view (pages.teach.lectures.focus_titles)
    question = "Which word will it look at?"
    ask = "attention"                     # a kind of question from the numbers, asked before the view, below `question`
    choices = ["jumps", "over"]           # or one's own: the class answers `question` by one of these
    answer = 1                            # the number of the right choice; without it, none is right
    words = true                          # or in the place of choices: students write words of their own
    seconds = 60                          # the time to answer
    notes = '''What the speaker says.'''     # **bold**, and lists of lines that begin with "- " or "1. "
    minutes = 2.5                         # the plan for this scene, which the notes' window compares with the clock

    [scenes.state]                        # exactly what the URL says
    model = "tiny-lm"
    layer = "2"

    [[scenes.steps]]                      # what appears next, on the same page: the keys that change
    [scenes.steps.state]
    layer = "3"

    [[scenes]]                            # a plain scene: words, a picture and an equation of the lecturer's own
    title = "Why attention?"
    page = "slide"
    picture = 'UklGRiQAAABXRUJQ'          # a WebP, PNG or JPEG in base64; `slide_pictures` has its limits

    [scenes.state]
    slide_title = "Why attention?"
    slide_text = "One paragraph a line."
    slide_equation = '\mathrm{softmax}(QK^\top)'
    slide_alt = "The picture in words."

The keys of a plain scene are in `pages.shared.session.keys`. Its picture travels beside them: `read` gives the key
`slide_picture` the name that `slide_pictures.name_of` makes of the picture.

A file from a stranger is only text: nothing in it names a file, runs, or is shown as HTML.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, fields, replace
from functools import partial
from pathlib import Path
from typing import Any

import tomli_w

from model.errors import GlassformerError
from pages.shared.session.keys import KEYS
from pages.shared.session.old_names import rename
from pages.shared.session.question_kinds import QUESTION_TITLES
from pages.teach.lectures import scene_question, slide_pictures, toml_limits
from pages.teach.lectures.focus_titles import FOCUS_TITLES
from pages.teach.lectures.scene import Lecture, Scene

FOLDER = Path(__file__).resolve().parents[3] / "assets" / "lectures"
FORMAT = 1
MAX_BYTES = 600_000  # ten pictures of the largest size, or a hundred thousand words
MAX_SCENES = 100
MAX_VALUES = 100  # keys of one scene
MAX_STEPS = 12  # of one scene
MAX_ALL_STEPS = 400  # of a lecture: `toml_limits` bounds its tables
MAX_CHARACTERS = {
    "title": 120, "page": 60, "point": 500, "question": 500, "ask": 40, "focus": 60, "notes": 6000, "about": 2000,
}  # fmt: skip
MAX_MINUTES = 600  # of one scene
MAX_VALUE_CHARACTERS = max(key.max_characters for key in KEYS.values())
SCENE_TEXTS = ("title", "page", "point", "focus", "question", "ask", "notes")
PICTURE_KEY = "slide_picture"


class LectureError(GlassformerError):
    """A file that cannot be read as a lecture."""


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
    lecture = Lecture(**texts, scenes=tuple(_read_scene(each, place, problems) for place, each in enumerate(scenes)))
    if sum(len(scene.steps) for scene in lecture.scenes) > MAX_ALL_STEPS:
        problems.append(Problem(None, f"its scenes have more than {MAX_ALL_STEPS} steps, and all were left out"))
        lecture = replace(lecture, scenes=tuple(replace(scene, steps=()) for scene in lecture.scenes))
    return lecture, problems


def write(lecture: Lecture) -> str:
    """The lecture as TOML that `read` gives back unchanged."""
    # TOML knows one kind of line break inside a text of several lines. A text with another kind is one line of escapes.
    texts = [lecture.title, lecture.about, *(text for scene in lecture.scenes for text in _texts_of(scene))]
    dump = partial(tomli_w.dumps, multiline_strings=not any("\r" in text for text in texts))
    head = dump({"format": FORMAT, "title": lecture.title, "about": lecture.about})
    return "\n".join((head, *(_write_scene(scene, dump) for scene in lecture.scenes)))


def _write_scene(scene: Scene, dump: Callable[[Mapping[str, Any]], str]) -> str:
    """A scene as TOML. Its picture stands between single quotation marks, which a parser reads five times as fast."""
    state = {name: value for name, value in scene.state.items() if name != PICTURE_KEY or not scene.picture}
    texts = {name: value for name in (*SCENE_TEXTS, "minutes", "focus_at") if (value := getattr(scene, name))}
    texts |= scene_question.to_table(scene)
    picture = f"picture = '{scene.picture}'\n" if scene.picture else ""
    steps = (f"\n[[scenes.steps]]\n[scenes.steps.state]\n{dump(step)}" for step in scene.steps)
    return f"[[scenes]]\n{dump(texts)}{picture}\n[scenes.state]\n{dump(state)}{''.join(steps)}"


def shipped_lectures() -> dict[str, Lecture]:
    """The lectures that come with the app, by file name."""
    return {path.stem: read(path.read_bytes())[0] for path in sorted(FOLDER.glob("*.toml"))}


def _texts_of(scene: Scene) -> Iterator[str]:
    yield from (getattr(scene, name) for name in SCENE_TEXTS)
    yield from scene.choices
    yield from scene.state.values()
    for step in scene.steps:
        yield from step.values()


def _read_scene(table: dict[str, Any], place: int, problems: list[Problem]) -> Scene:
    problems += _find_unknown(table, _names(Scene) - {"number"}, place)
    texts: dict[str, Any] = {**_read_texts(table, SCENE_TEXTS, place, problems)}
    texts.setdefault("page", "")
    if texts.get("ask", "") not in ("", *QUESTION_TITLES):
        problems.append(Problem(place, f"it asks “{texts.pop('ask')}”, which is no kind of question, and asks nothing"))
    if texts.get("focus", "") not in ("", *FOCUS_TITLES):
        problems.append(Problem(place, f"its focus “{texts.pop('focus')}” is no element of a page and was left out"))
    minutes = _read_number(table, "minutes", MAX_MINUTES, place, problems)
    focus_at = _read_number(table, "focus_at", 1, place, problems)
    asked, faults = scene_question.from_table(table)
    problems += [Problem(place, fault) for fault in faults]
    state = rename(texts["page"], _read_values(table.get("state", {}), "state", place, problems))
    picture = _read_picture(table, place, problems)
    if picture:
        state[PICTURE_KEY] = slide_pictures.name_of(picture)
    steps = _read_steps(table, texts["page"], place, problems)
    return Scene(state=state, minutes=minutes, focus_at=focus_at, picture=picture, steps=steps, **texts, **asked)


def _read_number(table: dict[str, Any], name: str, largest: int, place: int, problems: list[Problem]) -> float:
    """A number of a scene, from 0 to the largest one; 0, with a problem, for anything else."""
    value = table.get(name, 0)
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if is_number and 0 <= value <= largest:  # also false for nan
        return value
    problems.append(Problem(place, f"the value of {name} is not a number from 0 to {largest} and was left out"))
    return 0


def _read_values(state: Any, what: str, place: int, problems: list[Problem]) -> dict[str, str]:
    """The values of a table of keys. `what` names the table."""
    if not isinstance(state, dict) or len(state) > MAX_VALUES:
        problems.append(Problem(place, f"its {what} is not a table of at most {MAX_VALUES} keys and was left out"))
        return {}
    values = {}
    for name, value in state.items():
        if isinstance(value, str | int | float | bool) and len(text := _to_text(value)) <= MAX_VALUE_CHARACTERS:
            values[name] = text
        else:
            problems.append(Problem(place, f"the value of {name[:60]} is not a short text and was left out"))
    return values


def _read_picture(table: dict[str, Any], place: int, problems: list[Problem]) -> str:
    picture = table.get("picture", "")
    fault = slide_pictures.find_fault(picture) if picture else ""
    if fault:
        problems.append(Problem(place, f"its picture was left out: {fault}"))
    return "" if fault or not picture else picture


def _read_steps(table: dict[str, Any], page: str, place: int, problems: list[Problem]) -> tuple[dict[str, str], ...]:
    steps = table.get("steps", [])
    if not isinstance(steps, list) or len(steps) > MAX_STEPS or not all(isinstance(each, dict) for each in steps):
        problems.append(Problem(place, f"its steps are not at most {MAX_STEPS} tables and were left out"))
        return ()
    read_steps = []
    for number, step in enumerate(steps, 1):
        problems += _find_unknown(step, {"state"}, place)
        values = _read_values(step.get("state", {}), f"step {number}", place, problems)
        read_steps.append(rename(page, values))
    return tuple(read_steps)


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
