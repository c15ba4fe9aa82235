"""Help in a real browser: underlined terms, their card, the glossary, the keys on `?`, the tour of a first visit."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import parse_qs, urlsplit

from playwright.sync_api import Page, expect

from pages.teach.lectures import lecture_file
from pages.teach.lectures.scene import Lecture, Scene
from tests.browser.conftest import go_inside
from tests.browser.run_bar import edit, run_sentence, sentence

OpenApp = Callable[..., Page]
Settle = Callable[[Page], None]
UNDERLINED = "() => [...(CSS.highlights.get('glossary') ?? [])]"
STOPS = 7


def underlined(page: Page) -> list[str]:
    """The underlined words, once there are any."""
    page.wait_for_function("() => CSS.highlights.get('glossary')?.size > 0")
    return page.evaluate(f"() => ({UNDERLINED})().map((range) => range.toString())")


def place_of(page: Page, word: str) -> tuple[float, float]:
    """The middle of an underlined word, brought into view."""
    page.wait_for_function(f"(word) => ({UNDERLINED})().some((range) => range.toString() === word)", arg=word)
    return page.evaluate(
        f"""(word) => {{
          const range = ({UNDERLINED})().find((range) => range.toString() === word);
          range.startContainer.parentElement.scrollIntoView({{ block: "center" }});
          const box = range.getBoundingClientRect();
          return [box.x + box.width / 2, box.y + box.height / 2];
        }}""",
        word,
    )


def values(page: Page) -> dict[str, list[str]]:
    return parse_qs(urlsplit(page.url).query)


def test_a_term_opens_by_pointer_and_leads_to_its_view(walk: OpenApp, settle: Settle) -> None:
    page = walk("masks?model=tiny-lm&text=I+am+a+robot")
    assert {"mask", "softmax", "queries"} <= set(underlined(page))
    card = page.locator(".gf.help .card")
    page.mouse.move(*place_of(page, "softmax"))
    expect(card).to_be_visible()  # the pointer rests
    expect(card.get_by_role("heading")).to_have_text("Softmax")
    page.keyboard.press("Escape")
    expect(card).to_be_hidden()
    page.mouse.click(*place_of(page, "queries"))
    card = page.get_by_role("dialog", name="Query")
    expect(card).to_be_focused()
    expect(card.locator("math")).to_have_count(2)  # symbol and equation
    expect(card.locator(".source")).to_contain_text("Palaskos (2022), eq. 3.38")
    card.get_by_role("button", name="Open Scores").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Scores")
    page.wait_for_url("**/scores?**")
    settle(page)
    assert values(page)["text"] == ["I am a robot"]
    assert values(page)["model"] == ["tiny-lm"]


def test_a_term_opens_by_keyboard(walk: OpenApp) -> None:
    page = walk("masks?model=tiny-lm&text=I+am+a+robot")
    underlined(page)
    page.locator(".gf.help summary").press("Enter")
    softmax = page.locator(".gf.help .terms").get_by_role("button", name="Softmax")
    softmax.press("Enter")
    card = page.get_by_role("dialog", name="Softmax")
    expect(card).to_be_focused()
    page.keyboard.press("Tab")
    expect(card.get_by_role("link")).to_be_focused()  # the source
    page.keyboard.press("Tab")
    expect(card.get_by_role("button", name="Open Scores")).to_be_focused()
    page.keyboard.press("Escape")
    expect(card).to_be_hidden()
    expect(softmax).to_be_focused()
    softmax.press("Enter")
    card.get_by_role("button", name="In the glossary").press("Enter")
    page.wait_for_url("**/glossary?**glossary_term=softmax**")
    expect(page.get_by_role("article", name="Softmax")).to_be_focused()


def test_what_the_reader_wrote_is_not_underlined_and_reruns_find_the_new_words(open_app: OpenApp) -> None:
    page = open_app("?model=en-ur&text=The+attention+mask")
    words = underlined(page)
    expect(page.get_by_role("dialog", name="Tour")).to_be_hidden()  # who comes by a link is not shown the tour
    assert "layer" in [word.lower() for word in words]
    said = page.get_by_text("reads “The attention mask”")
    expect(said).to_be_visible()
    assert (
        said.evaluate(f"(node) => ({UNDERLINED})().filter((range) => node.contains(range.startContainer)).length") == 0
    )
    page.get_by_role("radio", name="Formula").click()
    place_of(page, "Residual stream")
    page.get_by_role("radio", name="Picture").click()
    place_of(page, "residual stream")


def test_the_glossary_finds_links_and_opens(walk: OpenApp, settle: Settle) -> None:
    page = walk("glossary?model=tiny-lm&text=I+am+a+robot&glossary_term=rotary-positions", width=390, height=844)
    rotary = page.get_by_role("article", name="Rotary positions")
    expect(rotary).to_be_in_viewport()
    expect(rotary).to_have_class("chosen")
    field = page.get_by_role("searchbox", name="Find a term")
    field.press_sequentially("kv cache")
    expect(page.get_by_role("article")).to_have_count(1)
    page.wait_for_url("**glossary_find=kv+cache**")
    settle(page)
    field.fill("zebra")
    expect(page.get_by_text("No term has these words")).to_be_visible()
    field.fill("teacher")
    page.get_by_role("button", name="Link to this term: Teacher forcing").click()
    page.wait_for_url("**glossary_term=teacher-forcing**")
    settle(page)
    page.get_by_role("button", name="Open Training: Teacher forcing").click()
    page.wait_for_url("**/training?**training_part=forcing**")
    expect(page.get_by_role("heading", level=1)).to_have_text("Training")


def test_the_keys_of_the_page_on_question_mark(walk: OpenApp) -> None:
    page = walk("heads?model=tiny-lm&text=I+am+a+robot")
    expect(page.locator(".gf.lines")).to_be_visible()
    keys = page.get_by_role("dialog", name="Keyboard")
    box = edit(page)
    page.keyboard.type("?")
    expect(keys).to_be_hidden()
    expect(box).to_have_value("?")
    box.press("Escape")
    page.get_by_role("radio", name="Picture").press("?")
    expect(keys).to_be_visible()
    expect(keys.get_by_role("heading", name="Lines of a head")).to_be_visible()
    expect(keys.get_by_role("heading", name="Drawing")).to_have_count(0)
    page.keyboard.press("Escape")
    expect(keys).to_be_hidden()
    expect(page.get_by_role("radio", name="Picture")).to_be_focused()
    page.locator(".gf.help").get_by_role("button", name="Keyboard").click()
    keys.get_by_role("button", name="Close").press("Enter")
    expect(keys).to_be_hidden()


def card_is_beside(page: Page) -> bool:
    """The tour's card hides nothing of what its frame is round, and lies within the window."""
    ring, card = (page.locator(f".gf.help .{name}").bounding_box() for name in ("ring", "tour"))
    size = page.viewport_size
    assert ring is not None
    assert card is not None
    assert size is not None
    beside = card["x"] >= ring["x"] + ring["width"] or card["x"] + card["width"] <= ring["x"]
    above = card["y"] >= ring["y"] + ring["height"] or card["y"] + card["height"] <= ring["y"]
    right, bottom = card["x"] + card["width"], card["y"] + card["height"]
    within = card["x"] >= 0 and card["y"] >= 0 and right <= size["width"] and bottom <= size["height"]
    return (beside or above) and within and ring["width"] > 12


def test_the_tour_is_shown_once(open_app: OpenApp, settle: Settle) -> None:
    page = open_app()
    tour = page.get_by_role("dialog", name="Tour")
    expect(tour).to_contain_text(f"1 of {STOPS}")
    expect(tour.get_by_role("button", name="Next")).to_be_focused()
    page.keyboard.press("Escape")
    expect(tour).to_be_hidden()
    page.goto(page.url.split("?")[0])
    settle(page)
    expect(page.locator(".gf.help summary")).to_be_visible()
    expect(tour).to_be_hidden()


def test_the_tour_hides_nothing_that_it_explains_and_can_be_left(walk: OpenApp) -> None:
    page = walk("?model=tiny-lm&text=The+robot")
    tour = page.get_by_role("dialog", name="Tour")
    start = page.locator(".gf.help .foot").get_by_role("button", name="Take the tour")
    start.click()
    for stop in range(STOPS):
        expect(tour).to_contain_text(f"{stop + 1} of {STOPS}")
        expect(page.locator(".gf.help .ring")).to_be_visible()
        assert stop == 2 or card_is_beside(page)  # the map is larger than the window
        if stop < STOPS - 1:
            tour.get_by_role("button", name="Next").press("Enter")
    tour.get_by_role("button", name="Finish").click()
    expect(tour).to_be_hidden()
    start.click()
    tour.get_by_role("button", name="Next").press("Enter")
    tour.get_by_role("button", name="Leave").click()
    expect(tour).to_be_hidden()


def test_the_tour_starts_from_any_page_blocks_nothing_and_ends_elsewhere(open_app: OpenApp) -> None:
    page = open_app("glossary?model=tiny-lm", width=390, height=844)
    tour = page.get_by_role("dialog", name="Tour")
    page.locator(".gf.help .foot").get_by_role("button", name="Take the tour").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("See a transformer think")
    expect(tour).to_contain_text(f"1 of {STOPS}")
    expect(page.locator(".gf.help .ring")).to_be_visible()
    assert card_is_beside(page)
    page.get_by_role("radio", name="Numbers").click()
    expect(page.get_by_test_id("stDataFrame")).to_be_visible()
    expect(tour).to_be_visible()
    page.get_by_test_id("stMain").get_by_role("link", name="Glossary").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Glossary")
    expect(tour).to_be_hidden()


def test_the_tour_types_chooses_and_switches_and_everything_comes_back(open_app: OpenApp, settle: Settle) -> None:
    page = open_app("?model=tiny-lm&text=The+robot")
    chips = page.locator(".gf.runbar .chip")
    tour = page.get_by_role("dialog", name="Tour")
    show = tour.get_by_role("button", name="Show me")
    page.locator(".gf.help .foot").get_by_role("button", name="Take the tour").click()
    show.click()
    expect(page.get_by_role("textbox", name="Your sentence")).to_be_visible()
    expect(chips).to_have_text(["I", "·am", "·a", "·robot"])
    expect(tour).to_contain_text("The model has read this sentence")
    expect(tour.get_by_role("button", name="Next")).to_be_focused()
    tour.get_by_role("button", name="Next").press("Enter")
    expect(chips.last).to_have_attribute("aria-selected", "true")  # what the page proposes
    show.click()
    expect(chips.nth(2)).to_have_attribute("aria-selected", "true")
    for _ in range(3):
        tour.get_by_role("button", name="Next").click()
    show.click()
    expect(page.get_by_test_id("stDataFrame")).to_be_visible()
    page.keyboard.press("Escape")
    expect(tour).to_be_hidden()
    expect(chips).to_have_text(["The", "·robot"])
    expect(page.locator(".gf.model-map")).to_be_visible()
    settle(page)
    proposed = {"layer": ["1"], "head": ["1"], "query": ["1"]}  # what Home shows where the reader has chosen nothing
    assert values(page) == {"model": ["tiny-lm"], "text": ["The robot"], **proposed}
    expect(chips.last).to_have_attribute("aria-selected", "true")
    assert page.evaluate("localStorage.getItem('glassformer sentences')") is None


def test_the_tour_leaves_a_draft_and_a_sentence_of_the_readers_own(walk: OpenApp) -> None:
    page = walk("?model=tiny-lm&text=The+robot")
    chips = page.locator(".gf.runbar .chip")
    tour = page.get_by_role("dialog", name="Tour")
    edit(page).fill("The dog")
    page.locator(".gf.help .foot").get_by_role("button", name="Take the tour").click()
    tour.get_by_role("button", name="Show me").click()
    expect(tour).to_contain_text("it stays as it is")
    assert sentence(page) == "The dog"
    tour.get_by_role("button", name="Show me").click()
    box = page.get_by_role("textbox", name="Your sentence")
    expect(box).to_be_focused()
    box.press("Escape")  # while the tour types
    expect(box).to_be_hidden()
    expect(tour).to_contain_text("cut into the tokens")
    tour.get_by_role("button", name="Show me").click()
    expect(chips).to_have_text(["I", "·am", "·a", "·robot"])
    run_sentence(page, "I walk")
    expect(chips).to_have_text(["I", "·walk"])
    tour.get_by_role("button", name="Leave").click()
    expect(tour).to_be_hidden()
    edit(page)
    expect(chips).to_have_text(["I", "·walk"])


def test_the_readers_sentence_comes_back_on_the_page_to_which_the_reader_leaves_the_tour(
    walk: OpenApp, settle: Settle
) -> None:
    page = walk("?model=tiny-lm&text=The+robot")
    tour = page.get_by_role("dialog", name="Tour")
    page.locator(".gf.help .foot").get_by_role("button", name="Take the tour").click()
    tour.get_by_role("button", name="Show me").click()
    expect(tour).to_contain_text("The model has read this sentence")
    page.get_by_test_id("stSidebarNav").get_by_role("link", name="Heads").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Heads")
    expect(page.locator(".gf.runbar .chip")).to_have_text(["The", "·robot"])
    settle(page)
    assert values(page)["text"] == ["The robot"]


def test_who_presents_sees_neither_foot_nor_lines_but_the_keys(open_app: OpenApp, settle: Settle) -> None:
    lecture = lecture_file.write(Lecture("One", "", (Scene("scores", {"model": "tiny-lm"}),)))
    page = open_app("scores?model=tiny-lm", kept={"glassformer lecture": lecture})
    underlined(page)
    go_inside(page, "lecture?model=tiny-lm")
    page.get_by_role("button", name="Present", exact=True).click()
    expect(page.locator(".gf.presenter .count")).to_be_visible()
    settle(page)
    expect(page.locator(".gf.help .foot")).to_be_hidden()
    page.wait_for_function("() => !CSS.highlights.get('glossary')")
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keyboard").get_by_role("heading", name="Presenting")).to_be_visible()
