"""The painter of Masks in a browser: paint cells and see the prediction change, keyboard, undo."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import quote

import pytest
from playwright.sync_api import Locator, Page, expect

from model.experiments.painted_masks import mask_from_text, presets
from tests.browser.mounting import MountedComponent
from tests.pages import long_model
from tests.pages.conftest import messages

TEXT = "The cat sees the dog"
HERE = f"masks?model=tiny-lm&text={quote(TEXT)}&layer=1&head=2"
PAINT = f"{HERE}&masks_kind=painted"


def painter(page: Page) -> Locator:
    canvas = page.locator(".gf.painter canvas")
    expect(canvas).to_have_attribute("data-box", re.compile("x"))
    canvas.scroll_into_view_if_needed()
    return canvas


def point(canvas: Locator, row: int, column: int, count: int = 5) -> tuple[float, float]:
    """The middle of a cell on the screen, of `count` rows and columns."""
    box, around = json.loads(canvas.get_attribute("data-box") or ""), canvas.bounding_box()
    assert around is not None
    return (
        around["x"] + box["x"] + (column + 0.5) * box["width"] / count,
        around["y"] + box["y"] + (row + 0.5) * box["height"] / count,
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
    page.go_back()
    expect(page.get_by_text("12 of 25 cells are hidden")).to_be_visible()
    page.mouse.move(0, 0)
    expect(page.locator(".gf.painter .words")).to_contain_text("12 of 25 cells hidden")  # the painter goes back too


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


@pytest.fixture
def window(mount: Callable[..., MountedComponent], tmp_path: Path) -> Iterator[MountedComponent]:
    """The painter of a text of 300 tokens, alone: its queries 128 to 147 and keys 64 to 83, of which none is hidden."""
    keys = {"layer": 1, "head": 2, "masks_kind": "painted", "window": "128,147", "columns": "64,83"}
    with long_model.installed(tmp_path):
        yield mount("attention/masks.py", "mask_painter", model=long_model.NAME, text=long_model.text(300), **keys)


def test_cells_of_a_long_text_are_painted_in_windows_and_undone_from_another_window(window: MountedComponent) -> None:
    """Each click changes one cell of the whole mask. Undo leads back to the window of the step."""
    page, app, causal = window.page, window.app, presets(300, 300)["causal"]

    def paint(row: int, column: int) -> None:
        page.mouse.click(*point(painter(page), row, column, 20))

    def expect_hidden(*cells: tuple[int, int]) -> None:
        """The cells (query, key) that are hidden beside those of the causal mask."""
        expect(window.said).to_contain_text(f"{int((~causal).sum()) + len(cells):,} of 90,000 cells are hidden")
        changed = mask_from_text(app.session_state["masks_paint"]) != causal
        assert [(query, key) for query, key in changed.nonzero().tolist()] == list(cells)

    paint(3, 5)
    expect_hidden((131, 69))
    app.session_state["window"], app.session_state["columns"] = (200, 219), (10, 29)  # shown by the next run
    paint(4, 5)
    expect_hidden((131, 69), (132, 69))
    paint(2, 3)
    expect_hidden((131, 69), (132, 69), (202, 13))
    page.get_by_role("button", name="Clear").click()
    expect(window.said).to_contain_text("Nothing is hidden")
    page.get_by_role("button", name="Undo").click()
    expect_hidden((131, 69), (132, 69), (202, 13))
    page.get_by_role("button", name="Undo").click()
    expect_hidden((131, 69), (132, 69))
    page.get_by_role("button", name="Undo").click()
    expect_hidden((131, 69))
    assert (app.session_state["window"], app.session_state["columns"]) == ((128, 147), (64, 83))
    paint(3, 5)
    expect(window.said).to_contain_text(f"{int((~causal).sum()):,} of 90,000 cells are hidden")


def test_a_mask_that_is_not_kept_goes_back_in_the_painter(
    window: MountedComponent, monkeypatch: pytest.MonkeyPatch
) -> None:
    page, app = window.page, window.app

    def expect_in_window(count: int) -> None:
        said = re.compile(f"^Window of a mask .* {count} of 400 cells hidden in this window")
        expect(page.get_by_role("application", name=said)).to_be_visible()

    page.mouse.click(*point(painter(page), 3, 5, 20))
    expect(page).to_have_url(re.compile("masks_paint="))
    kept = app.session_state["masks_paint"]
    with monkeypatch.context() as patch:
        patch.setattr("pages.attention.masks_parts.painter.MOST_CHARACTERS", 10)
        page.mouse.move(*point(painter(page), 4, 5, 20))
        page.mouse.down()
        expect_in_window(2)
        page.mouse.up()
        expect_in_window(1)
    assert app.session_state["masks_paint"] == kept
    assert "is not kept" in messages(app)[0]
    page.get_by_role("button", name="Undo").click()
    expect_in_window(0)
