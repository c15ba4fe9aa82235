"""A tab of a browser, which the visitors of many tests use one after the other."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Literal

from playwright.sync_api import Browser, ConsoleMessage, Error, Page, ViewportSize

from tests.browser import glyphs

Theme = Literal["light", "dark"]
WAIT = 30_000  # milliseconds that an expectation may take: the first one loads a model


class Tab:
    """A tab of a browser of its own, which visitors use one after the other.

    To open the app where it was open before takes half the time: the browser has compiled its scripts.
    """

    def __init__(self, browser: Browser) -> None:
        self.page = browser.new_context().new_page()
        self.page.set_default_timeout(WAIT)
        glyphs.listen(self.page)

    def visitor(
        self, origin: str, theme: Theme, size: ViewportSize, kept: Mapping[str, str], window: Mapping[str, str]
    ) -> Page:
        """The tab as a new visitor has it: nothing is left of the one before. `kept`: what localStorage holds;
        `window`: what sessionStorage holds."""
        page = self.page
        page.context.set_offline(False)
        page.context.clear_cookies()
        page.unroute_all()
        page.set_viewport_size(size)
        page.emulate_media(color_scheme=theme, reduced_motion="reduce")
        page.mouse.move(0, 0)
        page.goto(f"{origin}/_stcore/health")  # an address of the app without its scripts
        page.evaluate(
            """([kept, window]) => {
              sessionStorage.clear();
              localStorage.clear();
              Object.assign(localStorage, kept);
              Object.assign(sessionStorage, window);
            }""",
            [dict(kept), dict(window)],
        )
        return page

    @contextmanager
    def listening(self, mistakes: list[str]) -> Iterator[None]:
        """Adds each uncaught JavaScript error, and what the Content-Security-Policy forbids, to `mistakes`."""

        def hear(error: Error) -> None:
            mistakes.append(str(error))

        def hear_refusal(message: ConsoleMessage) -> None:
            if "Content Security Policy" in message.text:
                mistakes.append(message.text)

        self.page.on("pageerror", hear)
        self.page.context.on("console", hear_refusal)  # of the windows that the page opens, too
        yield
        if not self.page.is_closed():
            self.page.remove_listener("pageerror", hear)
            self.page.context.remove_listener("console", hear_refusal)

    def leave(self) -> None:
        """The visitor goes: the windows that the page opened are closed, and the server hears of the end."""
        for other in self.page.context.pages:
            if other is not self.page:
                other.close()
        self.page.goto("about:blank")
