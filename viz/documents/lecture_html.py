"""A whole lecture as one HTML file that plays without a network.

Each scene is a saved view (`page_html`) with the words of its lecture. One scene is on screen; Page Down, the arrow
keys and the buttons step to the others. Scripts, styles, fonts and plotly.js stand in the file once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from viz.documents.notes_text import Span, blocks_of
from viz.documents.page_html import leads_out, words_in_data, write_file
from viz.documents.page_parts import Group, PagePart, flatten
from viz.documents.part_html import part_html
from viz.documents.scene_text import ANSWER, AskedQuestion, SceneText, number_scenes
from viz.shared.fonts import Hand
from viz.shared.style import Theme

MAX_BYTES = 30_000_000  # of all views together; a mail server takes about as much
TOO_LARGE = f"This view is left out: with it, the file would be larger than {MAX_BYTES // 1_000_000} MB."


@dataclass(frozen=True)
class SavedScene(SceneText):
    """One scene. `body`: its view as parts, or None; then `missing` says why."""

    body: Group | None = None


def write_lecture(
    title: str, about: str, scenes: Sequence[SavedScene], made: str, theme: Theme, hand: Hand = "naskh"
) -> tuple[str, list[int]]:
    """The file, and the scenes (counted from 0) whose view is not in it. `made` is the last line of each scene.

    `theme` is the theme in which the views were drawn. `hand` is that of Urdu words.
    """
    sections, parts, words, left_out = [], list[PagePart](), [title, about, made], []
    total, numbers = 0, number_scenes(scenes)
    for place, scene in enumerate(scenes):
        view, missing = part_html(scene.body) if scene.body else "", scene.missing
        if total + len(view) > MAX_BYTES:
            view, missing = "", TOO_LARGE
        total += len(view)
        if view and scene.body:
            kept = list(flatten(scene.body))
            parts += kept
            words += map(words_in_data, kept)
        else:
            left_out.append(place)
            view = f'<div class="warning">{_paragraphs(missing)}</div>'
        sections.append(_section(numbers[place], scene, view, about if place == 0 else "", made))
    content = f"""<main>
{"".join(sections) or "<p>This lecture has no scenes.</p>"}
</main>
{_steps(scenes)}"""
    return write_file(title, content, parts, "".join([*words, *sections]), "saved_page/lecture", theme, hand), left_out


def _section(number: int, scene: SavedScene, view: str, about: str, made: str) -> str:
    """One scene, hidden until it is its turn."""
    title = escape(scene.name)
    link = f' <a href="{escape(scene.link)}">Open this view</a>' if leads_out(scene.link) else ""
    question = _paragraphs(scene.question) + (_asked(scene.asked) if scene.asked else "")
    return f"""<section class="scene" aria-label="{title}" hidden>
<header><h1><bdi>{number}. {title}</bdi></h1><p class="caption"><bdi>{escape(scene.where)}</bdi>{link}</p></header>
{_block("about", _paragraphs(about))}{_block("question", question, hidden=True)}
{_block("point", _paragraphs(scene.point))}
{_notes(scene.notes)}
<div class="view">{view}</div>
<p class="note">{escape(made)}</p>
</section>
"""


def _block(kind: str, inside: str, hidden: bool = False) -> str:
    return f'<div class="{kind}"{" hidden" * hidden}>{inside}</div>' if inside else ""


def _asked(asked: AskedQuestion) -> str:
    """A question with its choices. The answer is folded away, so that a class can think first."""
    solution = _paragraphs(asked.solution)
    answer = f'<details class="answer"><summary>{ANSWER}</summary>{solution}</details>' if solution else ""
    return _paragraphs("\n".join(asked.lines)) + answer


def _notes(text: str) -> str:
    """The notes, with their bold words and lists."""
    inside = ""
    for block in blocks_of(text):
        tag = "p" if block.kind == "p" else "li"
        lines = "".join(f'<{tag} dir="auto">{_line(line)}</{tag}>' for line in block.lines)
        inside += lines if block.kind == "p" else f"<{block.kind}>{lines}</{block.kind}>"
    return f'<div class="notes" hidden>{inside}</div>' if inside else ""


def _line(spans: Sequence[Span]) -> str:
    return "".join(f"<strong>{escape(each.text)}</strong>" if each.bold else escape(each.text) for each in spans)


def _paragraphs(text: str) -> str:
    return "".join(f'<p dir="auto">{escape(line)}</p>' for line in text.splitlines() if line.strip())


def _steps(scenes: Sequence[SavedScene]) -> str:
    """The bar at the foot: the steps, the list of scenes, and the switches of question and notes."""
    options = "".join(
        f'<option value="{place}">{number}. {escape(scene.name)}</option>'
        for place, (number, scene) in enumerate(zip(number_scenes(scenes), scenes, strict=True))
    )
    return f"""<nav id="steps" aria-label="Scenes">
<button type="button" id="back" title="Page Up" aria-label="Previous scene">←</button>
<span id="count" role="status"></span>
<button type="button" id="next" title="Page Down" aria-label="Next scene">→</button>
<select id="jump" aria-label="Scene">{options}</select>
<button type="button" id="question" title="Q">Question</button>
<button type="button" id="notes" title="N">Notes</button>
</nav>"""
