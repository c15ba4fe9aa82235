"""The Scores page in a browser: play and step, hover a cell, keyboard, a link to each part."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from urllib.parse import quote

from playwright.sync_api import Locator, Page, Position, expect

from pages.shared import state

TEXT = "The cat sees the dog"
HERE = f"scores?model=tiny-lm&text={quote(TEXT)}&scores_layer=1&scores_head=2"


def board(page: Page, name: str) -> Locator:
    """The canvas of a component, drawn."""
    canvas = page.locator(f".gf.{name} canvas")
    expect(canvas).to_have_attribute("data-boxes", re.compile("x"))
    return canvas


def point(canvas: Locator, box: int | str, shape: tuple[int, int], cell: tuple[int, int]) -> Position:
    """The middle of a cell of one matrix on a canvas, relative to the canvas."""
    place = json.loads(canvas.get_attribute("data-boxes") or "")[box]
    return {
        "x": place["x"] + (cell[1] + 0.5) * place["width"] / shape[1],
        "y": place["y"] + (cell[0] + 0.5) * place["height"] / shape[0],
    }


def current(page: Page) -> Locator:
    return page.locator('.gf.steps [aria-current="step"]')


def test_step_back_and_play(open_app: Callable[..., Page]) -> None:
    page = open_app(HERE)
    expect(current(page)).to_contain_text("Q, K, V")
    page.get_by_role("button", name="Next step").click()
    expect(current(page)).to_contain_text("Q Kᵀ")
    expect(page).to_have_url(re.compile("scores_step=scores"))
    page.get_by_role("button", name="Back", exact=True).click()
    expect(current(page)).to_contain_text("Q, K, V")
    page.get_by_role("button", name="Play all steps").click()
    expect(current(page)).to_contain_text("÷ √d_k")
    page.get_by_role("button", name="Pause").click()
    expect(page.get_by_role("button", name="Play all steps")).to_be_visible()


def test_a_hovered_cell_writes_its_sum_and_a_click_keeps_it(open_app: Callable[..., Page]) -> None:
    page = open_app(f"{HERE}&scores_step=scores")
    canvas, story = board(page, "steps"), page.locator(".gf.steps .story")
    canvas.hover(position=point(canvas, "c", (5, 5), (4, 1)))
    expect(story).to_contain_text("Q Kᵀ[dog, cat] =")
    expect(story).to_contain_text("smaller products, together")
    canvas.hover(position=point(canvas, "c", (5, 5), (2, 0)))
    expect(story).to_contain_text("Q Kᵀ[sees, The] =")
    canvas.click(position=point(canvas, "c", (5, 5), (2, 0)))
    expect(page).to_have_url(re.compile("scores_query=2"))
    expect(page.get_by_text("sees and The: ")).to_be_visible()


def test_the_keyboard_moves_the_cell_and_the_canvas_tells_it(open_app: Callable[..., Page]) -> None:
    page = open_app(f"{HERE}&scores_step=softmax&scores_query=1&scores_key=1")
    canvas, story = board(page, "steps"), page.locator(".gf.steps .story")
    canvas.focus()
    expect(story).to_contain_text("weight of cat for cat")
    expect(canvas).to_have_attribute("aria-label", re.compile("^softmax.* Now weight of cat for cat"))
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowLeft")
    expect(story).to_contain_text("weight of The for sees")
    expect(canvas).to_have_attribute("aria-label", re.compile("Now weight of The for sees"))
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("scores_query=2.*scores_key=0"))


PARTS = {
    "steps": ("Step by step", "Each token's vector is multiplied"),
    "similarity": ("From similarity", "By similarity alone"),
    "scale": ("Why √d_k", "A sample: 256 random queries"),
    "temperature": ("Temperature", "at temperature"),
    "table": ("A table to edit", "An illustration by hand"),
    "geometry": ("Geometry", "Three components keep"),
}


def test_a_link_opens_a_part_and_every_part_is_drawn(open_app: Callable[..., Page]) -> None:
    assert tuple(PARTS) == state.KEYS["scores_part"].choices
    page = open_app(f"{HERE}&scores_part=geometry")
    expect(page.get_by_text(PARTS["geometry"][1]).first).to_be_visible()
    for label, seen in PARTS.values():
        page.get_by_role("radiogroup", name="Part").get_by_role("radio", name=label, exact=True).click()
        expect(page.get_by_text(seen).first).to_be_visible()
