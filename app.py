"""Glassformer: see every number in a transformer, from your own sentence. `serve.py` starts it."""

import streamlit as st

from pages.shared import sidebar, state

st.set_page_config(page_title="Glassformer", page_icon="assets/icon.svg", layout="wide")

PAGES = {
    "": [st.Page("pages/home/home.py", title="Home", default=True)],
    "Inputs": [],
    "Attention": [st.Page("pages/attention/heads.py", title="Heads")],
    "The block": [],
    "Whole models": [],
    "Learning": [st.Page("pages/learning/cost.py", title="Cost")],
}

sections = {section: pages for section, pages in PAGES.items() if pages}
page = st.navigation(sections, expanded=True)
state.begin(page.url_path, [each for pages in sections.values() for each in pages])
sidebar.show()
page.run()
state.finish()
