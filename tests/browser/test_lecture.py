"""Lectures in a real browser: a view is captured and played elsewhere, lectures are presented, a class follows."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from urllib.parse import parse_qs, urlencode, urlsplit

from playwright.sync_api import Page, expect

from pages.teach.lectures import lecture_file
from pages.teach.lectures.scene import Lecture, Scene
from tests.browser import classroom
from tests.browser.conftest import go_inside

OpenApp = Callable[..., Page]
Settle = Callable[[Page], None]
SHIPPED = lecture_file.shipped_lectures()
TINY = {"model": "tiny-lm", "text": "The dog is hungry because it"}
VIEWS = {  # path -> a view that is not the page's default, one for each way to draw
    "": TINY | {"layer": "2"},
    "heads": TINY | {"heads_view": "Matrix", "layer": "2", "head": "2"},
}
# What is drawn, by its data: pixels of each canvas, traces of each Plotly figure, what is said of it.
PICTURE = """() => {
  const found = [], seen = new Set();
  const walk = (node) => {
    if (seen.has(node)) return;
    seen.add(node);
    if (node.tagName === "CANVAS" && node.width > 1) found.push(node.toDataURL());
    if (node.classList?.contains("js-plotly-plot"))
      found.push(JSON.stringify(node.data.map(({ x, y, z, text }) => [x, y, z, text])));
    if (node.shadowRoot) [...node.shadowRoot.children].forEach(walk);
    [...node.children].forEach(walk);
  };
  walk(document.querySelector('[data-testid="stMain"]'));
  const said = document.querySelectorAll('[data-testid="stMain"] [data-testid="stMarkdown"]');
  return { drawn: found, text: [...said].map((each) => each.innerText) };
}"""
# How many pictures there are, without their pixels.
PICTURES = """() => {
  let count = 0;
  const walk = (node) => {
    if ((node.tagName === "CANVAS" && node.width > 1) || node.classList?.contains("js-plotly-plot")) count += 1;
    if (node.shadowRoot) [...node.shadowRoot.children].forEach(walk);
    [...node.children].forEach(walk);
  };
  walk(document.querySelector('[data-testid="stMain"]'));
  return count;
}"""
POLL = 200  # milliseconds between two looks at a whole page


def picture_of(page: Page) -> dict[str, object]:
    """What the page shows, once it shows the same twice: components draw after the page has settled."""
    expect(page.locator('.gf [aria-busy="true"]')).to_have_count(0)  # the map's tiles are on their way
    shown = page.wait_for_function(
        f"""() => {{
          const before = window.shown;
          window.shown = JSON.stringify(({PICTURE})());
          return window.shown === before && window.shown;
        }}""",
        polling=POLL,
    )
    return json.loads(shown.json_value())


def state_of(page: Page) -> tuple[str, dict[str, list[str]]]:
    place = urlsplit(page.url)
    return place.path.rsplit("/", 1)[-1], parse_qs(place.query)


def kept(page: Page) -> str:
    """The lecture as the browser keeps it, once it does."""
    page.wait_for_function("() => localStorage.getItem('glassformer lecture')")
    return page.evaluate("localStorage.getItem('glassformer lecture')")


def count(page: Page) -> str:
    return page.locator(".gf.presenter .count").inner_text()


PRESENTER = "Dr. <b>A"


def opened_to_class(open_app: OpenApp) -> tuple[Page, str]:
    page = open_app(f"lecture?{urlencode(TINY)}")
    page.get_by_label("Your name, as the class sees it").fill(PRESENTER)
    page.get_by_role("button", name="Open to the class").click()
    status = page.locator(".gf.presenter .class")
    expect(status).to_contain_text(re.compile(r"Code \w{6} · 0 follow"))
    return page, status.inner_text().split()[1]


def join(open_app: OpenApp, code: str, **how: object) -> Page:
    return classroom.join(open_app(f"follow?{urlencode(TINY)}", **how), code, PRESENTER)


SCENES_KEPT = "(count) => localStorage.getItem('glassformer lecture')?.split('[[scenes]]').length === count + 1"


def test_views_are_captured_and_drawn_alike_in_another_browser(open_app: OpenApp, settle: Settle) -> None:
    """One visitor collects views; another one opens the lecture and sees each as it was, to the pixel.

    That a view of every page is opened as it was: tests/pages/teach/presenting/test_captured_views.py.
    """
    first = open_app(f"?{urlencode(VIEWS[''])}")  # now the server has the model, so that no bar of progress comes
    shown = {}
    for number, (path, view) in enumerate(VIEWS.items(), 1):
        go_inside(first, f"{path}?{urlencode(view)}")
        assert {name: [value] for name, value in view.items()}.items() <= state_of(first)[1].items()
        first.get_by_role("button", name="Add this view to my lecture").click()
        first.wait_for_function(SCENES_KEPT, arg=number)
        shown[path] = state_of(first), picture_of(first)

    second = open_app("lecture?model=tiny-lm", kept={"glassformer lecture": kept(first)})
    for number, (path, (state, picture)) in enumerate(shown.items(), 1):
        if number > 1:
            second.get_by_test_id("stSidebarNavLink").filter(has_text="Lecture").first.click()
        scenes = second.get_by_role("listbox", name="Scenes").get_by_role("option")
        expect(scenes).to_have_count(len(VIEWS))
        scenes.nth(number - 1).click()
        expect(scenes.nth(number - 1)).to_have_attribute("aria-selected", "true")
        settle(second)
        second.get_by_role("button", name="Open this view").click()
        second.mouse.move(0, 0)  # the map marks what is below the pointer
        second.wait_for_function(
            "([path, view]) => location.pathname === '/' + path && Object.entries(view).every("
            "([name, value]) => new URLSearchParams(location.search).get(name) === value)",
            arg=[path, VIEWS[path]],
        )
        settle(second)
        assert state_of(second) == state
        wanted = len(picture["drawn"])
        second.wait_for_function(f"wanted => ({PICTURES})() >= wanted", arg=wanted, polling=POLL)
        again = picture_of(second)
        assert again == picture, path


def notes_are_in_a_second_window_that_also_steps(page: Page) -> None:
    scenes = SHIPPED["positions"].scenes
    with page.context.expect_page() as opened:
        page.keyboard.press("n")
    notes = opened.value
    expect(notes.get_by_role("heading")).to_have_text(scenes[0].title)
    expect(notes.get_by_text(scenes[0].notes.split("\n")[0][:60])).to_be_visible()
    expect(notes.get_by_text(f"Next: {scenes[1].title}")).to_be_visible()
    expect(notes.locator("#scene-time")).to_have_text(re.compile(r"^0:\d\d of 4:00 in this scene$"))
    expect(notes.locator("#all-time")).to_have_text(re.compile(r"^0:\d\d of 45:00 since the start$"))
    for figure in ("#now", "#next"):  # The server draws the next scene's picture while this one is shown.
        image = notes.locator(f"{figure} img")
        expect(image).to_be_visible()
        notes.wait_for_function("image => image.complete && image.naturalWidth > 100", arg=image.element_handle())
    expect(notes.get_by_text("The screen is blank")).to_have_count(0)
    notes.keyboard.press("b")
    expect(notes.get_by_text("The screen is blank")).to_be_visible()
    notes.keyboard.press("b")
    size = notes.evaluate("() => parseFloat(getComputedStyle(document.body).fontSize)")
    notes.keyboard.press("+")
    notes.wait_for_function("size => parseFloat(getComputedStyle(document.body).fontSize) > size", arg=size)
    notes.get_by_role("button", name="Point").click()
    expect(page.locator(".st-key-stage-point p")).to_be_visible()
    notes.get_by_role("button", name="Next").click()
    expect(notes.get_by_role("heading")).to_have_text(scenes[1].title)
    expect(page.locator(".gf.presenter .count")).to_have_text("2 / 13")
    for _ in ("its point", "the next scene"):
        notes.keyboard.press("PageDown")
    expect(page.locator(".gf.presenter .count")).to_have_text("3 / 13")
    notes.close()


def test_notes_and_keys_step_however_fast_they_are_pressed(open_app: OpenApp, settle: Settle) -> None:
    page = classroom.present_scene(open_app, "positions")
    notes_are_in_a_second_window_that_also_steps(page)
    settle(page)
    keys_step_and_blank_and_leave(page, settle)


def keys_step_and_blank_and_leave(page: Page, settle: Settle) -> None:
    number = page.locator(".gf.presenter .count")
    expect(page.get_by_test_id("stSidebar")).to_be_hidden()
    for key, wanted in (
        ("Home", 1),
        ("ArrowRight", 1),  # from its question to its point
        (" ", 2),
        ("ArrowDown", 2),
        ("PageDown", 3),  # which asks nothing
        ("PageDown", 4),
        ("PageUp", 3),
        ("ArrowLeft", 2),
        ("End", 13),
        ("Home", 1),
    ):
        page.keyboard.press(key)
        expect(number).to_have_text(f"{wanted} / 13")
    for _ in range(9):
        page.keyboard.press("PageDown")  # faster than the pages come; none passes over the question to the class
    expect(number).to_have_text("5 / 13")
    expect(page.locator(".gf.presenter .asked h2")).to_contain_text("How far does hand 0 turn")
    for _ in ("the answer", "the point"):
        page.keyboard.press("PageDown")
    expect(page.get_by_text("turns every hand by its own fixed angle")).to_be_visible()
    page.get_by_label("Scene", exact=True).select_option(label="3. Then divide by the length?")
    expect(page.get_by_text("0.96", exact=True).first).to_be_visible()
    expect(page.locator(".st-key-stage-point p")).to_be_visible()
    for _ in range(5):
        page.keyboard.down("PageDown")  # again and again: what is held down repeats
    page.keyboard.up("PageDown")
    expect(number).to_have_text("4 / 13")
    expect(page.get_by_text("Row 0 is always 0, 1, 0, 1")).to_be_visible()
    settle(page)
    expect(number).to_have_text("4 / 13")
    black = page.locator(".gf.presenter .black")
    page.keyboard.press("b")
    expect(black).to_be_visible()
    page.keyboard.press("b")
    expect(black).to_be_hidden()
    expect(page.locator(".st-key-stage-question p")).to_have_text(SHIPPED["positions"].scenes[3].question)
    page.keyboard.press("Escape")
    expect(page.locator(".gf.presenter .bar")).to_have_count(0)
    expect(page.get_by_test_id("stSidebar")).to_be_visible()


def test_a_field_keeps_its_keys_and_a_reload_the_scene(open_app: OpenApp, settle: Settle) -> None:
    page = classroom.present_scene(open_app, "attention")
    page.get_by_label("Scene", exact=True).select_option(index=1)
    expect(page.get_by_role("heading", level=1)).to_have_text(SHIPPED["attention"].scenes[1].title)
    settle(page)
    box = page.get_by_role("combobox", name="Layer")
    box.focus()
    for key in ("ArrowRight", "b", "PageDown", " "):
        box.press(key)
    assert count(page) == "2 / 14"
    expect(page.locator(".gf.presenter .black")).to_be_hidden()
    page.reload()
    expect(page.locator(".gf.presenter .count")).to_have_text("2 / 14")
    expect(page.get_by_role("heading", level=1)).to_have_text(SHIPPED["attention"].scenes[1].title)


def test_a_class_follows_a_named_presenter_until_the_end(open_app: OpenApp) -> None:
    """Lasers: test_room.py. Own ways, broken lines, a presenter who is away: test_follow.py, test_room_restart.py."""
    presenter, code = opened_to_class(open_app)
    one, two = join(open_app, code, width=1000), join(open_app, code, width=390, height=844)
    status = presenter.locator(".gf.presenter .class")
    expect(status).to_contain_text("2 follow")
    presenter.get_by_test_id("stSidebarNavLink").filter(has_text="Heads").click()
    for page in (presenter, one, two):
        expect(page.get_by_role("heading", level=1)).to_have_text("Heads")
    one.get_by_role("button", name="Leave the lecture").click()
    expect(one.locator(".gf.follower")).to_have_count(0)
    expect(status).to_contain_text("1 follows")
    presenter.get_by_test_id("stSidebarNavLink").filter(has_text="Lecture").first.click()
    presenter.get_by_role("button", name="Close to the class").click()
    expect(two.locator(".gf.follower .status")).to_have_text("The lecture has ended.")
    expect(two.get_by_role("heading", level=1)).to_have_text("Heads")  # the last view stays


def test_a_file_with_html_in_its_notes_shows_it_as_text(open_app: OpenApp) -> None:
    hostile = "<img src=x onerror=hacked=1><script>window.hacked=1</script>"
    scene = Scene("cost", TINY, title=hostile, notes=hostile, question=hostile)
    page = open_app("lecture?model=tiny-lm")
    file = lecture_file.write(Lecture(hostile, hostile, (scene,))).encode()
    page.locator("input[type=file]").set_input_files({"name": "a.toml", "mimeType": "application/toml", "buffer": file})
    expect(page.get_by_role("listbox", name="Scenes").get_by_role("option").first).to_contain_text("<img")
    page.get_by_role("button", name="Present", exact=True).click()
    expect(page.locator(".gf.presenter .bar")).to_be_visible()
    with page.context.expect_page() as opened:
        page.keyboard.press("n")
    expect(opened.value.get_by_role("heading")).to_have_text(hostile)
    expect(page.locator(".st-key-stage-question p")).to_have_text(hostile)
    assert page.evaluate("window.hacked") is None
    assert opened.value.evaluate("window.hacked") is None
