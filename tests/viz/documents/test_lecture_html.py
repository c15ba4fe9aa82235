"""A whole lecture as one file: every scene with its words, what they share only once, and nothing that can do harm."""

from __future__ import annotations

import re

import plotly.graph_objects as go
import pytest

from viz.documents import lecture_html
from viz.documents.lecture_html import SavedScene, write_lecture
from viz.documents.page_parts import Component, Group, PagePart, Plot, Text
from viz.documents.scene_text import AskedQuestion
from viz.shared.payload import pack

PLOT = Plot(go.Figure(go.Bar(y=[1])).to_json(), "One bar")
COMPONENT = Component("strip", "export default () => {};", ".strip{}", pack({"tokens": [1]}))


def scene(*parts: PagePart, title: str = "A scene", **words: str) -> SavedScene:
    return SavedScene(title, body=Group(parts) if parts else None, **words)


def written(*scenes: SavedScene) -> tuple[str, list[int]]:
    return write_lecture("A lecture", "About it.", scenes, "made today", "light")


def test_each_scene_has_its_words_and_all_are_hidden_until_a_script_shows_one() -> None:
    words = {"point": "The line.", "question": "Which?", "notes": "First.\n\nSecond."}
    asked = AskedQuestion("Where?", ["here", "<there>"], answer=1)
    html, left_out = written(
        SavedScene("First", body=Group([Text("One")]), asked=asked, **words), scene(Text("Two"), title="Second")
    )
    first, second = html.split('<section class="scene"')[1:]
    assert left_out == []
    assert first.startswith(' aria-label="First" hidden>')
    assert '<div class="point"><p dir="auto">The line.</p></div>' in first
    lines = ("Which?", "Where?", "A. here", "B. &lt;there&gt;")
    question = "".join(f'<p dir="auto">{line}</p>' for line in lines)
    assert f'<div class="question" hidden>{question}<details class="answer"><summary>Answer</summary>' in first
    assert '<p dir="auto">B. &lt;there&gt;</p></details></div>' in first
    assert '<div class="notes" hidden><p dir="auto">First.</p><p dir="auto">Second.</p></div>' in first
    assert "About it." in first
    assert "About it." not in second
    assert re.findall(r'<option value="(\d)">', html) == ["0", "1"]


def test_what_scenes_share_is_there_once() -> None:
    html, _ = written(scene(PLOT, COMPONENT), scene(PLOT, COMPONENT), scene(COMPONENT))
    assert html.count('id="plotly"') == html.count('data-style="strip"') == html.count('["strip"] =') == 1
    assert html.count('data-component="strip"') == 3
    assert len(html) < 2_200_000


def test_a_scene_that_could_not_be_recorded_says_why() -> None:
    html, left_out = written(scene(missing="The model <x> is not installed."), scene(Text("Two")))
    assert left_out == [0]
    assert "The model &lt;x&gt; is not installed." in html


def test_views_beyond_the_largest_file_are_left_out_and_say_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lecture_html, "MAX_BYTES", 600)
    html, left_out = written(scene(Text("a" * 400)), scene(Text("b" * 400)), scene(Text("c")))
    assert left_out == [1]
    assert "b" * 400 not in html
    assert lecture_html.TOO_LARGE in html


def test_words_of_a_lecture_stay_text() -> None:
    hostile = "</section><script>alert(1)</script><img src=x onerror=alert(1)>"
    html, _ = written(scene(Text("x"), title=hostile, point=hostile, notes=hostile, question=hostile, where=hostile))
    assert "<script>alert" not in html
    assert "<img" not in html
    assert "javascript:" not in written(scene(Text("x"), link="javascript:alert(1)"))[0]


def test_the_policy_allows_no_request() -> None:
    html, _ = written(scene(PLOT))
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', html)
    assert policy is not None
    assert policy[1].startswith("default-src 'none'; script-src 'sha256-")


def test_an_empty_lecture_is_a_page_too() -> None:
    assert "This lecture has no scenes." in written()[0]
