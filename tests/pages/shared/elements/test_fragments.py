"""Pieces of a page that run by themselves: none is inside another."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
import streamlit as st

from pages.shared.elements import fragments

PAGES = Path(__file__).resolve().parents[4] / "pages"


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The pieces that Streamlit was asked to run as fragments, in order, with the seconds of their clocks."""
    names: list[str] = []

    def fragment(run_every: float | None = None) -> Callable[[Callable[..., None]], Callable[..., None]]:
        def wrap(draw: Callable[..., None]) -> Callable[..., None]:
            def run(*args: object) -> None:
                names.append(f"{draw.__name__} {run_every}")
                draw(*args)

            return run

        return wrap

    monkeypatch.setattr(st, "fragment", fragment)
    return names


def test_a_piece_inside_another_is_a_part_of_it_and_alone_again_outside(started: list[str]) -> None:
    drawn = []

    def inner(label: str) -> None:
        drawn.append(label)

    def outer() -> None:
        fragments.alone(inner)("inside")

    fragments.alone(outer, every=2.0)()
    fragments.alone(inner)("outside")
    assert drawn == ["inside", "outside"]
    assert started == ["outer 2.0", "inner None"]


def test_a_piece_that_ends_in_an_error_leaves_the_next_one_alone(started: list[str]) -> None:
    def fails() -> None:
        raise ZeroDivisionError

    def works() -> None:
        pass

    with pytest.raises(ZeroDivisionError):
        fragments.alone(fails)()
    fragments.alone(works)()
    assert started == ["fails None", "works None"]


def test_after_each_run_of_a_piece_that_came_to_its_end_something_is_called(started: list[str]) -> None:
    called: list[str] = []

    def fails() -> None:
        raise ZeroDivisionError

    piece = fragments.alone(lambda: called.append("drawn"))
    fragments.call_after_each(lambda: called.append("after"))
    piece()
    with pytest.raises(ZeroDivisionError):
        fragments.alone(fails)()
    fragments.call_after_each(None)
    piece()
    assert called == ["drawn", "after", "drawn"]


def test_no_page_makes_a_fragment_otherwise() -> None:
    makes = re.compile(r"\bst\.(fragment|dialog)\b")
    found = {path.name for path in PAGES.rglob("*.py") if makes.search(path.read_text("utf-8"))}
    assert found == {"fragments.py", "dialog.py"}, "a dialog runs alone too, behind all pieces of a page"
