"""The parts of a view: which of them a scene points at."""

from __future__ import annotations

from viz.documents.page_parts import Group, Table, Text, mark_focus

TABLE = Table(["a"], [["1"]])


def test_the_focus_is_marked_where_it_stands_and_only_once() -> None:
    inner = Group([TABLE, Text("below")], "column")
    whole = Group([Text("above"), Group([inner], "row"), inner])
    marked = mark_focus(whole, inner)
    assert marked == Group([Text("above"), Group([Group([inner], "focus")], "row"), inner])
    assert mark_focus(marked, TABLE) != marked
    assert mark_focus(whole, None) == mark_focus(whole, Text("not there")) == whole
