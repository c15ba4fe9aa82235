"""The Cost page in a real browser."""

from collections.abc import Callable

from playwright.sync_api import Page, expect


def test_a_link_to_a_page_works_on_a_cold_server(cold_server, open_app: Callable[..., Page]) -> None:
    page = open_app("cost?model=minilm-l6&cost_view=Growth", url=cold_server.url)
    expect(page.get_by_role("heading", name="Cost", level=1)).to_be_visible()
    expect(page.get_by_text("In one layer the two meet at T = 2,304 tokens")).to_be_visible()
    expect(page.get_by_text("Page not found")).to_have_count(0)


def test_a_stopped_measurement_keeps_what_it_has(open_app: Callable[..., Page]) -> None:
    page = open_app("cost?model=smollm2-135m&cost_view=Time")
    page.get_by_role("button", name="Measure", exact=False).first.click()
    expect(page.get_by_text("32 tokens")).to_be_visible()  # two lengths are done
    page.get_by_test_id("stMain").get_by_role("button", name="Stop").click()
    expect(page.get_by_text("Partial: stopped after")).to_be_visible()
