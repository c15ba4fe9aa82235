"""Glassformer: see every number in a transformer, from your own sentence. `serve.py` starts it."""

from contextlib import suppress
from pathlib import Path

import streamlit as st
from streamlit.navigation.page import Page

from pages.catalogue import PAGES
from pages.help import page_help
from pages.shared import garbage_collection, share, sidebar, state, traces
from pages.teach import class_turns, page_bars

# The menu offers the choice of a theme. Streamlit shows a menu only if the app has an entry in it.
ABOUT = "**Glassformer**: see every number in a transformer, from your own sentence."
st.set_page_config("Glassformer", "assets/icon.svg", layout="wide", menu_items={"About": ABOUT})
st.html(Path("assets/style.css"))

sections: dict[str, list[Page]] = {}
for entry in PAGES:
    page = st.Page(entry.file, title=entry.title, default=entry.url == "home")
    sections.setdefault(entry.section, []).append(page)
all_pages = [page for pages in sections.values() for page in pages]
with class_turns.take_turn():
    page = st.navigation(sections, expanded=True)
    state.begin(page.url_path, all_pages)
    show_model_facts = sidebar.show()
    menu = share.ShareMenu(page.url_path)
    finish_teaching = page_bars.show()
    mount_help = page_help.show(page.url_path)
    with suppress(traces.NothingToShow), menu.recording(), traces.told_of_damage():
        page.run()
    show_model_facts()
    state.finish()
    menu.offer()
    mount_help()
    finish_teaching()
    garbage_collection.freeze_once(page.url_path)
