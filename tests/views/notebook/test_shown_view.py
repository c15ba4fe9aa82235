"""A view as a notebook shows it: its forms, its size, and the choices of its hand and of programs."""

from __future__ import annotations

import base64
import io
from typing import Any

import pytest
import traitlets
from PIL import Image

from tests.conftest import loaded
from views.by_page.heads import Lines, Matrix
from views.notebook import shown_view
from views.notebook.connection import Connection

MAX_LINES_BYTES = 160_000  # of the HTML of Lines, for 16 tokens
MAX_BODY_BYTES = 15_000  # of a picture that follows a hand


@pytest.fixture(scope="module")
def trace() -> Any:
    return loaded("tiny-lm").trace("the cat sees the dog and the bird in the park with the small boy")


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """What connections send, in a process that stands for a kernel of Jupyter's."""
    messages: list[dict[str, Any]] = []
    monkeypatch.setattr(shown_view, "find_front_end", lambda: "jupyter")
    monkeypatch.setattr(Connection, "send", lambda self, message, buffers=(): messages.append(message))
    return messages


def test_a_view_comes_as_words_a_living_page_and_a_still_picture(trace: Any) -> None:
    bundle = Lines(trace, layer=1, head=2)._repr_mimebundle_()
    assert set(bundle) == {"text/plain", "text/html", "image/png"}
    assert bundle["text/plain"].startswith("views.heads.Lines(")
    still = base64.b64decode(bundle["image/png"])
    image = Image.open(io.BytesIO(still))
    assert image.width * image.height <= 1.2 * shown_view.STILL_PIXELS
    assert bundle["image/png"] in bundle["text/html"], "it stands where scripts do not run"
    assert "&lt;iframe" not in bundle["text/html"]
    assert "http" not in bundle["text/html"].replace("http-equiv", "").replace("http://www.w3.org/", "")
    assert len(bundle["text/html"]) < MAX_LINES_BYTES


def test_a_change_brings_the_picture_once_and_few_bytes(trace: Any, sent: list[dict[str, Any]]) -> None:
    view = Lines(trace, layer=1, head=2)
    view.query = 2
    assert sent == [], "nobody has seen it"
    view._repr_mimebundle_()
    view.query = 5
    with view.hold_trait_notifications():
        view.query, view.key, view.least = 6, 1, 0.1
    view.query = 6
    assert [set(each) for each in sent] == [{"said", "body", "faces"}] * 2
    assert len(sent[-1]["body"]) < MAX_BODY_BYTES


def test_a_hand_is_answered_once_and_linked_views_follow(trace: Any, sent: list[dict[str, Any]]) -> None:
    lines, matrix = Lines(trace, layer=1, head=2), Matrix(trace, layer=1, head=2)
    for view in (lines, matrix):
        view._repr_mimebundle_()
    traitlets.link((lines, "query"), (matrix, "query"))
    seen: list[int] = []
    lines.observe(lambda change: seen.append(change.new), "query")
    hand = {"heads": [2], "head": 2, "least": 0.05, "hide": [], "layout": "down", "query": 3, "key": None}
    connection = lines._shown._connection
    assert connection is not None
    picked = {"does": "picked", "key": "heads lines", "event": "view", "value": hand, "number": 1}
    connection._handle_custom_msg(picked, [])
    assert (lines.query, lines.least, matrix.query, seen) == (3, 0.05, 3, [3])
    followed, answer = sent
    assert "number" not in followed, "the matrix"
    assert answer["number"] == 1


def test_a_click_on_a_cell_of_a_matrix_chooses_its_pair(trace: Any, sent: list[dict[str, Any]]) -> None:
    matrix = Matrix(trace, layer=1, head=2)
    matrix._repr_mimebundle_()
    connection = matrix._shown._connection
    assert connection is not None
    point = {"x": 1, "y": 4, "customdata": None}
    picked = {"does": "picked", "key": "heads matrix", "event": "point", "value": point, "number": 1}
    connection._handle_custom_msg(picked, [])
    assert (matrix.query, matrix.key) == (4, 1)
    assert "gives" in sent[-1]["body"], "the sum of the weight"


def test_front_ends_that_show_outputs_apart_get_the_widget_too(
    trace: Any, sent: list[dict[str, Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shown_view, "find_front_end", lambda: "apart")
    view = Lines(trace, layer=1, head=2)
    bundle = view._repr_mimebundle_()
    connection = view._shown._connection
    assert connection is not None
    assert bundle["application/vnd.jupyter.widget-view+json"]["model_id"] == connection.model_id
    assert "data-frame" in connection.page
    assert "text/html" in bundle


def test_without_anywidget_the_picture_is_alive_but_tells_nobody(
    trace: Any, sent: list[dict[str, Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shown_view, "can_connect", lambda: False)
    view = Lines(trace, layer=1, head=2)
    assert "text/html" in view._repr_mimebundle_()
    view.query = 3
    assert view._shown._connection is None
    assert sent == []
