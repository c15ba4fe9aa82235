"""A server of a test's own, and further windows of a visitor: in both the browser has compiled the app's scripts."""

from __future__ import annotations

from functools import cache

from playwright.sync_api import Page

from tests.browser.conftest import Server, arrive, free_port


@cache
def own_port() -> int:
    """The port of all servers of this module in this process, one after the other."""
    return free_port()


def own_server(environment: dict[str, str] | None = None) -> Server:
    """A server where the one before was. Do not take it to show that a file is served: the browser may have it."""
    return Server(environment, port=own_port())


def another_window(page: Page, url: str) -> Page:
    """Another window of the same visitor, with a session of its own; settled."""
    window = page.context.new_page()
    arrive(window, url)
    return window
