"""The Classify page in a real browser."""

from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.browser.run_bar import run_sentence, sentence


def test_a_reader_goes_from_a_class_to_the_head_behind_it(
    open_app: Callable[..., Page], settle: Callable[[Page], None]
) -> None:
    page = open_app("classify?model=tiny-encoder&text=I%20love%20this%20film&classify_part=labels")
    expect(page.get_by_text("alone: positive")).to_be_visible()
    run_sentence(page, "I hate this film")
    expect(page.get_by_text("alone: negative")).to_be_visible()
    settle(page)
    page.get_by_role("button", name="See this head on Heads").click()
    expect(page.get_by_role("heading", name="Heads", level=1)).to_be_visible()
    assert sentence(page) == "I hate this film"
