"""Break a part in a real browser."""

import re
from collections.abc import Callable

from playwright.sync_api import Page, expect


def test_a_broken_part_is_seen_in_the_output(open_app: Callable[..., Page]) -> None:
    page = open_app("bench?model=en-ur&text=I%20am%20a%20robot")
    expect(page.get_by_text("Without residuals:")).to_be_visible()
    page.get_by_role("button", name="residuals", exact=True).click()
    expect(page.get_by_text("Choose what to take away.")).to_be_visible()
    page.get_by_role("button", name="cross-attention", exact=True).click()
    expect(page.get_by_text("Without cross-attention:")).to_be_visible()
    written = page.locator('[class*="st-key-written"]')
    expect(written).to_have_count(2)
    whole, without = written.all()
    expect(whole).to_have_text("میں ایک روبوٹ ہوں")
    expect(without).not_to_have_text("میں ایک روبوٹ ہوں")
    expect(page).to_have_url(re.compile("bench_parts=cross-attention"))
