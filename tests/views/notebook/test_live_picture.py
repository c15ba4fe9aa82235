"""The picture of a view that changes: what a hand picks becomes choices, and the picture follows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import plotly.graph_objects as go
import pytest

from model import GlassformerError
from views.notebook.live_picture import POINT, LivePicture, find_pick
from views.parts import Canvas, Chart, OtherPage
from views.view import View
from viz.documents.page_parts import Group, Text
from viz.shared.payload import pack

STRIP = "inputs/token_strip"


def bars(theme: str = "light") -> go.Figure:
    return go.Figure(go.Bar(y=[1, 2]))


@dataclass(frozen=True)
class Words(View):
    """A strip of words, of which one is chosen. `has_chart`: a chart stands below it."""

    at_word: int
    has_chart: bool = False

    def picture_parts(self) -> Sequence[Any]:
        strip = Canvas(STRIP, lambda: pack({"at": self.at_word}), key="strip", picks={"pick": self._pick})
        chart = Chart(bars, "two bars", key="bars", pick=lambda point: {"at_word": point["x"]})
        other = Canvas(STRIP, lambda: pack({}), key="other", picks={"pick": lambda _: OtherPage("scores", {})})
        return [Text(f"word {self.at_word}"), Group([strip, *([chart] if self.has_chart else [])]), other]

    def _pick(self, value: int) -> Mapping[str, Any]:
        if value > 9:
            raise GlassformerError("There are nine words.")
        return {"at_word": value}


class Choice:
    """What the live view keeps: the choice, and how to draw it."""

    def __init__(self) -> None:
        self.keys: dict[str, Any] = {"at_word": 1}
        self.picture = LivePicture("name", self.draw, self.keys.update)
        self.page = self.picture.write()

    def draw(self) -> Words:
        if self.keys["at_word"] == 7:
            raise ZeroDivisionError("seven")
        return Words(**self.keys)

    def picked(self, key: str, event: str, value: Any) -> dict[str, Any]:
        message = {"does": "picked", "key": key, "event": event, "value": value, "number": 3}
        answer = self.picture.take(message)
        assert answer is not None
        return answer


def test_a_pick_changes_the_choice_and_brings_the_picture_that_follows() -> None:
    choice = Choice()
    assert "word 1" in choice.page
    answer = choice.picked("strip", "pick", 4)
    assert choice.keys["at_word"] == 4
    assert "word 4" in answer["body"]
    assert (answer["number"], answer["said"], "page" in answer) == (3, "", False)


def test_a_picture_that_needs_another_script_comes_as_a_whole_page() -> None:
    choice = Choice()
    choice.keys["has_chart"] = True
    answer = choice.picture.redraw()
    assert 'id="plotly"' not in choice.page
    assert 'id="plotly"' in answer["page"]
    assert "body" in choice.picked("bars", POINT, {"x": 5, "y": 1})
    assert choice.keys["at_word"] == 5


@pytest.mark.parametrize(("value", "said"), [(10, "There are nine words."), (7, "ZeroDivisionError: seven")])
def test_an_error_is_told_in_words_and_the_last_picture_stays(value: int, said: str) -> None:
    answer = Choice().picked("strip", "pick", value)
    assert answer == {"said": said, "number": 3}


def test_a_link_to_another_page_of_the_app_is_told() -> None:
    answer = Choice().picked("other", "pick", 1)
    assert answer["said"] == "In the app, this opens the page scores."
    assert "word 1" in answer["body"]


def test_a_frame_that_opens_late_gets_the_picture_as_it_is_now() -> None:
    choice = Choice()
    assert choice.picture.take({"does": "opened", "version": 1}) is None
    choice.picked("strip", "pick", 2)
    late = choice.picture.take({"does": "opened", "version": 1})
    assert late is not None
    assert "word 2" in late["body"]
    unknown = choice.picture.take({"does": "opened", "version": 99})
    assert unknown is not None
    assert "word 2" in unknown["page"]


def test_picks_are_found_in_groups_and_in_views_within_views() -> None:
    parts = [Group([Words(1, has_chart=True)])]
    pick = find_pick(parts, "strip", "pick")
    assert pick is not None
    assert pick(3) == {"at_word": 3}
    assert find_pick(parts, "bars", POINT) is not None
    assert find_pick(parts, "bars", "pick") is None
    assert find_pick(parts, "strip", "other") is None
    assert find_pick(parts, "nothing", "pick") is None
