"""The Masks page in a browser: paint cells and see the prediction change, keyboard, undo, a link to each part."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from urllib.parse import quote

from playwright.sync_api import Locator, Page, expect

from pages.shared import state

TEXT = "The cat sees the dog"
HERE = f"masks?model=tiny-lm&text={quote(TEXT)}&masks_layer=1&masks_head=2"
PAINT = f"{HERE}&masks_kind=painted"


def painter(page: Page) -> Locator:
    canvas = page.locator(".gf.painter canvas")
    expect(canvas).to_have_attribute("data-box", re.compile("x"))
    canvas.scroll_into_view_if_needed()
    return canvas


def point(canvas: Locator, row: int, column: int) -> tuple[float, float]:
    """The middle of a cell on the screen."""
    box, around = json.loads(canvas.get_attribute("data-box") or ""), canvas.bounding_box()
    assert around is not None
    return (
        around["x"] + box["x"] + (column + 0.5) * box["width"] / 5,
        around["y"] + box["y"] + (row + 0.5) * box["height"] / 5,
    )


def caption(page: Page) -> Locator:
    return page.get_by_text(re.compile("^After dog:"))


def test_painting_a_cell_changes_the_prediction_and_undo_takes_it_back(open_app: Callable[..., Page]) -> None:
    page = open_app(PAINT)
    canvas = painter(page)
    expect(page.get_by_text("10 of 25 cells are hidden")).to_be_visible()
    before = caption(page).inner_text()
    start, end = point(canvas, 4, 1), point(canvas, 4, 2)
    page.mouse.move(*start)
    page.mouse.down()
    page.mouse.move(*end, steps=4)
    page.mouse.up()
    expect(page.get_by_text("12 of 25 cells are hidden")).to_be_visible()
    expect(page).to_have_url(re.compile("masks_paint=5x5"))
    expect(caption(page)).not_to_have_text(before)
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_text("10 of 25 cells are hidden")).to_be_visible()
    expect(caption(page)).to_have_text(before)


def test_a_painted_causal_mask_predicts_what_the_causal_mask_predicts(open_app: Callable[..., Page]) -> None:
    page = open_app(f"{HERE}&masks_kind=causal")
    causal = caption(page).inner_text()
    page = open_app(PAINT)
    painter(page)
    page.get_by_role("button", name="Clear").click()
    expect(page.get_by_text("Nothing is hidden")).to_be_visible()
    page.get_by_role("button", name="causal", exact=True).click()
    expect(page.get_by_text("10 of 25 cells are hidden")).to_be_visible()
    expect(caption(page)).to_have_text(causal)


def test_the_keyboard_paints(open_app: Callable[..., Page]) -> None:
    page = open_app(PAINT)
    painter(page).focus()
    board = page.get_by_role("application", name=re.compile("^Mask of"))
    steps = (("Space", 11), ("Shift+ArrowDown", 12), ("r", 14), ("Control+z", 12), ("Control+z", 11))
    page.keyboard.press("ArrowDown")
    for key, hidden in steps:
        page.keyboard.press(key)
        expect(page.get_by_text(f"{hidden} of 25 cells are hidden")).to_be_visible()
        expect(board).to_have_attribute("aria-label", re.compile(f"{hidden} of 25 cells hidden"))


PARTS = {
    "panels": ("Choose or paint", "cells are hidden in layer 1, head 2"),
    "ways": ("Three ways", "Multiplying the scores by 0 hides nothing"),
    "cheat": ("The cheating decoder", "change by exactly 0"),
    "row": ("A hidden row", "Every number of the run stays finite"),
    "passes": ("One pass or T", "5 of 5 next tokens are the same"),
}


def test_a_link_opens_a_part_and_every_part_is_drawn(open_app: Callable[..., Page]) -> None:
    assert tuple(PARTS) == state.KEYS["masks_part"].choices
    page = open_app(f"{HERE}&masks_part=passes")
    expect(page.get_by_text(PARTS["passes"][1]).first).to_be_visible()
    for label, seen in PARTS.values():
        page.get_by_role("radiogroup", name="Part").get_by_role("radio", name=label, exact=True).click()
        expect(page.get_by_text(seen).first).to_be_visible()
