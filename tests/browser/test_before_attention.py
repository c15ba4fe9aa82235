"""Before attention in a real browser: the matrices grow with the words, by keyboard; parts and models by link."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.browser.conftest import live

LINK = "before_attention?model=en-ur&text=I+am+a+robot&before_attention_part="


def test_the_alignment_grows_with_the_words_written_and_plays_to_its_end(open_app: Callable[..., Page]) -> None:
    page = open_app(f"{LINK}sentence&before_attention_step=1")
    main = page.get_by_test_id("stMain")
    expect(page.get_by_role("heading", name="Before attention", level=1)).to_be_visible()
    expect(main.get_by_text("looks most at i 0")).to_be_visible()
    slider = live(page).get_by_role("slider", name="Words written")
    slider.focus()
    slider.press("ArrowRight")
    slider.press("ArrowRight")
    expect(main.get_by_text("looks most at robot 3")).to_be_visible()
    expect(page).to_have_url(re.compile("before_attention_step=3"))
    main.get_by_role("button", name="Play").click()
    expect(page).to_have_url(re.compile("before_attention_step=5"))
    expect(main.get_by_role("button", name="Play")).to_be_visible()  # it ends by itself
