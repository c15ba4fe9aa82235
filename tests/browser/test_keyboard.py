"""The components without a mouse: reached by Tab with a focus that is seen, worked by arrows, Enter and Space."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import live
from tests.browser.mounting import MountedComponent

OpenApp = Callable[..., Page]
STOPS = 110  # presses of Tab

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


OF_TEXTS: dict[str, object] = {"heads_view": "Many texts", "heads_many": "This head", "heads_kinds": "bank"}
# What is worked by hand: page, component, and the keys with which the page shows it.
WORKED: list[tuple[str, str, dict[str, object]]] = [
    ("home/home.py", "model_map", {}),
    ("inputs/tokens.py", "token_strip", {"tokens_part": "tokeniser"}),
    ("inputs/positions.py", "position_heatmap", {}),
    ("inputs/positions.py", "position_circles", {"positions_part": "circles"}),
    ("inputs/positions.py", "position_distance", {"positions_part": "distance"}),
    ("attention/scores.py", "matrix_steps", {}),
    ("attention/masks.py", "mask_painter", {"masks_kind": "painted"}),
    ("attention/heads.py", "attention_lines", {}),
    ("attention/heads.py", "heads_atlas", {"heads_view": "All heads"}),
    ("attention/heads.py", "head_texts", OF_TEXTS),
    ("block/block.py", "block_flow", {}),
    ("models/predict.py", "predict_player", {"predict_tokens": 3}),
    ("models/translate.py", "translation", {"model": "en-ur", "text": "I am a robot"}),
    ("models/see.py", "patch_attention", {"see_model": "digits-vit", "see_part": "attention"}),
]


@pytest.mark.parametrize(("path", "component", "keys"), WORKED, ids=[name for _, name, _ in WORKED])
def test_the_focus_is_seen_at_every_stop(
    path: str, component: str, keys: dict[str, object], mount: Callable[..., MountedComponent]
) -> None:
    page = mount(path, component, **{"model": "tiny-lm", **keys}).page
    expect(page.locator(".gf canvas, .gf .chip, .gf [role=option], .gf li button").first).to_be_visible()
    page.keyboard.press("Tab")
    stops = [page.evaluate(FOCUS)]
    while stops[-1] and len(stops) < STOPS:
        page.keyboard.press("Tab")
        stops.append(page.evaluate(FOCUS))  # None where the browser's own bar has the focus
    ours = [stop for stop in stops if stop and stop["ours"]]
    assert ours, "the keyboard reaches it"
    assert [stop["name"][:40] for stop in ours if not stop["framed"]] == []


def test_the_focus_is_seen_at_every_stop_of_a_page(open_app: OpenApp) -> None:
    page = open_app("heads?model=tiny-lm")
    expect(page.locator(".gf canvas, .gf .chip").first).to_be_visible()
    stops = []
    for _ in range(STOPS):
        page.keyboard.press("Tab")
        stops.append(page.evaluate(FOCUS))
    ours = [stop for stop in stops if stop and stop["ours"]]
    assert len(ours) > 8
    assert [stop["name"][:40] for stop in ours if not stop["framed"]] == []


def test_a_step_of_the_block_keeps_the_focus_after_it_is_opened(walk: OpenApp) -> None:
    page = walk("block?model=tiny-lm")
    steps = page.locator(".gf.flow").get_by_role("option")
    steps.first.focus()
    page.keyboard.press("ArrowDown")
    expect(steps.nth(1)).to_be_focused()
    page.keyboard.press("Enter")
    expect(steps.nth(1)).to_have_attribute("aria-selected", "true")
    expect(steps.nth(1)).to_be_focused()


def test_a_prompt_keeps_the_focus_when_the_page_above_it_grows(walk: OpenApp) -> None:
    page = walk("masks?model=tiny-lm")
    expect(page.locator(".gf.help")).to_be_attached()  # it keeps the focus
    prompt = page.get_by_role("button", name="A padded batch")
    prompt.focus()
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("masks_kind=padding"))
    expect(live(page).get_by_label("The other sentences of the batch")).to_be_visible()
    expect(prompt).to_be_focused()


def test_the_map_is_travelled_by_keyboard(mount: Callable[..., MountedComponent]) -> None:
    page = mount("home/home.py", "model_map", model="tiny-lm").page
    page.get_by_role("application", name="Map of this run").focus()
    page.keyboard.press("/")
    page.keyboard.type("layer 2 head 3")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(r"home_at=decoder\.2%2Fhead\+3"))
    expect(page).to_have_url(re.compile("layer=2&head=3"))
    page.keyboard.press("Escape")
    expect(page).not_to_have_url(re.compile("head\\+3"))
