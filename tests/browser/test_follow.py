"""The page for students: the presenter's pictures, alive and without a session of the app."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import Page, WebSocketRoute, expect

from pages.teach.lectures.scene import Scene
from tests.browser.classroom import join, present_own
from tests.browser.test_map import see_pictures

OpenApp = Callable[..., Page]
Settle = Callable[[Page], None]
TINY = {"model": "tiny-lm", "text": "The dog is hungry because it"}
LINES = Scene("heads", {**TINY, "heads_view": "Lines", "layer": "2", "head": "1"}, title="Lines", point="Look here")
CHART = Scene("block", {**TINY, "block_part": "orders"}, title="Charts")
PLACE = "decoder.1.self_attn.weights:2,3,1"
MAP = Scene("home", {**TINY, "home_at": PLACE}, title="A number")
WHOLE_MAP = Scene("home", TINY, title="The whole model")
ASKED = Scene("cost", TINY, title="One", question="Which one?", choices=("this", "that"), answer=2)


def next_scene(presenter: Page, place: str) -> None:
    presenter.keyboard.press("PageDown")
    expect(presenter.locator('.gf.presenter .count[aria-busy="false"]')).to_have_text(place)


def test_a_class_sees_the_pictures_alive_and_answers(open_app: OpenApp) -> None:
    presenter, code = present_own(open_app, LINES, CHART, ASKED)
    students = [open_app("follow"), open_app("follow", theme="dark", width=390, height=844)]
    sockets: list[str] = []
    for student in students:
        student.on("websocket", lambda socket: sockets.append(socket.url))
        join(student, code)
        expect(student.get_by_role("heading", level=1)).to_have_text("Lines")
        expect(student.locator(".facts")).to_contain_text(TINY["text"])
        expect(student.get_by_test_id("stMain")).not_to_contain_text("Look here")
    desk, phone = students
    expect(desk.locator(".gf.lines canvas").first).to_be_visible()

    next_scene(presenter, "2 / 3")
    for student in students:
        expect(student.locator(".main-svg").first).to_be_visible()
    point = desk.locator(".scatterlayer .points path").nth(3)
    point.scroll_into_view_if_needed()
    box = point.bounding_box()
    assert box is not None
    desk.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    expect(desk.locator(".hoverlayer .hovertext").first).to_be_attached()
    text = phone.locator(".xtick text").first
    assert text.evaluate("node => getComputedStyle(node).fill") == "rgb(151, 163, 177)"  # muted, in the dark
    assert phone.evaluate("document.documentElement.scrollWidth") <= 390

    next_scene(presenter, "3 / 3")
    for student in students:
        expect(student.locator(".gf.follower .asked h2")).to_have_text("Which one?")
    desk.keyboard.press("2")
    phone.get_by_role("button", name="this").click()
    expect(presenter.locator(".gf.presenter .asked [role=status]")).to_have_text("2 of 2 answered")
    presenter.keyboard.press("PageDown")
    expect(desk.locator(".gf.follower .asked .right .label")).to_have_text("that")
    assert [url for url in sockets if "/teach/room" not in url] == []
    assert len(sockets) == 2


def test_students_explore_see_changes_and_reload_without_a_network(open_app: OpenApp, settle: Settle) -> None:
    presenter, code = present_own(open_app, CHART, LINES)
    student_explores_in_the_app_and_comes_back(presenter, join(open_app("follow"), code), settle)
    other = join(open_app("follow"), code)
    next_scene(presenter, "2 / 2")
    change_inside_a_view_leaves_the_picture_where_it_is(presenter, other)
    reload_without_a_network_shows_the_last_view(other)


def student_explores_in_the_app_and_comes_back(presenter: Page, student: Page, settle: Settle) -> None:
    expect(student.locator(".main-svg").first).to_be_visible()
    student.get_by_role("button", name="Explore on my own").click()
    student.wait_for_url(re.compile("/block.*block_part=orders"))
    settle(student)
    expect(student.locator(".gf.follower .status")).to_contain_text("You explore on your own.")
    next_scene(presenter, "2 / 2")
    expect(student.locator(".gf.follower .status")).to_contain_text("You explore on your own.")
    student.get_by_role("button", name="Back to the lecture").click()
    student.wait_for_url("**/follow")
    expect(student.locator(".gf.lines").first).to_be_visible()

    student.get_by_role("button", name="Follow with the whole app").click()
    student.wait_for_url("**/heads?**")
    expect(student.locator(".gf.follower .status")).to_contain_text("You follow")
    presenter.keyboard.press("PageUp")
    student.wait_for_url("**/block?**")
    student.get_by_role("button", name="Leave the lecture").click()
    expect(student.locator(".gf.follower")).to_have_count(0)


def change_inside_a_view_leaves_the_picture_where_it_is(presenter: Page, student: Page) -> None:
    picture = student.locator(".component").first
    expect(student.locator(".gf.lines").first).to_be_visible()
    picture.evaluate("node => { node.stays = true; }")
    expect(student.get_by_test_id("stMain")).to_contain_text("Layer 2, head 1")
    presenter.locator(".gf.lines").locator(".heads button").nth(3).dblclick()
    expect(student.get_by_test_id("stMain")).to_contain_text("head 3")
    assert picture.evaluate("node => node.stays") is True
    assert student.locator(".gf.lines").count() == presenter.locator(".gf.lines").count()


def reload_without_a_network_shows_the_last_view(student: Page) -> None:
    expect(student.locator("html")).to_have_attribute("data-offline", "ready")
    student.context.set_offline(True)
    student.reload()
    expect(student.locator(".gf.lines").first).to_be_visible()
    expect(student.locator("#glassformer-restart")).to_contain_text("no network")
    student.context.set_offline(False)
    expect(student.locator(".gf.follower .status")).to_contain_text("You follow")
    expect(student.locator("#glassformer-restart")).to_have_count(0)


class Network:
    """The network of a visitor, which loads its page anew. It can be cut, with all lines that are open."""

    def __init__(self, page: Page) -> None:
        self._page, self._is_cut = page, False
        self._lines: list[WebSocketRoute] = []
        page.route_web_socket("**/*", self._dial)
        page.clock.install()
        page.reload()

    def _dial(self, line: WebSocketRoute) -> None:
        if self._is_cut:
            line.close()
        else:
            line.connect_to_server()
            self._lines.append(line)

    def cut(self) -> None:
        self._is_cut = True
        self._page.context.set_offline(True)
        while self._lines:
            self._lines.pop().close()

    def mend(self) -> None:
        self._is_cut = False
        self._page.context.set_offline(False)


class Sleeper:
    """A student's device, which loads its page anew. Its first line dies while it sleeps: the server's messages do not
    arrive, and no end either."""

    def __init__(self, page: Page) -> None:
        self.page, self._sleeps = page, False
        self.lines: list[WebSocketRoute] = []
        self.swallowed: list[object] = []
        page.clock.install()
        page.route_web_socket("**/teach/room", self._pass_on)
        page.reload()

    def _pass_on(self, line: WebSocketRoute) -> None:
        self.lines.append(line)
        server, number = line.connect_to_server(), len(self.lines)

        def hear(told: str | bytes) -> None:
            if self._sleeps and number == 1:
                self.swallowed.append(told)
            else:
                line.send(told)

        server.on_message(hear)

    def fall_asleep(self) -> None:
        self._sleeps = True

    def wake(self) -> None:
        """After ten minutes."""
        self.page.clock.fast_forward("10:00")
        self.page.clock.run_for(10_000)


def test_whoever_has_no_network_for_a_while_or_sleeps_comes_back_to_the_class(open_app: OpenApp) -> None:
    presenter, code = present_own(open_app, LINES, CHART, ASKED)
    network = Network(presenter)
    expect(presenter.locator(".gf.presenter .class")).to_contain_text(f"Code {code} · 0 follow")
    offline, asleep = open_app("follow"), Sleeper(open_app("follow"))
    for student in (offline, asleep.page):
        join(student, code)
        expect(student.locator(".gf.lines").first).to_be_visible()
    students_come_back(presenter, offline, asleep)
    the_presenter_comes_back(presenter, network, offline)


def students_come_back(presenter: Page, offline: Page, asleep: Sleeper) -> None:
    offline.context.set_offline(True)
    asleep.fall_asleep()
    expect(offline.locator(".gf.follower .status")).to_contain_text("no network")
    next_scene(presenter, "2 / 3")
    next_scene(presenter, "3 / 3")
    expect(asleep.page.get_by_role("heading", level=1)).to_have_text("Lines")
    asleep.wake()
    offline.context.set_offline(False)
    for student in (offline, asleep.page):
        expect(student.locator(".gf.follower .asked h2")).to_have_text("Which one?")
    assert asleep.swallowed
    assert len(asleep.lines) > 1, "it dialled anew"


def the_presenter_comes_back(presenter: Page, network: Network, student: Page) -> None:
    status, shown = student.locator(".gf.follower .status"), student.get_by_role("heading", level=1)
    network.cut()
    expect(presenter.locator("#glassformer-restart")).to_contain_text("no network")
    expect(status).to_contain_text("is away; the last view stays.")
    presenter.keyboard.press("PageUp")
    expect(presenter.locator(".gf.presenter .count")).to_have_text("2 / 3")
    presenter.clock.run_for(30_000)
    expect(status).to_contain_text("is away; the last view stays.")
    network.mend()
    expect(shown).to_have_text("Charts")
    expect(student.locator(".gf.follower .asked")).to_be_hidden()
    expect(status).to_have_text(re.compile(r"^You follow [^.]*\.$"))
    expect(presenter.locator("#glassformer-restart")).to_have_count(0)
    next_scene(presenter, "3 / 3")
    expect(student.locator(".gf.follower .asked")).to_be_visible()  # it has had its text since it was asked before
    student.keyboard.press("2")
    expect(presenter.locator(".gf.presenter .asked [role=status]")).to_have_text("1 of 2 answered")


def test_a_wrong_code_is_told_and_a_key_does_not_stay_in_the_address(open_app: OpenApp) -> None:
    student = open_app("follow", width=390, height=844)
    student.get_by_label("Code of the lecture").fill("AAAAAA")
    student.keyboard.press("Enter")
    expect(student.get_by_role("alert")).to_contain_text("No lecture with this code")
    wrong = open_app(f"follow#{'a' * 22}.{'b' * 22}")
    expect(wrong.locator(".gf.follower .status")).to_contain_text(re.compile("restarted|not running"))
    assert "#" not in wrong.url


def test_a_class_sees_the_map_at_the_place_of_the_presenter_and_moves_in_it(open_app: OpenApp) -> None:
    presenter, code = present_own(open_app, MAP, WHOLE_MAP)
    light, full = open_app("follow"), open_app("tokens?model=tiny-lm")
    full.get_by_test_id("stSidebarNavLink").filter(has_text="Follow a lecture").click()
    for student in (light, full):
        join(student, code)
    value = presenter.get_by_role("complementary", name="Why this number").get_by_role("heading", level=3).inner_text()
    for student in (light, full):
        panel = student.get_by_role("complementary", name="Why this number")
        expect(panel.get_by_role("heading", level=3)).to_have_text(value)
        expect(panel).to_contain_text("Goes into")
        see_pictures(student)
    # A student moves: the tiles of a part that the presenter has not shown come from the server.
    for student in (light, full):
        with student.expect_response(lambda answer: "/tiles/" in answer.url and answer.ok):
            student.get_by_role("button", name="The whole model (0)").click()
        expect(student.get_by_role("complementary", name="Why this number")).to_be_hidden()
        see_pictures(student)
    next_scene(presenter, "2 / 2")
    for student in (light, full):
        expect(student.get_by_role("navigation", name="Place on the map")).to_contain_text("The whole model")
