"""Draws any view on a page of the app, at any depth. Nothing else asks which depth is chosen.

    renderer.show(view, depth, {"window": choose_window})

The functions beside the view draw the page's controls, each at the place that the view keeps for it
(`views.parts.Controls`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from typing import Any

import streamlit as st

from pages.components import mounts
from pages.shared.elements import claims, columns, figures, layout, lecture_screen
from pages.shared.session import state
from views.parts import Action, Canvas, Chart, Controls, DataTable, Files, Keys, OtherPage, PageLink, Pick, Source
from views.view import Depth, View
from viz.documents.page_parts import Code, Equation, Group, Heading, Metric, Picture, Text
from viz.shared.style import markdown_text

ControlsByName = Mapping[str, Callable[[], None]]
VIEW, CONTROLS = "view", "controls"  # keys of containers: assets/components/teach/places.js counts what is in them
NOTES = {"info": st.info, "warning": st.warning, "error": st.error, "success": st.success}
MAX_GROWING_ROWS = 12  # of a table that grows with the screen of a lecture, as a data frame cannot
HEADINGS = {1: st.title, 2: st.header, 3: st.subheader}


def show_alone(view: View, depth: Depth, controls: ControlsByName) -> None:
    """Draw the view of a page in a container of its own, whose elements have places that a presenter points at."""
    with st.container(key=VIEW):
        show(view, depth, controls)


def show(view: View, depth: Depth, controls: ControlsByName | None = None) -> None:
    """Draw a view at a depth, with the page's controls, and tell what prompts make claims of."""
    draw(view.at(depth), depth, controls or {})
    _tell(view)


def _tell(view: View) -> None:
    for what, value in view.told().items():
        claims.tell(what, value)


def draw(parts: Sequence[Any], depth: Depth, controls: ControlsByName) -> None:
    """Draw parts one below the other."""
    for part in parts:
        _draw_part(part, depth, controls)


def _draw_part(part: Any, depth: Depth, controls: ControlsByName) -> None:
    match part:
        case View() if part.alone in controls:
            controls[part.alone]()
        case View():
            show(part, depth, controls)
        case Group():
            _draw_group(part, depth, controls)
        case Controls(name):
            if name in controls:
                with st.container(key=f"{CONTROLS} {name}"):
                    controls[name]()
        case Text():
            _draw_text(part)
        case Equation(latex):
            st.latex(latex)
        case Heading():
            _draw_heading(part)
        case Code(text, language, is_numbered):
            st.code(text, language=language, line_numbers=is_numbered, wrap_lines=True)
        case Metric(label, value, width):
            st.metric(label, value, width=width or "stretch")
        case Source(of):
            layout.code(of)
        case Picture(address, alt):
            st.image(address, alt=alt)
        case Chart():
            _draw_chart(part)
        case Canvas():
            _draw_canvas(part)
        case DataTable():
            _draw_table(part)
        case Action():
            _draw_action(part)
        case PageLink(label, page):
            st.page_link(state.pages()[page], label=label, icon=":material/arrow_forward:")
        case Files():
            figures.files(part)
        case _:
            raise TypeError(f"Nothing draws {part!r}.")


def _draw_group(group: Group, depth: Depth, controls: ControlsByName) -> None:
    """Columns beside each other, other parts in a row, a fold, or one part below the other.

    Those of a "stage row" stand beside each other while a lecture is presented, and else one below the other.
    A text in a row is as wide as its words.
    """
    columns_of = [each for each in group.parts if isinstance(each, Group) and each.kind == "column"]
    if columns_of and (group.kind == "row" or (group.kind == "stage row" and lecture_screen.present_screen())):
        align: Any = "center" if group.is_centred else "top"
        places = st.columns([each.weight for each in columns_of], gap=group.gap, vertical_alignment=align)  # type: ignore[arg-type]
        for place, column in zip(places, columns_of, strict=True):
            with place:
                draw(column.parts, depth, controls)
        return
    with _container(group):
        for part in group.parts:
            if group.kind == "row" and isinstance(part, Text):
                st.markdown(part.text, width="content")
            elif group.kind == "row" and isinstance(part, Controls) and part.name in controls:
                controls[part.name]()  # beside what stands in the row
            else:
                _draw_part(part, depth, controls)


def _container(group: Group) -> AbstractContextManager[Any]:
    if group.kind == "fold":
        return st.expander(group.title)
    if group.kind == "stage row":
        return nullcontext()
    key = group.key or None
    if group.kind == "row":
        return st.container(key=key, horizontal=True, vertical_alignment="center", gap=group.gap)  # type: ignore[arg-type]
    if key is None and not group.is_framed and group.gap == "small":
        return nullcontext()
    height: Any = "stretch" if group.is_tall else "content"
    return st.container(key=key, border=group.is_framed, height=height, gap=group.gap)  # type: ignore[arg-type]


def _draw_heading(part: Heading) -> None:
    how: dict[str, Any] = {"divider": "gray"} if part.has_line else {}
    HEADINGS[part.level](part.text, anchor=False, **how)


def _draw_text(part: Text) -> None:
    if part.kind in NOTES:
        NOTES[part.kind](part.text, icon=part.icon)
    elif part.kind == "caption":
        st.caption(part.text)
    else:
        st.markdown(part.text)


def _draw_chart(part: Chart) -> None:
    figure = part.draw(theme=state.theme())
    how: dict[str, Any] = {
        name: value for name, value in (("key", part.key or None), ("width", part.width)) if value is not None
    }
    if part.pick is not None:
        how |= {"on_select": partial(_take_point, part.key, part.pick), "selection_mode": "points"}
    figures.chart(figure, alt=part.alternative(figure), **how)


def _take_point(key: str, pick: Pick) -> None:
    points = _is_here(key) and st.session_state[key]["selection"]["points"]
    if points:
        _follow(pick(points[0]))


def _draw_canvas(part: Canvas) -> None:
    with st.container(key=f"{part.key} unseen") if part.is_unseen else nullcontext():
        events = {
            f"on_{event}_change": partial(_take_event, part.key, event, pick) for event, pick in part.picks.items()
        }
        mounts.component(part.name)(data=part.data(), key=part.key, **events)


def _take_event(key: str, event: str, pick: Pick) -> None:
    if _is_here(key):
        _follow(pick(st.session_state[key][event]))


def _is_here(key: str) -> bool:
    """Whether the session has an element. A message of it may come after the reader has left its page."""
    return key in st.session_state


def _follow(picked: Keys | OtherPage) -> None:
    if isinstance(picked, OtherPage):
        state.go(picked.page, **picked.keys)
    else:
        state.put(**picked)


def _draw_table(part: DataTable) -> None:
    table = part.make()
    if part.grows and lecture_screen.present_screen() is not None and len(table) <= MAX_GROWING_ROWS:
        st.table(table.map(_as_markdown), hide_index=not part.has_index)
        return
    how: dict[str, Any] = {} if part.has_index else {"hide_index": True}
    if settings := _column_settings(part, table):
        how["column_config"] = settings
    how |= {
        name: value for name, value in (("height", part.height), ("placeholder", part.missing)) if value is not None
    }
    if part.pick is not None:
        how |= {"key": part.key, "on_select": partial(_take_row, part.key, part.pick), "selection_mode": "single-row"}
    st.dataframe(table, **how)


def _as_markdown(cell: Any) -> Any:
    return markdown_text(cell) if isinstance(cell, str) else cell


def _column_settings(part: DataTable, table: Any) -> dict[str, Any]:
    """The decimals and the titles of the columns that have some."""
    if isinstance(part.decimals, int):
        counts = dict.fromkeys(table.select_dtypes("floating").columns, part.decimals)
    else:
        counts = dict(part.decimals or {})
    named = {name: columns.decimals(count, label=part.titles.get(name)) for name, count in counts.items()}
    others = {name: title for name, title in part.titles.items() if name not in named}
    formats = {name: st.column_config.NumberColumn(format=each) for name, each in part.formats.items()}
    return named | others | formats


def _take_row(key: str, pick: Pick) -> None:
    rows = _is_here(key) and st.session_state[key]["selection"]["rows"]
    if rows:
        _follow(pick(rows[0]))


def _draw_action(part: Action) -> None:
    act = partial(state.go, part.page) if part.page else state.put
    st.button(
        part.label, on_click=act, kwargs=dict(part.keys), type="tertiary", icon=part.icon, key=part.key, help=part.help
    )
