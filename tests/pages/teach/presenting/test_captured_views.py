"""A view of every page is captured, saved with its lecture, and opened by another visitor, who sees the same.

That a browser then draws the same pixels: tests/browser/test_lecture.py.
"""

from __future__ import annotations

from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from pages.catalogue import BY_URL, PAGES
from pages.teach.lectures import lecture_file
from tests.pages.conftest import figures, lecture_of, open_link, run_page, text, with_lecture

TINY = {"model": "tiny-lm", "text": "The dog is hungry because it"}
URDU = {"model": "en-ur", "text": "The girl reads the book"}
VIEWS = {  # page -> a view of it that is not its default
    "home": TINY | {"layer": "2"},
    "positions": TINY | {"positions_part": "heatmap", "positions_d": "16"},
    "scores": TINY | {"scores_step": "softmax", "layer": "1", "head": "2"},
    "masks": TINY | {"layer": "1", "head": "1", "masks_kind": "none"},
    "heads": TINY | {"heads_view": "Matrix", "layer": "2", "head": "2"},
    "combine": TINY | {"combine_view": "Each head's part", "layer": "2"},
    "block": TINY | {"block_part": "flow", "layer": "3"},
    "predict": TINY | {"predict_view": "lens"},
    "translate": URDU | {"translate_step": "2"},
    "classify": {"model": "tiny-encoder", "text": "I love this film", "classify_part": "kinds"},
    "training": {"model": "tiny-lm", "text": "I am a robot", "training_part": "replay", "training_snapshot": "2"},
    "before_attention": URDU | {"before_attention_part": "shapes"},
    "see": TINY | {"see_part": "patches", "see_model": "digits-vit"},
    "cost": TINY | {"cost_view": "Growth", "cost_tokens": "512"},
    "lecture": TINY | {"lecture_open": "positions", "lecture_scene": "3"},
}


def data_sent(app: AppTest) -> dict[str, bytes | str]:
    """What each component of the page gets, by the name of the component. The run bar has the time of the run."""
    protos = [element.proto for element in app.main.get("bidi_component")]
    names = {proto.component_name: proto.bytes or proto.json for proto in protos}
    return {name: data for name, data in names.items() if not name.endswith("_run_bar")}


def query(app: AppTest) -> dict[str, Any]:
    return {name: app.query_params[name] for name in app.query_params}


def press(app: AppTest, label: str) -> AppTest:
    (button,) = [each for each in app.button if each.label == label]
    return button.click().run()


@pytest.mark.slow
@pytest.mark.parametrize("page", [entry.url for entry in PAGES])
def test_a_captured_view_opens_as_it_was(page: str) -> None:
    view = VIEWS.get(page, TINY)
    first = open_link(BY_URL[page].file.removeprefix("pages/"), **view)
    press(first, "Add this view to my lecture")
    assert not first.exception
    assert query(first) == query(first) | view
    saved = lecture_file.write(lecture_of(first)).encode()
    second = run_page("teach/lecture.py", with_lecture(lecture_file.read(saved)[0]))
    press(second, "Open this view")
    assert not second.exception
    assert second.title[0].value == first.title[0].value
    assert query(second) == query(first)
    assert figures(second) == figures(first)
    if page != "lecture":  # it shows the lecture itself
        assert data_sent(second) == data_sent(first)
        assert text(second) == text(first)
