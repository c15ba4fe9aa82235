"""The painter of Masks in a browser: paint cells and see the prediction change, keyboard, undo."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from urllib.parse import quote

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.mounting import MountedComponent

TEXT = "The cat sees the dog"
HERE = f"masks?model=tiny-lm&text={quote(TEXT)}&layer=1&head=2"
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
    return page.get_by_text(re.compile(r"^After \W*dog\W* \d+:"))


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


@pytest.fixture
def painted(mount: Callable[..., MountedComponent]) -> MountedComponent:
    """The painter, alone."""
    keys = {"layer": 1, "head": 2, "masks_kind": "painted"}
    return mount("attention/masks.py", "mask_painter", model="tiny-lm", text=TEXT, **keys)


def test_clear_and_a_preset_paint_the_whole_mask(painted: MountedComponent) -> None:
    """That a painted causal mask predicts as the causal one is proved in tests/pages/attention/test_masks.py."""
    page = painted.page
    page.get_by_role("button", name="Clear").click()
    expect(painted.said).to_contain_text("Nothing is hidden")
    page.get_by_role("button", name="causal", exact=True).click()
    expect(painted.said).to_contain_text("10 of 25 cells are hidden")


def test_the_keyboard_paints(painted: MountedComponent) -> None:
    painter(painted.page).focus()
    board = painted.page.get_by_role("application", name=re.compile("^Mask of"))
    steps = (("Space", 11), ("Shift+ArrowDown", 12), ("r", 14), ("Control+z", 12), ("Control+z", 11))
    painted.page.keyboard.press("ArrowDown")
    for key, hidden in steps:
        painted.page.keyboard.press(key)
        expect(painted.said).to_contain_text(f"{hidden} of 25 cells are hidden")
        expect(board).to_have_attribute("aria-label", re.compile(f"{hidden} of 25 cells hidden"))
