"""Heads, the view "What they do", in a real browser."""

import re
from collections.abc import Callable

from playwright.sync_api import Page, expect

VIEW = "heads?heads_view=What%20they%20do"


def test_a_stopped_sweep_keeps_what_it_has(open_app: Callable[..., Page]) -> None:
    long = "The%20quick%20brown%20fox%20jumps%20over%20the%20lazy%20dog%20" * 5  # so that it takes a while
    page = open_app(f"{VIEW}&heads_work=sweep&model=smollm2-135m&text={long}")
    page.get_by_role("button", name="Take each head away").click()
    expect(page.get_by_text(re.compile("[1-9][0-9]* of 30 attentions"))).to_be_visible()  # at least one is done
    page.get_by_test_id("stMain").get_by_role("button", name="Stop").click()
    expect(page.get_by_text("Partial: stopped after")).to_be_visible()
    expect(page.get_by_text("Most is lost without head")).to_be_visible()
