"""Break a part in a real browser."""

import re
from collections.abc import Callable

from playwright.sync_api import Page, expect


def test_a_broken_part_is_seen_in_the_output(open_app: Callable[..., Page]) -> None:
    page = open_app("bench?model=en-ur&text=I%20am%20a%20robot")
    expect(page.get_by_text("Choose what to take away.")).to_be_visible()
    page.get_by_role("button", name="cross-attention", exact=True).click()
    expect(page.get_by_text("Without cross-attention:")).to_be_visible()
    written = page.locator('[class*="st-key-written"]')
    expect(written).to_have_count(2)
    whole, without = written.all()
    expect(whole).to_have_text("میں ایک روبوٹ ہوں")
    expect(without).not_to_have_text("میں ایک روبوٹ ہوں")
    expect(page).to_have_url(re.compile("bench_parts=cross-attention"))


def test_what_is_lost_is_measured_when_asked_for(open_app: Callable[..., Page]) -> None:
    page = open_app("bench?model=tiny-encoder&text=I%20am%20a%20robot&bench_parts=feed-forward")
    page.get_by_role("button", name="Measure on held-out sentences").click()
    expect(page.get_by_text("Lost most:")).to_be_visible()
    expect(page.get_by_text("60 held-out items a measure.")).to_be_visible()
    expect(page.get_by_text("Partial:")).to_have_count(0)


def test_a_measurement_that_is_stopped_keeps_what_it_has(open_app: Callable[..., Page]) -> None:
    page = open_app("bench?model=en-ur&text=I%20am%20a%20robot&bench_parts=cross-attention&bench_items=1000")
    page.get_by_role("button", name="Measure on held-out sentences").click()
    expect(page.get_by_text("Measured: loss")).to_be_visible(timeout=60_000)
    page.get_by_test_id("stMain").get_by_role("button", name="Stop").click()
    expect(page.get_by_text("Partial: it was stopped before all measures were made.")).to_be_visible(timeout=60_000)
    expect(page.get_by_text("Lost most:")).to_be_visible()
