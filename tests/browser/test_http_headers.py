"""The Content-Security-Policy in a real browser: every page works under it, and it stops what it is there to stop.

`open_app` fails a test whose page asked for anything that the policy forbids. So every test of this folder checks it.
"""

from __future__ import annotations

import json
import urllib.error
import urllib.request
from collections.abc import Callable

import pytest
from playwright.sync_api import Browser, Page, expect

from pages.catalogue import PAGES
from tests.browser.conftest import Server, go_inside
from tests.browser.test_access import VIEWS

SCORES = "scores?model=tiny-lm&text=the+dog+sees+the+cat"
ADD_SCRIPT = """() => {
  const script = document.createElement("script");
  script.textContent = "window.ran = true";
  document.body.append(script);
  return window.ran ?? false;
}"""
EVALUATE = """() => {
  try { return (0, eval)("true"); } catch { return false; }
}"""


def test_every_answer_of_the_server_has_the_policy_and_nothing_comes_from_another_host(
    open_app: Callable[..., Page], follow_link: Callable[[Page, str], None], server: Server
) -> None:
    """A class with poor internet, or none: no font, script or icon from a CDN."""
    page, answers, asked = open_app("follow"), [], []
    page.on("response", lambda response: answers.append(response))
    page.on("request", lambda request: asked.append(request.url))
    follow_link(page, SCORES)
    ours = [response for response in answers if response.url.startswith("http")]
    assert len(ours) > 5
    assert [response.url for response in ours if "content-security-policy" not in response.headers] == []
    assert [url for url in asked if url.startswith(("http", "ws")) and not url.startswith(server.url)] == []


def test_every_page_is_opened_by_a_test_of_this_folder() -> None:
    opened = {view.partition("?")[0] or "home" for view in VIEWS} | {"follow"}  # test_access.py: the page for students
    assert opened == {entry.url for entry in PAGES}


@pytest.mark.parametrize("depth", ["Numbers", "Formula", "Code"])
def test_the_depths_of_a_page_work_under_the_policy(walk: Callable[..., Page], depth: str) -> None:
    page = walk(f"{SCORES}&depth={depth}")
    expect(page.get_by_test_id("stException")).to_have_count(0)


def test_scripts_that_a_text_could_bring_do_not_run(server: Server, browser: Browser) -> None:
    context = browser.new_context()
    page = context.new_page()
    refused: list[str] = []
    page.on("console", lambda message: refused.append(message.text))
    page.goto(f"{server.url}/cost?model=tiny-lm")
    assert page.evaluate(ADD_SCRIPT) is False
    expect(page.get_by_role("heading", level=1).first).to_be_attached()
    assert any("Content Security Policy" in text for text in refused)  # as `open_app` hears it
    context.close()


def test_another_site_cannot_embed_the_app(server: Server, browser: Browser) -> None:
    context = browser.new_context()
    page = context.new_page()
    refused: list[str] = []
    page.on("console", lambda message: refused.append(message.text))
    with page.expect_response(lambda response: response.url.startswith(server.url)):
        page.set_content(f'<iframe src="{server.url}/"></iframe>')
    page.wait_for_load_state("networkidle")
    assert any("frame-ancestors" in text for text in refused)
    context.close()


def test_a_page_asks_for_nothing_that_is_not_there(
    open_app: Callable[..., Page], follow_link: Callable[[Page, str], None]
) -> None:
    page = open_app("follow")
    said, refused = [], []
    page.on("console", lambda message: said.append(message.text) if message.type == "error" else None)
    page.on("response", lambda response: refused.append(response.url) if response.status >= 400 else None)
    for go, path in ((follow_link, "?model=tiny-lm"), (go_inside, "scores"), (go_inside, "glossary")):
        go(page, path)
        assert (said, refused) == ([], []), path


def test_metrics_are_closed_and_no_other_site_may_send_messages(server: Server) -> None:
    with pytest.raises(urllib.error.HTTPError, match="404"):
        urllib.request.urlopen(f"{server.url}/_stcore/metrics")
    with urllib.request.urlopen(f"{server.url}/_stcore/host-config") as answer:
        assert json.load(answer)["allowedOrigins"] == []
