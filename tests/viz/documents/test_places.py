"""The names of places on a page, by which a presenter points at them."""

from __future__ import annotations

from viz.documents.page_parts import Component, Equation, Group, Heading, Plot, Table, Text
from viz.documents.places import class_of, with_places


def names(group: Group) -> list[str]:
    """The names of a group's elements and groups, in order."""
    found = []
    for part in group.parts:
        assert isinstance(part, Group)
        found += [part.place] if part.kind == "element" else [*([part.place] if part.place else []), *names(part)]
    return found


def test_places_are_keys_or_the_order_among_their_kind() -> None:
    column = Group([Text("three"), Plot("{}", "Bars"), Plot("{}", "A matrix", "heads matrix")], "column")
    page = Group(
        [
            Heading("Heads", 1),
            Text("The idea"),
            Text("one"),
            Equation("x = 1"),
            Text("No pair", "info"),
            Component("glassformer_lines", "", "", b"", "heads lines"),
            Group([column, Group([Table(["a"], [["1"]])])], "row", key="heads compared"),
        ]
    )
    assert names(with_places(page, head=2)) == [
        *("page stHeading 1", "page stMarkdown 1", "stMarkdown 1", "stMarkdown 2", "stAlert 1"),
        *("st-key-heads-lines", "st-key-heads-compared", "stMarkdown 3", "stPlotlyChart 1", "st-key-heads-matrix"),
        "stDataFrame 1",
    ]


def test_a_class_is_that_of_streamlit() -> None:
    assert class_of("heads next words") == "st-key-heads-next-words"
    assert class_of("") == ""
