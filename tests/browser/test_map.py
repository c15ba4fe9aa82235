"""The map of the whole model in a browser: its pictures, hand and keyboard, the sum of a number, the URL, playing."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import Locator, Page, Route, expect

from model import load
from tests.browser.conftest import live
from viz.shared.style import number

TEXT = "The dog sees the cat"
LINK = f"?model=tiny-lm&text={TEXT.replace(' ', '+')}"
NUMBER = "decoder.1.self_attn.weights:2,3,1"
MIN_COLOURS = 100  # of a map with its pictures; titles and frames alone have fewer
MAP, PLACE = b"glassformer_model_map", b"glassformer_map_place"  # in the messages of the server

OpenApp = Callable[..., Page]

COUNT_COLOURS = """board => {
  const { data } = board.getContext("2d").getImageData(0, 0, board.width, board.height);
  return new Set(new Uint32Array(data.buffer)).size;
}"""


def board_of(page: Page) -> Locator:
    return page.get_by_role("application", name="Map of this run")


def see_pictures(page: Page) -> None:
    """Wait until the pictures of the map have come."""
    board = board_of(page)
    board.wait_for()
    handle = board.element_handle()
    page.wait_for_function(f"board => ({COUNT_COLOURS})(board) > {MIN_COLOURS}", arg=handle)


def ask(page: Page, words: str) -> None:
    board_of(page).focus()
    page.keyboard.press("/")
    page.get_by_role("combobox", name="Search the map").fill(words)
    page.keyboard.press("Enter")


def test_a_number_says_where_it_comes_from_and_is_followed_and_back(walk: OpenApp) -> None:
    page = walk(LINK)
    see_pictures(page)
    ask(page, NUMBER)
    value = float(load("tiny-lm").trace(TEXT, keep="*.weights")["decoder.1.self_attn.weights"][2, 3, 1])
    panel = page.get_by_role("complementary", name="Why this number")
    expect(panel.get_by_role("heading", level=3)).to_have_text(f"Why {value:.3f}?")
    expect(panel).to_contain_text("the sum of exp over")
    expect(page).to_have_url(re.compile("home_at=decoder.1.self_attn.weights%3A2%2C3%2C1"))
    panel.get_by_role("button", name="masked scores").first.click()
    expect(page).to_have_url(re.compile("home_at=decoder.1.self_attn.masked%3A2%2C3"))
    panel.get_by_role("button", name="Back along the trail").click()
    expect(panel.get_by_role("heading", level=3)).to_have_text(f"Why {value:.3f}?")
    page.keyboard.press("ArrowLeft")  # a button has the focus, and keeps its keys
    expect(panel.get_by_role("heading", level=3)).to_have_text(f"Why {value:.3f}?")
    board_of(page).focus()
    page.keyboard.press("ArrowLeft")
    expect(page).to_have_url(re.compile("home_at=decoder.1.self_attn.weights%3A2%2C3%2C0"))
    panel.get_by_role("button", name="Close").click()
    expect(panel).to_be_hidden()


def test_a_link_shows_its_place_again(open_app: OpenApp) -> None:
    page = open_app(f"{LINK}&home_at={NUMBER}", theme="dark")
    expect(page.get_by_role("navigation", name="Place on the map")).to_contain_text("Head 2›weights")
    expect(page.get_by_role("complementary", name="Why this number")).to_contain_text("Goes into")
    see_pictures(page)


def test_a_narrow_part_is_a_place_of_its_own(walk: OpenApp) -> None:
    page = walk(LINK)
    see_pictures(page)
    ask(page, "layer 2 residual stream")
    expect(page).to_have_url(re.compile(r"home_at=decoder\.2%2Fresidual\+stream(&|$)"))
    expect(page.get_by_role("navigation", name="Place on the map")).to_contain_text("Layer 2›Residual stream")


def test_the_wheel_zooms_and_the_url_keeps_the_view(walk: OpenApp) -> None:
    page = walk(LINK)
    see_pictures(page)
    box = board_of(page).bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    for _ in range(4):
        page.mouse.wheel(0, -150)
    expect(page).to_have_url(re.compile(r"home_at=[^&]*%40[\d.]+%2C[\d.]+%2C[\d.]+"))
    expect(page.get_by_role("navigation", name="Place on the map").get_by_role("button")).not_to_have_count(1)
    page.get_by_role("button", name="The whole model (0)").click()
    expect(page).not_to_have_url(re.compile("home_at"))
    see_pictures(page)


def test_the_run_is_played(walk: OpenApp) -> None:
    page = walk(LINK)
    page.get_by_role("button", name="Play the run (space)").click()
    expect(page.get_by_role("toolbar", name="Playback")).to_be_visible()
    words = page.locator(".gf.model-map .player .words")
    expect(words).to_have_text(re.compile("Layer [1-3] of 0–3: all 5 tokens at once|Every token predicts"))  # by itself
    page.get_by_role("button", name="To the last step").click()
    expect(words).to_contain_text("Every token predicts. The last one, “cat”:")
    page.locator(".gf.model-map .player").get_by_role("button", name="Close").click()
    expect(page.get_by_role("toolbar", name="Playback")).to_be_hidden()


def test_the_run_goes_on_with_the_next_token(walk: OpenApp) -> None:
    page = walk(LINK)
    see_pictures(page)
    page.get_by_role("button", name="Play the run (space)").click()
    page.get_by_role("button", name="To the last step").click()
    offer = page.get_by_role("button", name=re.compile("Write “.+” and go on"))
    expect(offer).to_be_visible()  # nothing is written before the reader says so
    assert "cat+" not in page.url
    offer.click()
    expect(page.locator(".gf.model-map .player .words")).to_contain_text("all 6 tokens at once")
    expect(page).to_have_url(re.compile("text=The\\+dog\\+sees\\+the\\+cat\\+"))
    see_pictures(page)


def test_a_phone_has_the_map_too(walk: OpenApp) -> None:
    page = walk(f"{LINK}&home_at={NUMBER}", width=390, height=844)
    see_pictures(page)
    panel = page.get_by_role("complementary", name="Why this number")
    expect(panel).to_contain_text("Goes into")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    board = page.locator(".gf.model-map canvas.board")
    high = board.bounding_box()["height"]  # type: ignore[index]
    page.get_by_role("button", name="The whole model (0)").click()
    expect(board).not_to_have_css("height", f"{high}px")
    assert 180 < board.bounding_box()["height"] < 240, "as low as the whole model"  # type: ignore[index]
    page.get_by_role("button", name="Closer (+)").click()
    expect(board).to_have_css("height", f"{high}px")


def test_a_run_that_is_gone_is_asked_for_again_without_a_blank_map(walk: OpenApp) -> None:
    page = walk("?model=tiny-lm&text=The+cat+sees+the+old+dog")
    see_pictures(page)
    answers = [404, 404]

    def lose(route: Route) -> None:
        if answers:
            route.fulfill(status=answers.pop(), body="Not Found")
        else:
            route.fallback()

    page.route(re.compile("/tiles/[^/]+/many"), lose)
    with page.expect_response(lambda answer: "/many" in answer.url and answer.ok):
        ask(page, NUMBER)
    assert not answers
    see_pictures(page)
    expect(page.get_by_text("Reload the page")).to_have_count(0)
    page.unroute_all()


def test_the_map_of_a_picture_is_there_on_see(walk: OpenApp) -> None:
    page = walk("see?see_model=digits-vit&see_part=map&see_at=encoder.1.self_attn.weights:2,3,1")
    see_pictures(page)
    panel = page.get_by_role("complementary", name="Why this number")
    expect(panel).to_contain_text("r1 c3 (query 3), r1 c1 (key 1)")
    page.get_by_role("button", name="The whole model (0)").click()
    expect(page).not_to_have_url(re.compile("see_at"))
    see_pictures(page)


def test_two_runs_are_shown_as_a_difference(walk: OpenApp) -> None:
    page = walk(f"{LINK}&home_with=another+sentence&home_at={NUMBER}")
    see_pictures(page)
    live(page).get_by_label("Second sentence").fill("The cat sees the dog")
    page.keyboard.press("Enter")
    crumbs = page.get_by_role("navigation", name="Place on the map")
    expect(crumbs).to_contain_text("Difference a − b")
    model = load("tiny-lm")
    a, b = (float(model.trace(text, keep="*.weights")["decoder.1.self_attn.weights"][2, 3, 1])
            for text in (TEXT, "The cat sees the dog"))  # fmt: skip
    panel = page.get_by_role("complementary", name="Why this number")
    expect(panel).to_contain_text(f"a − b: {number(a)} − {number(b)}")
    expect(page.get_by_text("Blue: a is larger")).to_be_visible()
    panel.get_by_role("button", name="in b").click()
    expect(panel.get_by_role("button", name="in b")).to_have_attribute("aria-pressed", "true")
    expect(panel.get_by_role("button", name="in b")).to_be_focused()
    expect(panel).to_contain_text(f"This number is {number(b)}")
    expect(panel).to_contain_text("Made of")
    panel.get_by_role("button", name="a − b").click()
    expect(panel).to_contain_text(f"a − b: {number(a)} − {number(b)}")
    live(page).get_by_label("Second sentence").fill("The cat")
    page.keyboard.press("Enter")
    expect(page.get_by_text("the first has 5, the second 2")).to_be_visible()
    expect(crumbs).not_to_contain_text("Difference")


def test_a_rest_of_the_map_sends_its_place_and_no_script(
    open_app: OpenApp, follow_link: Callable[[Page, str], None], settle: Callable[[Page], None]
) -> None:
    page = open_app("follow")  # listen before the app is loaded
    heard: list[bytes] = []
    page.on("websocket", lambda socket: socket.on("framereceived", lambda message: heard.append(message)))
    follow_link(page, LINK)
    see_pictures(page)
    settle(page)
    assert any(MAP in message for message in heard)  # the script came once
    heard.clear()
    ask(page, "layer 2 head 1")
    expect(page).to_have_url(re.compile("home_at=decoder.2%2Fhead"))
    settle(page)
    assert any(PLACE in message for message in heard)
    assert not any(MAP in message for message in heard)
    expect(page.get_by_text("Layer 2's head 1 (framed)")).to_be_visible()
    page.go_back()
    expect(page.get_by_role("navigation", name="Place on the map")).to_contain_text("The whole model· 4 layers")
