"""The pictures of README and docs/, taken anew in a browser: `make pictures`.

Look at them before they are kept: words beside a picture may tell of a number in it.

    python -m tests.pictures [PART OF A FILE'S NAME ...]
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Literal, NamedTuple
from urllib.parse import urlencode

from playwright.sync_api import Browser, expect, sync_playwright

from tests.browser.conftest import QUIET, RESTS, Server, arrive, readers_browser, settle

ROOT = Path(__file__).parents[1]
READING = 600_000  # milliseconds at most. SmolLM2 reads a thousand texts in half a minute where nothing else runs
CHART, COMPONENT = '[data-testid="stPlotlyChart"]', ".stBidiComponent:has(.head-texts)"

READ = "Read the texts"


class Picture(NamedTuple):
    """A view as a file: the whole window, or an element of it. `button` is pressed first, then `pressed` are keys."""

    file: str
    path: str
    keys: dict[str, str]
    theme: Literal["light", "dark"] = "light"
    element: str = ""
    button: str = ""
    pressed: tuple[str, ...] = ()


def many_texts(file: str, element: str, **keys: str) -> Picture:
    """A view of SmolLM2's heads over the project's own texts."""
    chosen = {"model": "smollm2-135m", "heads_view": "Many texts", "heads_texts": "glassformer", **keys}
    return Picture(f"docs/pictures/{file}.png", "heads", chosen, element=element, button=READ)


PICTURES = (
    Picture("assets/screenshots/home-light.png", "", {"text": "The quick brown fox jumps over the lazy"}),
    Picture("assets/screenshots/heads-dark.png", "heads", {"layer": "9", "head": "2"}, theme="dark"),
    Picture("assets/screenshots/why-light.png", "why", {"text": "The capital of France is"}),
    Picture("assets/screenshots/see-light.png", "see", {"see_part": "attention"}),
    Picture("docs/pictures/lecture.png", "lecture", {"lecture_open": "attention"}),
    Picture(
        "docs/pictures/presented.png",
        "lecture",
        {"lecture_open": "attention"},
        button="Present",
        pressed=("PageDown",) * 3,
    ),
    many_texts("all-heads", CHART, layer="9", head="2", heads_x="previous", heads_y="induction"),
    many_texts("closing-head", COMPONENT, layer="26", head="6", heads_many="This head"),
    many_texts("a-rule-tested", CHART, layer="9", head="2", heads_many="Rule", heads_rule="same-earlier"),
)


def take(picture: Picture, browser: Browser, server: Server) -> None:
    """Open the view as a new visitor, and write the file."""
    window = browser.new_context(
        viewport={"width": 1440, "height": 900}, color_scheme=picture.theme, reduced_motion="reduce"
    )
    page = window.new_page()
    arrive(page, f"{server.url}/{picture.path}?{urlencode(picture.keys)}")
    button, stop = page.get_by_role("button", name=picture.button), page.get_by_role("button", name="Stop")
    if picture.button and button.count():  # a reading is on the disk where it was made before
        button.first.click()
        if picture.button == READ:
            expect(stop).to_be_visible()
        expect(stop).to_have_count(0, timeout=READING)
        settle(page)
    for key in picture.pressed:
        page.keyboard.press(key)
        page.wait_for_function(RESTS)
        settle(page)
    page.wait_for_load_state("networkidle")  # the map has all its tiles
    if picture.element:
        shown = page.locator(picture.element).first
        expect(shown).to_be_visible()
        shown.screenshot(path=ROOT / picture.file)
    else:
        page.screenshot(path=ROOT / picture.file)
    window.close()


def main(names: list[str]) -> None:
    server = Server()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=readers_browser(), args=QUIET)
        for picture in PICTURES:
            if not names or any(name in picture.file for name in names):
                take(picture, browser, server)
                print(picture.file)
    server.stop()


if __name__ == "__main__":
    main(sys.argv[1:])
