"""The texts of a head under the hand: the words of a weight, the keys, and a text that becomes the sentence."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import expect

from tests.browser.mounting import MountedComponent

KEYS = {"model": "tiny-lm", "heads_view": "Many texts", "heads_many": "This head", "heads_kinds": "repetition"}


def test_a_text_is_pointed_at_reached_by_keys_and_becomes_the_sentence(
    mount: Callable[..., MountedComponent],
) -> None:
    part = mount("attention/heads.py", "head_texts", **KEYS, layer=1, head=0)
    lines = part.page.locator(".gf.head-texts").get_by_role("button")
    expect(lines).to_have_count(20)
    first = lines.first
    expect(first).to_have_attribute(
        "aria-label", re.compile(r"^1\.00, repetition: “.+” at \d+ looks at “.+” at \d+\. ")
    )
    first.locator(".key").hover()
    tip = part.page.locator(".gf.head-texts .tip")
    expect(tip).to_have_text(re.compile(r"^1\.00 of its attention on “.+”$"))
    part.page.mouse.move(0, 0)
    expect(tip).to_be_hidden()
    first.focus()
    part.page.keyboard.press("ArrowDown")
    expect(lines.nth(1)).to_be_focused()
    said = lines.nth(1).get_attribute("aria-label") or ""
    query, key = re.findall(r"” at (\d+)", said)
    part.page.keyboard.press("Enter")
    expect(part.page).to_have_url(re.compile(f"query={query}&key={key}"))
    expect(part.page).not_to_have_url(re.compile("heads_view"))
    assert part.app.session_state["text"] == said.split(". ", 1)[1]


def test_texts_have_their_lines_below_the_weight_on_a_phone(mount: Callable[..., MountedComponent]) -> None:
    for width, is_below in ((1000, False), (358, True)):
        page = mount("attention/heads.py", "head_texts", width=width, **KEYS).page
        line = page.locator(".gf.head-texts").get_by_role("button").first
        weight, text = (line.locator(name).bounding_box() for name in (".weight", ".sentences"))
        assert weight is not None
        assert text is not None
        assert (text["y"] >= weight["y"] + weight["height"]) is is_below
        assert text["x"] + text["width"] <= width
