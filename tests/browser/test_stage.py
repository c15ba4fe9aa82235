"""The scenes of shipped lectures: what a scene points at is in view and uncovered, beside an answer too, and enlarged.

Many scenes of shipped lectures have their focus at the same place: the same element of the same part of a page. The
fullest of them stands for all, in one of three acts, each on another projector. With --thorough, every lecture plays on
each.
"""

from __future__ import annotations

import re
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Locator, Page, ViewportSize, expect

from pages.catalogue import BY_URL
from pages.teach.lectures import scene_steps
from pages.teach.lectures.scene import Lecture, Scene
from tests.browser.classroom import SHIPPED, join, open_to_class, present_lecture, present_scene
from tests.browser.test_presenting import OpenApp, Settle, go
from viz.documents.places import class_of

DRAWN = 'canvas, svg.main-svg, table, [data-testid="stDataFrame"], .gf .chip, .gf svg, .gf:not(.help) button'
PROJECTORS: tuple[ViewportSize, ...] = (
    {"width": 1280, "height": 720}, {"width": 1366, "height": 768}, {"width": 1920, "height": 1080},
)  # fmt: skip
LECTURES = [scene_steps.unfold(lecture) for lecture in SHIPPED.values()]
LEAST_LETTERS = 40  # of them as high as the screen: the last row of a room reads such letters

# Why the focus is not all in sight: "" where it is. Streamlit draws bars above the page, the presenter one below it.
HIDDEN = """wanted => {
  const focus = document.querySelector("[data-stage]");
  if (!focus) return "no focus";
  if (wanted && !focus.classList.contains(wanted)) return `in focus is ${focus.className}`;
  const box = focus.getBoundingClientRect();
  const bottomOf = (selector) => document.querySelector(selector)?.parentElement.getBoundingClientRect().bottom ?? 0;
  const presenter = [...document.querySelectorAll(".st-key-teaching *")].map((node) => node.shadowRoot ?? node)
    .map((node) => node.querySelector?.(".presenter .bar")).find(Boolean);
  const isZoomed = "zoomed" in document.documentElement.dataset;
  const room = { top: isZoomed ? 0 : Math.max(bottomOf(".st-key-run-bar-place"), bottomOf(".st-key-stage-head")),
    bottom: presenter.getBoundingClientRect().top, left: 0, right: innerWidth };
  const isOut = box.top < room.top - 1 || box.bottom > room.bottom + 1 || box.left < -1 || box.right > room.right + 1;
  if (box.height < 40 || isOut) return JSON.stringify([box, room]);
  for (const right of [0.02, 0.25, 0.5, 0.75, 0.98]) for (const down of [0.02, 0.25, 0.5, 0.75, 0.98]) {
    const seen = document.elementFromPoint(box.left + right * box.width, box.top + down * box.height);
    if (!focus.contains(seen)) return `${right}, ${down}: ${seen?.className} covers it`;
  }
  return "";
}"""


def check(page: Page, focus: str, where: str) -> None:
    """Asserts that the scene's focus is in view and uncovered, once the page is laid out."""
    try:
        page.wait_for_function(f"wanted => ({HIDDEN})(wanted) === ''", arg=class_of(focus))
    except Exception:
        pytest.fail(f"{where}: {page.evaluate(HIDDEN, class_of(focus))}")


# Why words cannot be read from the last row: "" where they can. They are large enough, whole, and nothing is over them.
UNREADABLE = """(node, most) => {
  const box = node.getBoundingClientRect(), size = parseFloat(getComputedStyle(node).fontSize);
  if (!node.checkVisibility({ visibilityProperty: true, opacityProperty: true })) return "they are hidden";
  if (size * most < innerHeight) return `letters of ${size} pixels on a screen of ${innerHeight}`;
  const range = document.createRange();
  range.selectNodeContents(node);
  for (const line of range.getClientRects()) {
    if (line.left < -1 || line.right > innerWidth + 1 || line.top < -1 || line.bottom > innerHeight + 1)
      return `cut off: ${JSON.stringify(line)}`;
    for (const right of [0.03, 0.5, 0.97]) {
      const seen = node.getRootNode().elementFromPoint(line.left + right * line.width, (line.top + line.bottom) / 2);
      if (!node.contains(seen) && !seen?.contains(node)) return `${seen?.className} covers them`;
    }
  }
  return box.height > 0 ? "" : "they take no room";
}"""


def read(words: Locator, text: str | re.Pattern[str], where: str) -> None:
    """Asserts that the words are on the screen as they were written, in letters that the last row reads."""
    expect(words, where).to_have_text(text)
    try:
        page, node = words.page, words.element_handle()
        page.wait_for_function(f"([node, most]) => ({UNREADABLE})(node, most) === ''", arg=[node, LEAST_LETTERS])
    except Exception:
        pytest.fail(f"{where}: {words.evaluate(UNREADABLE, LEAST_LETTERS)}")


def arrive(page: Page, settle: Settle, number: int, count: int) -> None:
    arrived = page.locator('.gf.presenter .count[aria-busy="false"]')
    expect(arrived).to_have_text(f"{number} / {count}")
    settle(page)


def play(page: Page, settle: Settle, scene: Scene, where: str) -> None:
    """From the question of a scene to its point, by one key. An answer stands beside the picture."""
    asked = page.locator(".gf.presenter .asked")
    if scene.ask:
        heading = asked.get_by_role("heading")
        expect(heading).to_be_visible()
        said = asked.locator(".about", has_text=scene.question) if scene.question else heading
        words = said if said.count() else heading  # what says the same is not said twice
        text = re.compile(re.escape(scene.question), re.IGNORECASE) if scene.question else heading.inner_text()
        read(words, text, where)
        page.keyboard.press("PageDown")
        expect(page.locator(".gf.presenter .asked.known .right")).to_be_visible()
        check(page, scene.focus, f"{where}, beside the answer")
        page.keyboard.press("PageDown")
        expect(asked).to_be_hidden()
    elif scene.question:
        read(page.locator(".st-key-stage-question p"), scene.question, where)
        expect(page.locator(".st-key-stage-point p")).to_be_hidden()
        page.keyboard.press("PageDown")
    read(page.locator(".st-key-stage-point p"), scene.point, where)
    settle(page)


def place_of_focus(scene: Scene) -> tuple[object, ...]:
    """The page, the part of it, and the element on it."""
    return scene.page, *(scene.state.get(key, "") for key in BY_URL[scene.page].part_keys), scene.focus


def fullness(scene: Scene) -> tuple[bool, bool, int]:
    """How much has room beside the focus: an answer, a question, words."""
    return bool(scene.ask), bool(scene.question), len(scene.question + scene.point)


def acts() -> list[Lecture]:
    """The fullest scene of each focus, dealt to lectures, one for each projector."""
    scenes = [scene for lecture in LECTURES for scene in lecture.scenes]
    fullest = {place_of_focus(scene): scene for scene in sorted(scenes, key=fullness)}
    chosen = [scene for scene in scenes if fullest[place_of_focus(scene)] is scene]
    return [Lecture(f"Act {act + 1}", "", tuple(chosen[act :: len(PROJECTORS)])) for act in range(len(PROJECTORS))]


@pytest.mark.parametrize("act", range(len(PROJECTORS)))
def test_one_key_plays_a_lecture_and_every_question_and_point_is_read_from_the_last_row(
    act: int, open_app: OpenApp, settle: Settle, pytestconfig: pytest.Config
) -> None:
    """Also what a scene points at is in view.

    That every scene of every lecture shows what its notes say: tests/pages/teach/test_lectures_shipped.py.
    """
    for lecture in LECTURES if pytestconfig.getoption("thorough") else acts()[act : act + 1]:
        page = present_lecture(open_app, lecture, **PROJECTORS[act])
        play_lecture(page, settle, lecture)


def play_lecture(page: Page, settle: Settle, lecture: Lecture) -> None:
    """While a lecture plays, no other host is asked for anything."""
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    for number, scene in enumerate(lecture.scenes, 1):
        where = f"{lecture.title} {number}, {scene.title}"
        arrive(page, settle, number, len(lecture.scenes))
        page.wait_for_function("path => location.pathname === path", arg=f"/{scene.page.replace('home', '')}")
        expect(page.locator("h1").first).to_have_text(scene.title)  # perhaps behind a question
        expect(page.get_by_test_id("stException")).to_have_count(0)
        expect(page.get_by_test_id("stAlert")).to_have_count(0)
        expect(page.get_by_test_id("stMain").locator(DRAWN).locator("visible=true").first).to_be_visible()
        play(page, settle, scene, where)
        check(page, scene.focus, where)
        read(page.locator(".st-key-stage-point p"), scene.point, where)
        page.keyboard.press("PageDown")
    ends(page, lecture)
    assert [url for url in asked if urlsplit(url).scheme in ("http", "https") and "127.0.0.1" not in url] == []


def ends(page: Page, lecture: Lecture) -> None:
    """After the last scene comes a slide with all scenes. The same key does no more, and another one goes back."""
    slide = page.locator(".gf.presenter .end")
    for _ in range(2):
        shown = dict.fromkeys(scene.title + scene.point for scene in lecture.scenes)
        expect(slide.get_by_role("listitem")).to_have_text(list(shown))
        page.keyboard.press("PageDown")
    assert slide.evaluate("node => node.scrollHeight <= node.clientHeight"), "all of it is seen"
    page.keyboard.press("PageUp")
    expect(slide).to_be_hidden()
    expect(page.locator(".st-key-stage-point p")).to_be_visible()


def test_keys_enlarge_the_focus_bring_the_controls_and_show_the_point(open_app: OpenApp, settle: Settle) -> None:
    page = present_scene(open_app, "attention", 2, width=1280, height=720)
    points_come_after_questions(page, settle)
    go(page, settle, 13)
    focus_is_enlarged(page, settle)
    go(page, settle, 14)
    controls_come(page, settle)


def focus_is_enlarged(page: Page, settle: Settle) -> None:
    play(page, settle, SHIPPED["attention"].scenes[12], "before the zoom")
    share = "document.querySelector('[data-stage]').getBoundingClientRect().height / innerHeight"
    page.wait_for_function(f"() => 0 < {share} && {share} < 0.6")
    title = page.get_by_role("heading", level=1)
    page.keyboard.press("z")
    page.wait_for_function(f"() => {share} > 0.75")
    expect(title).to_be_hidden()
    check(page, "combine parts", "enlarged")
    page.keyboard.press("z")
    page.wait_for_function(f"() => 0 < {share} && {share} < 0.6")
    expect(title).to_be_visible()
    page.keyboard.press("z")
    expect(title).to_be_hidden()
    page.keyboard.press("Escape")
    expect(title).to_be_visible()


def controls_come(page: Page, settle: Settle) -> None:
    """Those that a scene does not use, on a key."""
    play(page, settle, SHIPPED["attention"].scenes[13], "before the key")
    depth, where = page.get_by_role("radio", name="Formula"), page.get_by_text("Try this", exact=True)
    expect(page.get_by_text("Heads to mute")).to_be_visible()  # the scene uses them
    for shown in (False, True, False):
        for part in (depth, where):
            expect(part).to_be_visible() if shown else expect(part).to_be_hidden()
        page.keyboard.press("c")


def points_come_after_questions(page: Page, settle: Settle) -> None:
    """And on a key. A scene that asks nothing shows its point at once."""
    question, point = page.locator(".st-key-stage-question p"), page.locator(".st-key-stage-point p")
    expect(point).to_have_text(SHIPPED["attention"].scenes[1].point)
    for key, shown in (("", question), ("q", point), ("q", question), ("p", point), ("p", None), ("PageDown", point)):
        if key:
            page.keyboard.press(key)
        for words in (question, point):
            expect(words).to_be_visible() if words is shown else expect(words).to_be_hidden()
    go(page, settle, 4)
    expect(point).to_have_text(SHIPPED["attention"].scenes[3].point)
    expect(point).to_be_visible()


def test_a_student_on_a_phone_sees_what_a_scene_points_at(open_app: OpenApp, settle: Settle) -> None:
    """Also where it lies far below, until the presenter scrolls."""
    page = present_scene(open_app, "positions", width=1280, height=720)
    phone = join(open_app("follow", width=390, height=844), open_to_class(page))
    go(page, settle, 13)
    bars = phone.locator(f"[data-place={class_of('positions cost')}] figure")
    expect(bars).to_be_in_viewport(ratio=0.95)
    phone.locator('[data-testid="stMain"]').evaluate("node => { node.style.overflowAnchor = 'none' }")  # as in Safari
    late = "node => { node.prepend(Object.assign(document.createElement('div'), { style: 'height: 900px' })) }"
    phone.locator('[data-testid="stMainBlockContainer"]').evaluate(late)  # as a picture that is drawn late
    expect(bars).to_be_in_viewport(ratio=0.95)
    main = '[data-testid="stMain"]'
    page.locator(main).evaluate("node => node.scrollTo(0, 0)")
    phone.wait_for_function(f"() => document.querySelector('{main}').scrollTop === 0")
