"""The way from a page to its place on Home's map."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from pages.shared.session.view_session import ViewSession
from tests.pages.conftest import components, messages, open_link, session_of

SENTENCE = "The dog is here"


def press(app: AppTest) -> AppTest:
    app.button(key="on the map").click().run()
    assert not app.exception
    assert messages(app) == []
    assert session_of(app, ViewSession).page == "home"
    return app


@pytest.mark.parametrize(
    ("page", "url", "place"),
    [
        ("attention/heads.py", {"layer": "2", "head": "1", "query": "3", "key": "0"}, "weights:1,3,0"),
        ("attention/scores.py", {"layer": "2", "head": "1", "query": "3", "key": "0"}, "weights:1,3,0"),
        ("attention/heads.py", {"layer": "2", "head": "1", "query": "-2", "depth": "Numbers"}, "/head 1"),
    ],
)
def test_a_page_leads_to_its_head_on_the_map(page: str, url: dict[str, str], place: str) -> None:
    app = press(open_link(page, model="tiny-lm", text=SENTENCE, **url))
    data, _ = components(app)["model_map"]
    assert data["at"].startswith("decoder.2")
    assert data["at"].endswith(place)
    assert data["framed"] == "decoder.2/head 1"


def test_cross_attention_leads_to_its_own_heads() -> None:
    url = {"attention": "decoder.cross_attn", "layer": "1", "head": "2", "query": "1", "key": "0"}
    app = press(open_link("attention/heads.py", model="en-ur", text="I am a robot", **url))
    assert components(app)["model_map"][0]["at"] == "decoder.1.cross_attn.weights:2,1,0"


@pytest.mark.parametrize("page", ["home/home.py", "inputs/tokens.py", "models/see.py", "help/glossary.py"])
def test_a_page_without_a_head_has_no_such_button(page: str) -> None:
    app = open_link(page, model="tiny-lm", text=SENTENCE)
    assert "on the map" not in [button.key for button in app.button]
