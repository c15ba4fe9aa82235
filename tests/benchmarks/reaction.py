"""From a press of the reader to the new picture on Heads, in a real browser: Enter in the run bar, a chip, a layer."""

from __future__ import annotations

import re
import statistics
from collections.abc import Callable, Iterator

from playwright.sync_api import Browser, Locator, Page, sync_playwright

from tests.benchmarks.pages import view
from tests.benchmarks.row import Row
from tests.browser.conftest import QUIET, Server, readers_browser
from tests.browser.run_bar import edit

TURNS = 15
WARM_UP = 3  # the first pictures compile the browser's scripts
ENTER_BUDGET = 250.0  # milliseconds, beyond the run itself
CHOICE_BUDGET = 150.0
SENTENCES = {
    "tiny-lm": "The dog number {} is hungry and sees a cat",
    "smollm2-135m": "I swam across river number {} to get to the other bank of it",  # 16 tokens
}

# The milliseconds from the next `event` to the first frame after the picture has been drawn anew: after an attribute of
# some part of it was set. The browser reports that even if the value is the same.
DRAWN = ("canvas.moves", "width")  # a canvas is drawn anew after its width was set
CHOSEN = (".token", "aria-selected")  # the words are marked after the lines of the chosen one were drawn
WATCH = """(root, [event, part, attribute]) => {
  window.reaction = new Promise((done) => {
    let began;
    const watcher = new MutationObserver((changes) => {
      if (began === undefined || !changes.some(({ target }) => target.matches(part))) return;
      watcher.disconnect();
      requestAnimationFrame(() => done(performance.now() - began));
    });
    watcher.observe(root, { subtree: true, attributes: true, attributeFilter: [attribute] });
    addEventListener(event, () => { began = performance.now(); }, { capture: true, once: true });
  });
}"""


def main() -> list[Row]:
    server = Server()
    try:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=readers_browser(), args=QUIET)
            rows = [row for model in SENTENCES for row in reactions(browser, server, model)]
            browser.close()
            return rows
    finally:
        server.stop()


def reactions(browser: Browser, server: Server, model: str) -> Iterator[Row]:
    page = view(browser, server.url, model, "heads", SENTENCES[model].format("0"))
    yield Row(
        f"Enter to the picture on Heads, {model}", enter(page, model), ENTER_BUDGET, "budget beyond the run", "ms"
    )
    chips = page.locator(".gf.runbar .chip")
    layer = page.get_by_role("combobox", name="Layer")
    yield choice(page, f"a chip on Heads, {model}", "click", CHOSEN, lambda turn: chips.nth(1 + turn % 5).click())
    yield choice(page, f"a layer on Heads, {model}", "input", DRAWN, lambda turn: layer.select_option(str(turn % 3)))
    page.context.close()


def enter(page: Page, model: str) -> float:
    """Milliseconds, without those that the run bar says of the run. Each sentence is new to the server."""
    taken = []
    for turn in range(1, TURNS + 1):
        box = edit(page)
        box.fill(SENTENCES[model].format(turn))
        taken.append(reaction(page, "keydown", DRAWN, lambda box=box: box.press("Enter")) - run_cost(page))  # type: ignore[misc]
    return statistics.median(taken[WARM_UP:])


def run_cost(page: Page) -> float:
    said = re.search(r"· (?:below )?([\d,]+) ms", page.locator(".gf.runbar").inner_text())
    if said is None:
        raise RuntimeError("The run bar says no cost, so the run was not made for this press.")
    return float(said[1].replace(",", ""))


def choice(page: Page, what: str, event: str, sign: tuple[str, str], choose: Callable[[int], object]) -> Row:
    taken = [reaction(page, event, sign, lambda turn=turn: choose(turn)) for turn in range(TURNS)]  # type: ignore[misc]
    return Row(f"{what} to the picture", statistics.median(taken[WARM_UP:]), CHOICE_BUDGET, "budget", "ms")


def reaction(page: Page, event: str, sign: tuple[str, str], press: Callable[[], object]) -> float:
    picture: Locator = page.locator(".gf.lines")
    picture.evaluate(WATCH, [event, *sign])
    press()
    taken: float = page.evaluate("() => window.reaction")
    settled(page)
    return taken


def settled(page: Page) -> None:
    """Waits until the server has said that the page is done, so that the next press starts from rest."""
    page.wait_for_function(
        """() => document.querySelector("[data-testid=stApp]").dataset.testScriptState !== "running" """
    )
