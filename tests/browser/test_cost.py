"""The Cost page in a real browser."""

from collections.abc import Callable

from playwright.sync_api import Page, expect


def test_a_stopped_measurement_keeps_what_it_has(open_app: Callable[..., Page]) -> None:
    page = open_app("cost?model=smollm2-135m&cost_view=Time")
    page.get_by_role("button", name="Measure more exactly").click()
    expect(page.get_by_test_id("stProgress").get_by_text("32 tokens")).to_be_visible()  # two lengths are done
    page.get_by_test_id("stMain").get_by_role("button", name="Stop").click()
    expect(page.get_by_text("Partial: stopped after")).to_be_visible()
