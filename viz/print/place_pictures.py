"""Places of texts for print (Matplotlib): a line for each, the query and the key in their colours."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import Any

from matplotlib.figure import Figure
from matplotlib.offsetbox import AnchoredOffsetbox, HPacker, TextArea, VPacker

from model.numerals import fixed
from viz.attention.many_texts_places import PlaceGroup, PlaceLine, flow, is_leftwards, shown_parts
from viz.print.files import set_fonts
from viz.print.head_pictures import make_sheet
from viz.shared.style import COLOURS, Theme
from viz.shared.tokens import TokenLike

MOST_WHOLE, AROUND = 24, 6  # tokens, as in `shown_parts`: a sheet is narrower than a screen
LINE_INCHES, WIDTH_INCHES = 0.24, 8.0
POINTS = 9
Piece = tuple[str, str]  # a text, and the role of its colour


def places_picture(groups: Sequence[PlaceGroup], title: str, theme: Theme = "light") -> Figure:
    """The lines of groups below their titles."""
    rows: list[Any] = []
    for group in groups:
        rows += [[_words(group.title, "text", theme)]] if group.title else []
        rows += [_line(line, theme) for line in group.lines]
    figure, axes = make_sheet(WIDTH_INCHES, LINE_INCHES * (len(rows) + 2), theme)
    lines: list[Any] = [HPacker(children=row, pad=0, sep=0, align="baseline") for row in rows]
    box = VPacker(children=lines, pad=0, sep=5, align="left")
    axes.add_artist(AnchoredOffsetbox("upper left", child=box, frameon=False, pad=0, borderpad=0))
    axes.set_axis_off()
    axes.set_title(title, fontsize=10, color=COLOURS[theme]["muted"], loc="left")
    return set_fonts(figure)


def _line(line: PlaceLine, theme: Theme) -> list[TextArea]:
    size = fixed(line.weight if line.length is None else line.length, 2)
    pieces = [(f"{size}   {line.kind}   ".replace("      ", "   "), "muted")]
    if line.is_cross:
        pieces += [*_sentence(line.keys, {line.key: "key_text"}), ("   →   ", "muted")]
        pieces += _sentence(line.queries, {line.query: "query"})
    else:
        pieces += _sentence(line.keys, {line.key: "key_text", line.query: "query"})
    return [_words(text, role, theme) for text, role in pieces]


def _sentence(tokens: Sequence[TokenLike], roles: dict[int, str]) -> list[Piece]:
    """The pieces of a sentence from left to right, with as few cuts as can be: letters join within a piece."""
    texts, pieces, end = flow(tokens, roles), list[Piece](), 0
    for part in shown_parts(len(tokens), roles, MOST_WHOLE, AROUND):
        pieces += [("… ", "text")] * (part.start > end)
        for role, places in groupby(range(part.start, part.stop), lambda place: roles.get(place, "text")):
            pieces.append(("".join(texts[place] for place in places), role))
        end = part.stop
    pieces += [(" …", "text")] * (end < len(tokens))
    return pieces[::-1] if is_leftwards(tokens) else pieces


def _words(text: str, role: str, theme: Theme) -> TextArea:
    look: dict[str, Any] = {"color": COLOURS[theme][role], "fontsize": POINTS}
    if role in ("query", "key_text"):
        look["bbox"] = {"facecolor": "none", "edgecolor": COLOURS[theme][role], "linewidth": 0.8, "pad": 0.5}
    return TextArea(text, textprops=look)
