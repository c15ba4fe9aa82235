"""The components without a mouse: reached by Tab with a focus that is seen, worked by arrows, Enter and Space."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

OpenApp = Callable[..., Page]
STOPS = 110

# The element with the focus, also within a component: what it is called, and whether it is framed.
FOCUS = """() => {
  let node = document.activeElement;
  while (node?.shadowRoot?.activeElement) node = node.shadowRoot.activeElement;
  if (!node || node === document.body) return null;
  const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(node);
  return {
    name: node.getAttribute("aria-label") ?? node.textContent ?? "",
    ours: Boolean(node.closest(".gf")),
    framed: (outlineStyle !== "none" && parseFloat(outlineWidth) >= 1.5) || boxShadow !== "none",
  };
}"""


@pytest.mark.parametrize(
    "view", ["predict?model=tiny-lm", "masks?model=tiny-lm&masks_kind=painted", "heads?model=tiny-lm"]
)
def test_the_focus_is_seen_at_every_stop(view: str, open_app: OpenApp) -> None:
    page = open_app(view)
    expect(page.locator(".gf canvas, .gf .chip").first).to_be_visible()
    stops = []
    for _ in range(STOPS):
        page.keyboard.press("Tab")
        stops.append(page.evaluate(FOCUS))  # None where the browser's own bar has the focus
    ours = [stop for stop in stops if stop and stop["ours"]]
    assert len(ours) > 8
    assert [stop["name"][:40] for stop in ours if not stop["framed"]] == []


def test_a_step_of_the_block_keeps_the_focus_after_it_is_opened(open_app: OpenApp) -> None:
    page = open_app("block?model=tiny-lm")
    steps = page.get_by_role("option")
    steps.first.focus()
    page.keyboard.press("ArrowDown")
    expect(steps.nth(1)).to_be_focused()
    page.keyboard.press("Enter")
    expect(steps.nth(1)).to_have_attribute("aria-selected", "true")
    expect(steps.nth(1)).to_be_focused()


def test_a_prompt_keeps_the_focus_when_the_page_above_it_grows(open_app: OpenApp) -> None:
    page = open_app("masks?model=tiny-lm")
    expect(page.locator(".gf.help")).to_be_attached()  # it keeps the focus
    prompt = page.get_by_role("button", name="A padded batch")
    prompt.focus()
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("masks_kind=padding"))
    expect(page.get_by_label("The other sentences of the batch")).to_be_visible()
    expect(prompt).to_be_focused()


def test_the_map_shows_another_layer_by_keyboard(open_app: OpenApp) -> None:
    page = open_app("?model=tiny-lm&home_layer=1")
    layers = page.get_by_role("group", name="Size of the residual stream by layer").get_by_role("button")
    expect(layers.nth(1)).to_have_attribute("aria-pressed", "true")
    layers.nth(1).focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(layers.nth(2)).to_have_attribute("aria-pressed", "true")
    expect(layers.nth(2)).to_be_focused()
    expect(page).to_have_url(re.compile("home_layer=2"))
