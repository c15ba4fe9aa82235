"""The steps of Scores in a browser: play and step, hover a cell, keyboard."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, Position, expect

from tests.browser.mounting import MountedComponent

TEXT = "The cat sees the dog"


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


@pytest.fixture
def steps(mount: Callable[..., MountedComponent]) -> Callable[..., MountedComponent]:
    """`steps(**keys)`: the component of the part Step by step, alone; the keys of the page without its name."""

    def visit(**keys: object) -> MountedComponent:
        values = {f"scores_{name}": value for name, value in {"layer": 1, "head": 2, **keys}.items()}
        return mount("attention/scores.py", "matrix_steps", model="tiny-lm", text=TEXT, **values)

    return visit


def test_step_back_and_play(steps: Callable[..., MountedComponent]) -> None:
    page = steps().page
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


def test_a_hovered_cell_writes_its_sum_and_a_click_keeps_it(steps: Callable[..., MountedComponent]) -> None:
    part = steps(step="scores")
    page = part.page
    canvas, story = board(page, "steps"), page.locator(".gf.steps .story")
    canvas.hover(position=point(canvas, "c", (5, 5), (4, 1)))
    expect(story).to_contain_text("Q Kᵀ[dog, cat] =")
    expect(story).to_contain_text("smaller products, together")
    canvas.hover(position=point(canvas, "c", (5, 5), (2, 0)))
    expect(story).to_contain_text("Q Kᵀ[sees, The] =")
    canvas.click(position=point(canvas, "c", (5, 5), (2, 0)))
    expect(page).to_have_url(re.compile("query=2"))
    expect(part.said).to_contain_text(":gray-background[**sees** :small[2]] and :gray-background[**The** :small[0]]: ")


def test_the_keyboard_moves_the_cell_and_the_canvas_tells_it(steps: Callable[..., MountedComponent]) -> None:
    page = steps(step="softmax", query=1, key=1).page
    canvas, story = board(page, "steps"), page.locator(".gf.steps .story")
    canvas.focus()
    expect(story).to_contain_text("weight of cat for cat")
    expect(canvas).to_have_attribute("aria-label", re.compile("^softmax.* Now weight of cat for cat"))
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowLeft")
    expect(story).to_contain_text("weight of The for sees")
    expect(canvas).to_have_attribute("aria-label", re.compile("Now weight of The for sees"))
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("query=2.*key=0"))
