"""The shell in a real browser: deep links, themes, two visitors at once, hostile text, the keyboard."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import parse_qs, quote, urlsplit

from playwright.sync_api import Locator, Page, expect

from tests.benchmarks import pages
from tests.browser.run_bar import edit, run_sentence, sentence

HOSTILE = (
    "<script>window.hacked = 1</script> **bold** $x^2$ :red[red] [a](javascript:alert(1)) <img src=x onerror=hacked=1>"
)
OpenApp = Callable[..., Page]


def chips(page: Page) -> Locator:
    return page.locator(".gf.runbar .chip")


def expect_chips(page: Page, *texts: str) -> None:
    """The tokens of the sentence that was run. A component may just be drawn anew: a note above moves it."""
    expect(chips(page)).to_have_text(texts)


def test_a_deep_link_restores_the_view_and_the_url_follows_what_is_shown(open_app: OpenApp) -> None:
    page = open_app("?model=tiny-lm&text=The+dog+sees+the+cat&layer=3&depth=Picture")
    expect(page.get_by_test_id("stMain")).to_contain_text("Layer 3's head")
    assert sentence(page) == "The dog sees the cat"
    expect_chips(page, "The", "·dog", "·sees", "·the", "·cat")
    expect(page.get_by_role("combobox", name="Layer")).to_have_value("3")
    page.get_by_role("combobox", name="Layer").select_option("2")
    expect(page.get_by_test_id("stMain")).to_contain_text("Layer 2's head")
    page.get_by_role("radio", name="Numbers").click()
    expect(page.get_by_test_id("stDataFrame")).to_be_visible()
    page.wait_for_url("**depth=Numbers**")
    values = parse_qs(urlsplit(page.url).query)
    assert values["layer"] == ["2"]
    assert values["text"] == ["The dog sees the cat"]
    assert values["model"] == ["tiny-lm"]


def test_the_theme_reaches_the_page_and_the_map_and_both_follow_when_the_reader_switches_it(
    open_app: OpenApp,
) -> None:
    dark = open_app("?model=tiny-lm", theme="dark")
    expect(dark.get_by_test_id("stApp")).to_have_css("background-color", "rgb(15, 18, 22)")
    expect(dark.locator(".gf.model-map.dark")).to_have_count(1)
    dark.get_by_test_id("stMainMenu").get_by_role("button").click()
    dark.get_by_role("menuitemradio", name="Light").or_(dark.get_by_role("radio", name="Light")).first.click()
    expect(dark.get_by_test_id("stApp")).to_have_css("background-color", "rgb(255, 255, 255)")
    expect(dark.locator(".gf.model-map")).to_have_count(1)
    expect(dark.locator(".gf.model-map.dark")).to_have_count(0)


def test_hostile_text_is_shown_as_text_and_right_to_left_text_keeps_its_direction(walk: OpenApp) -> None:
    page = walk("?model=minilm-l6&text=Hello")
    run_sentence(page, HOSTILE)
    expect(chips(page).nth(2)).to_have_text("script")
    main = page.get_by_test_id("stMain")
    assert page.evaluate("window.hacked") is None
    for tag in ("script", "img[src='x']", "a[href^='javascript']", ".katex", "strong strong"):
        expect(main.locator(tag)).to_have_count(0)
    run_sentence(page, "میں ایک روبوٹ ہوں")
    expect(edit(page)).to_have_css("unicode-bidi", "plaintext")
    expect(chips(page).nth(1)).to_have_text("م")


def test_two_visitors_never_see_each_other(open_app: OpenApp) -> None:
    first = open_app("?model=tiny-lm&text=I+am+a+robot")
    second = open_app("?model=tiny-lm&text=What+time+is+it%3F")
    run_sentence(first, "AJ looks like a dog")
    expect(chips(first).nth(1)).to_have_text("·looks")
    expect_chips(second, "What", "·time", "·is", "·it", "?")
    run_sentence(second, "The weather is cool")
    expect(chips(second).nth(1)).to_have_text("·weather")
    expect_chips(first, "AJ", "·looks", "·like", "·a", "·dog")
    assert sentence(first) == "AJ looks like a dog"


def test_what_cannot_be_run_leaves_the_last_good_view(walk: OpenApp) -> None:
    page = walk("?model=tiny-lm&text=I+am+a+robot")
    alert = page.get_by_test_id("stAlert")
    run_sentence(page, "   ")
    expect(alert).to_contain_text("Type a sentence")
    expect(page.get_by_text("Below is still the last sentence that could be run: I am a robot")).to_be_visible()
    expect(page.locator(".gf.model-map")).to_be_visible()
    expect_chips(page)  # what cannot be run has no tokens


def test_a_bad_link_falls_back_and_says_so(open_app: OpenApp) -> None:
    page = open_app("?model=nope%3Cb%3E&depth=Deep&layer=many")
    alerts = page.get_by_test_id("stAlert")
    expect(alerts).to_have_count(3)
    expect(alerts.filter(has_text="“nope<b>” does not exist")).to_be_visible()
    expect(alerts.filter(has_text="can only be Picture, Numbers, Formula, Code")).to_be_visible()
    expect(alerts.filter(has_text="not a whole number")).to_be_visible()
    expect(page.locator(".gf.model-map")).to_be_visible()


def test_a_number_of_the_map_opens_its_page_at_the_same_place_by_keyboard(walk: OpenApp) -> None:
    page = walk("?model=tiny-lm&text=I+am+a+robot&home_at=decoder.2.self_attn.weights:3,2,1")
    page.locator(".gf.model-map").get_by_role("button", name="Open Heads").press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("Heads")
    page.wait_for_url("**/heads?**layer=2**")
    values = parse_qs(urlsplit(page.url).query)
    assert values["head"] == ["3"]
    assert values["text"] == ["I am a robot"]


def test_a_rerun_sends_nothing_that_the_browser_has(
    open_app: OpenApp, follow_link: Callable[[Page, str], None]
) -> None:
    """Training draws the most. The code of the components alone would be 18 kB of every run."""
    page = open_app("follow")  # listen before the app is loaded
    sizes: list[int] = []
    page.on("websocket", lambda socket: socket.on("framereceived", lambda data: sizes.append(len(data))))
    follow_link(page, f"training?model=tiny-lm&text={quote(pages.FIRST)}")
    for text in (pages.SECOND, pages.FIRST):
        pages.show(page, text)
    sizes.clear()
    pages.show(page, pages.SECOND)
    assert 0 < sum(sizes) < 45_000
