"""Glassformer: see every number in a transformer, from your own sentence. `serve.py` starts it."""

from contextlib import suppress
from functools import partial
from pathlib import Path

import streamlit as st
from streamlit.navigation.page import Page

from pages.adding import dialog, rights
from pages.catalogue import PAGES
from pages.follow import guest
from pages.help import page_help
from pages.shared.elements import shown
from pages.shared.elements.page import draw_at
from pages.shared.frame import full_server, limit_notice, map_link, sidebar
from pages.shared.frame.run_bar import RunBar
from pages.shared.model_runs import not_finite, page_turns, traces
from pages.shared.server import garbage_collection, metrics, reached_limits, sessions
from pages.shared.server.metrics import Stage
from pages.shared.server.session_values import of_session
from pages.shared.session import state
from pages.shared.session.view_session import ViewSession
from pages.shared.sharing import share

ROOT = Path(__file__).parent
SIDEBAR_WIDTH = 200  # pixels, where there is room for it
# The menu offers the choice of a theme. Streamlit shows a menu only if the app has an entry in it.
ABOUT = "**Glassformer**: see every number in a transformer, from your own sentence."
TITLE = "Glassformer"
st.set_page_config(
    of_session(ViewSession).tab_title or TITLE,  # as it is: a title that is set twice in a run would flicker
    ROOT / "assets" / "icon.svg",
    layout="wide",
    initial_sidebar_state=SIDEBAR_WIDTH,
    menu_items={"About": ABOUT},
)
st.html(ROOT / "assets" / "style.css")


def show(page: Page, all_pages: list[Page]) -> None:
    """The run bar, the page, and what stands around it on every page."""
    _name_tab(page)
    bar = RunBar(on_add=None if rights.is_off() else dialog.open_dialog)
    state.begin(page.url_path, all_pages)
    sidebar.show()
    bar.prepare()
    menu = share.ShareMenu(page.url_path)
    not_finite.begin()
    shown.begin()
    finish_teaching = guest.before_page()
    mount_help = page_help.show(page.url_path)
    with (
        suppress(traces.NothingToShow),
        reached_limits.end_page(),
        traces.report_damaged_files(),
        not_finite.end_page(traces.NothingToShow),
    ):
        page.run()
    bar.draw()
    dialog.show()
    state.finish()
    menu.offer()
    map_link.offer(page.url_path)
    mount_help(guest.in_lecture())
    finish_teaching()
    garbage_collection.collect_after_run(page.url_path)


def _name_tab(page: Page) -> None:
    """Tells the tabs of several pages, and the entries of the browser's history, apart."""
    title = f"{page.title} · {TITLE}" if page.url_path else TITLE
    session = of_session(ViewSession)
    if title != (session.tab_title or TITLE):
        session.tab_title = title
        st.set_page_config(title)


sections: dict[str, list[Page]] = {}
for entry in PAGES:
    page = st.Page(
        entry.file if entry.draws_itself else partial(draw_at, entry.url),
        title=entry.title,
        url_path=entry.url,
        default=entry.url == "home",
        visibility="hidden" if entry.is_hidden else "visible",
    )
    sections.setdefault(entry.section, []).append(page)
all_pages = [page for pages in sections.values() for page in pages]
with metrics.timed(Stage.PAGE), page_turns.take_turn(), limit_notice.watch():
    is_admitted = sessions.admit(always=guest.has_room())
    page = st.navigation(sections, expanded=True, position="sidebar" if is_admitted else "hidden")
    if is_admitted:
        show(page, all_pages)
    else:
        state.begin(page.url_path, all_pages)
        guest.on_full_server()  # The presenter of an open room gets in: the browser remembers the room.
        full_server.show()
