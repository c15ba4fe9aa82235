"""Every page judged by axe-core; nothing cut off on a phone, and no word of a chart on any screen; every picture says
what it shows; no character is a box; the sentence and the top of the picture are in sight on a desk, with few tokens
and with more than are read; a picture begins below the things to try.

Pages are judged in the light theme, and a few in the dark one. That text can be read in both wherever a colour is used
is proved on the colours themselves, in tests/viz/shared/test_style.py.
"""

import hashlib
import io
import tarfile
import urllib.request
from collections.abc import Callable, Sequence
from typing import Any, Literal
from urllib.parse import parse_qsl, urlencode

import pytest
from playwright.sync_api import Page, TimeoutError, expect

from model.zoo.files import cache_folder
from pages.teach.lectures.scene import Scene
from tests.browser import classroom, frame, glyphs
from tests.browser.conftest import go_inside

AXE = "https://registry.npmjs.org/axe-core/-/axe-core-4.14.1.tgz"
SHA256 = "e6b0ce02b84d892e2e33e403485e7f3d6c29e2be6df65daf44d89ba564139745"
# One telling view of each page, and those parts that have a component or a picture of their own.
VIEWS = (
    "", "tokens?model=tiny-lm",
    "positions?model=tiny-lm", "positions?positions_part=circles&positions_view=space",
    "positions?positions_part=distance",
    "scores?model=tiny-lm", "masks?model=tiny-lm", "masks?model=tiny-lm&masks_kind=painted",
    "heads?model=tiny-lm", "heads?model=tiny-lm&heads_view=All%20heads", "heads?model=tiny-lm&depth=Code",
    "heads?model=tiny-lm&edits=decoder.1.self_attn.2", "heads?model=tiny-lm&heads_view=What%20they%20do",
    "combine?model=tiny-lm", "block?model=tiny-lm",
    "predict?model=tiny-lm", "predict?model=tiny-lm&predict_view=cache",
    "why?model=tiny-lm&text=I%20am%20a%20robot", "why?model=tiny-lm&why_part=cause",
    "why?model=tiny-lm&why_part=paths",
    "translate?model=en-ur&text=I%20am%20a%20robot", "classify?text=I%20love%20this%20film",
    "see?see_model=digits-vit&see_part=attention", "training", "before_attention",
    "bench?model=tiny-encoder&text=I%20am%20a%20robot&bench_parts=feed-forward", "cost?model=tiny-lm",
    "lecture", "practise", "glossary", "slide?slide_title=Why&slide_text=One%0ATwo&slide_equation=x%5E2",
)  # fmt: skip
# The long sentence is run once a page: the parts of a page have the same bar and title. A page has at most three lines
# below its bar then: these have none, one, two and three, of one kind or another. The rest only with --thorough.
FIRST = {view.partition("?")[0]: view for view in reversed(VIEWS)}
WITH_LINES = ("", "heads", "translate", "before_attention", "classify", "see")
# Pages with a row of things to try above their picture.
WITH_ROW = (
    "", "tokens?model=tiny-lm", "positions?model=tiny-lm", "scores?model=tiny-lm", "heads?model=tiny-lm",
    "block?model=tiny-lm", "predict?model=tiny-lm", "why?model=tiny-lm",
    "translate?model=en-ur&text=I%20am%20a%20robot", "cost?model=tiny-lm",
)  # fmt: skip
# Tables and pictures that are wider than a phone, and charts with words beside bars, on axes, and at points.
WIDE = (
    "tokens?tokens_part=embedding&model=tiny-lm", "classify?classify_part=labels&model=tiny-lm&text=I%20am%20a%20robot",
    "predict?model=tiny-lm&predict_view=surprise&predict_tokens=2",
    "tokens?tokens_part=ladder&tokens_rung=factorisation", "positions?positions_part=requirements",
    "positions?positions_part=join", "heads?model=tiny-lm&heads_view=Matrix", "heads?model=tiny-lm&heads_view=Compare",
    "heads?model=tiny-lm&heads_view=Query-key", "translate?model=en-ur&text=I%20am%20a%20robot&translate_view=wiring",
)  # fmt: skip

# Canvases and charts that nobody hears of. A hidden canvas needs a table or another canvas that says the same.
SILENT = """() => {
  const silent = [], every = (root, tag) => [...root.querySelectorAll("*")].flatMap((node) =>
    [...(node.matches(tag) ? [node] : []), ...(node.shadowRoot ? every(node.shadowRoot, tag) : [])]);
  const said = (node) => node.getAttribute("role") && node.getAttribute("aria-label");
  for (const canvas of every(document, "canvas")) {
    if (!canvas.getClientRects().length || canvas.closest(".js-plotly-plot, [data-testid=stDataFrame]")) continue;
    const part = canvas.closest(".gf");
    const hidden = canvas.closest("[aria-hidden=true]") &&
      (canvas.closest("button") || part?.querySelector(".sr table") || [...part.querySelectorAll("canvas")].some(said));
    if (!said(canvas) && !hidden) silent.push(`${part?.className}: ${canvas.outerHTML}`);
  }
  const charts = every(document, "[data-testid=stPlotlyChart]").filter((chart) => !said(chart));
  return [...silent, ...charts.map((chart) => chart.outerHTML.slice(0, 200))];
}"""

# Words that stand outside a phone's screen and cannot be moved into it. Words in a closed box are not shown at all.
CUT_OFF = """() => {
  const main = document.querySelector("[data-testid=stMain]"), cut = [];
  const above = (node) => node.parentElement ?? node.getRootNode().host;
  const moves = (node) => {
    for (let at = node; at && at !== main; at = above(at)) {
      const { overflowX } = getComputedStyle(at);
      if (["auto", "scroll"].includes(overflowX) && at.scrollWidth > at.clientWidth) return true;
    }
    return false;
  };
  const look = (root) => {
    for (const node of root.querySelectorAll("*")) {
      if (node.shadowRoot) look(node.shadowRoot);
      if (node.closest(".sr, .katex-mathml, details:not([open]), style, script")) continue;
      if (![...node.childNodes].some((child) => child.nodeType === 3 && child.textContent.trim())) continue;
      const box = node.getBoundingClientRect();
      if (!box.width || !box.height) continue;
      if (!node.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true })) continue;
      if ((box.right > innerWidth + 1 || box.left < -1) && !moves(node)) cut.push(node.textContent.trim().slice(0, 60));
    }
  };
  look(main);
  return main.scrollWidth > main.clientWidth ? ["the page itself is too wide", ...cut] : cut;
}"""

# Words of charts outside of their picture, which cuts them off.
CUT_IN_CHART = """() => [...document.querySelectorAll(".js-plotly-plot")].flatMap((chart) => {
  const picture = chart.querySelector(".main-svg").getBoundingClientRect();
  return [...chart.querySelectorAll("text")].filter((text) => {
    const box = text.getBoundingClientRect();
    if (!text.textContent.trim() || !box.width || text.closest(".hoverlayer")) return false;
    return box.left < picture.left - 2 || box.right > picture.right + 2 ||
      box.top < picture.top - 3 || box.bottom > picture.bottom + 3;
  }).map((text) => text.textContent);
})"""
# Charts come late: those of a page are there, with their words.
CHARTS_DRAWN = """() => [...document.querySelectorAll("[data-testid=stPlotlyChart]")].every(
  (chart) => chart.querySelector(".js-plotly-plot .main-svg"))"""


# All components draw; but one, the browser's memory, which has nothing to show.
BEGUN = """() => [...document.querySelectorAll("[data-testid=stBidiComponentIsolated]")].filter(
  (host) => !host.shadowRoot?.querySelector(".gf")).length <= 1"""

# The page has run again for another theme: the component that asks for it has what it asked for.
DRAWN_IN = """(theme) => {
  const all = (root) => [...root.querySelectorAll("*")].flatMap((node) =>
    [node, ...(node.shadowRoot ? all(node.shadowRoot) : [])]);
  const watch = all(document).find((node) => node.matches(".gf[hidden]") && "asked" in node);
  return watch?.classList.contains("dark") === (theme === "dark") && watch.asked === null;
}"""
# On the page for students, each component follows the theme by itself.
THEMED = """(theme) => [...document.querySelectorAll("*")].flatMap((node) =>
  [node, ...(node.shadowRoot?.querySelectorAll("*") ?? [])]).filter((node) => node.matches(".gf")).every(
  (node) => node.classList.contains("dark") === (theme === "dark"))"""
POLL = 100  # milliseconds between two looks at a whole page
COLOUR = ["color-contrast", "link-in-text-block"]  # the rules that the theme decides; the others ask for the same


@pytest.fixture(scope="session")
def axe() -> str:
    """The checker's script, fetched once and kept in the cache folder."""
    path = cache_folder() / "axe-core-4.14.1.tgz"
    if not path.is_file():
        path.parent.mkdir(parents=True, exist_ok=True)
        with urllib.request.urlopen(AXE, timeout=60) as answer:
            path.write_bytes(answer.read(1 << 23))
    data = path.read_bytes()
    assert hashlib.sha256(data).hexdigest() == SHA256
    with tarfile.open(fileobj=io.BytesIO(data)) as archive:
        file = archive.extractfile("package/axe.min.js")
        assert file is not None
        return file.read().decode()


def violations(page: Page, script: str, rules: Sequence[str] = ()) -> list[str]:
    """What axe finds serious or critical, a line each: the rule, and the first places. `rules`: only these."""
    # Streamlit draws a style sheet a moment after what it styles.
    page.wait_for_function(
        "() => [...document.styleSheets].some((sheet) => sheet.ownerNode.innerText.includes('stBaseButton'))"
    )
    return judged(page, script, rules)


def judged(page: Page, script: str, rules: Sequence[str] = ()) -> list[str]:
    if page.evaluate("() => typeof axe === 'undefined'"):  # it stays while a visitor walks: its 600 kB are sent once
        page.evaluate(script)
    # Streamlit's own menu has its list items within a div, which no app can change.
    menu = {"exclude": [["[data-testid=stSidebarNavItems]"]]}
    only = {"runOnly": {"type": "rule", "values": list(rules)}} if rules else {}
    found: list[dict[str, Any]] = page.evaluate(
        "async ([menu, only]) => (await axe.run(menu, only)).violations", [menu, only]
    )
    return [
        f"{each['id']}: {each['help']}: "
        + "; ".join(node["html"][:160] + " " + node["failureSummary"][:160] for node in each["nodes"][:3])
        for each in found
        if each["impact"] in ("serious", "critical")
    ]


@pytest.mark.parametrize("view", VIEWS)
def test_a_view_on_a_phone_and_on_a_desk(view: str, walk: Callable[..., Page], axe: str) -> None:
    page = walk(view, width=390, height=844)
    nothing_is_cut_off_or_silent(page)
    page.set_viewport_size(frame.DESK)
    empties(page, CUT_IN_CHART)
    if view in WITH_ROW:
        frame.check_row(page)
    assert violations(page, axe) == []
    assert glyphs.missing(page) == {}
    frame.check(page, view)


def test_pages_with_a_sentence_longer_than_is_read(walk: Callable[..., Page], pytestconfig: pytest.Config) -> None:
    """It needs more room than any other: as many tokens as are drawn, and a line that says so."""
    for path in FIRST if pytestconfig.getoption("thorough") else WITH_LINES:
        view = FIRST[path]
        values = {"model": "smollm2-135m", **dict(parse_qsl(view.partition("?")[2])), "text": frame.LONGER}
        frame.check(walk(f"{path}?{urlencode(values)}", **frame.DESK), view)


def test_the_page_for_students(open_app: Callable[..., Page], axe: str) -> None:
    student = open_app("follow", width=390, height=844)
    assert judged(student, axe) == []
    values = {"model": "tiny-lm", "heads_view": "Lines"}
    _, code = classroom.present_own(open_app, Scene("heads", values, title="Lines"))
    classroom.join(student, code)
    expect(student.locator(".gf.lines").first).to_be_visible()
    for theme, rules in (("light", []), ("dark", COLOUR)):
        student.emulate_media(color_scheme=theme)
        student.wait_for_function(THEMED, arg=theme)
        assert judged(student, axe, rules) == []
    empties(student, CUT_OFF)
    assert glyphs.missing(student) == {}


def turn(page: Page, theme: Literal["light", "dark"], settle: Callable[[Page], None]) -> None:
    """The reader's browser changes its theme, and the page has followed."""
    page.emulate_media(color_scheme=theme)
    page.wait_for_function(DRAWN_IN, arg=theme)
    settle(page)


@pytest.mark.parametrize("view", WIDE)
def test_what_is_wide_is_not_cut_off_on_any_screen(view: str, walk: Callable[..., Page]) -> None:
    page = walk(view, width=390, height=844)
    nothing_is_cut_off_or_silent(page)
    page.set_viewport_size(frame.DESK)
    empties(page, CUT_IN_CHART)
    assert glyphs.missing(page) == {}


def test_a_page_opened_in_the_dark(open_app: Callable[..., Page], axe: str) -> None:
    """Streamlit's own colours: of the sidebar and the controls, of notes, of tables."""
    page = open_app("heads?model=tiny-lm", theme="dark")
    assert violations(page, axe) == []
    go_inside(page, "?model=nope")
    expect(page.get_by_test_id("stAlert")).to_be_visible()
    assert violations(page, axe, COLOUR) == []
    go_inside(page, "cost?model=tiny-lm&depth=Numbers")
    expect(page.get_by_test_id("stDataFrame").first).to_be_visible()
    assert violations(page, axe, COLOUR) == []


def test_a_page_whose_theme_is_turned(open_app: Callable[..., Page], settle: Callable[[Page], None], axe: str) -> None:
    page = open_app("heads?model=tiny-lm")
    for theme in ("dark", "light"):
        turn(page, theme, settle)
        assert violations(page, axe, COLOUR) == []


def nothing_is_cut_off_or_silent(page: Page) -> None:
    """On a phone."""
    page.wait_for_function(CHARTS_DRAWN)
    for search in (CUT_OFF, CUT_IN_CHART, SILENT):
        empties(page, search)


def empties(page: Page, search: str) -> None:
    """What a script searches for is gone once the page is drawn; else the test fails with what was found."""
    page.wait_for_function(BEGUN)
    try:
        page.wait_for_function(f"() => ({search})().length === 0", polling=POLL)
    except TimeoutError:
        pytest.fail(str(page.evaluate(search)))


@pytest.mark.parametrize(("theme", "rules"), [("light", []), ("dark", COLOUR)])
def test_the_presenters_panels(
    theme: str, rules: list[str], open_app: Callable[..., Page], settle: Callable[[Page], None], axe: str
) -> None:
    """The bar with its jump list, a question before and after its answer, the scene's question, the laser, the blank
    screen, and the speaker's notes."""
    page = classroom.present_scene(open_app, "attention", theme=theme, width=1920, height=1080)
    panel = page.locator(".gf.presenter .asked")
    expect(panel.get_by_role("heading")).to_be_visible()
    settle(page)
    assert violations(page, axe, rules) == []
    page.keyboard.press("a")
    expect(panel.locator(".right")).to_be_visible()
    for key in "ql":
        page.keyboard.press(key)
    expect(page.locator(".st-key-stage-question p")).to_be_visible()
    assert violations(page, axe, rules) == []
    page.keyboard.press("b")
    expect(page.locator(".gf.presenter .black")).to_be_visible()
    assert violations(page, axe, rules) == []
    with page.context.expect_page() as opened:
        page.keyboard.press("n")
    expect(opened.value.get_by_role("heading")).to_have_text("A sentence, and what comes next")
    assert judged(opened.value, axe, rules) == []
