"""Glassformer: see every number in a transformer, from your own sentence. `serve.py` starts it."""

from contextlib import suppress
from pathlib import Path

import streamlit as st

from pages.help import page_help
from pages.shared import garbage_collection, share, sidebar, state, traces
from pages.teach import bars

# The menu is there for its choice of theme; Streamlit shows none without an entry of ours.
ABOUT = "**Glassformer**: see every number in a transformer, from your own sentence."
st.set_page_config("Glassformer", "assets/icon.svg", layout="wide", menu_items={"About": ABOUT})
st.html(Path("assets/style.css"))

PAGES = {
    "": [st.Page("pages/home/home.py", title="Home", default=True)],
    "Inputs": [
        st.Page("pages/inputs/tokens.py", title="Tokens"),
        st.Page("pages/inputs/positions.py", title="Positions"),
    ],
    "Attention": [
        st.Page("pages/attention/scores.py", title="Scores"),
        st.Page("pages/attention/masks.py", title="Masks"),
        st.Page("pages/attention/heads.py", title="Heads"),
        st.Page("pages/attention/combine.py", title="Concat and W_O"),
    ],
    "The block": [st.Page("pages/block/block.py", title="Block")],
    "Whole models": [
        st.Page("pages/models/predict.py", title="Predict"),
        st.Page("pages/models/translate.py", title="Translate"),
        st.Page("pages/models/classify.py", title="Classify"),
        st.Page("pages/models/see.py", title="See"),
    ],
    "Learning": [
        st.Page("pages/learning/training.py", title="Training"),
        st.Page("pages/learning/before_attention.py", title="Before attention"),
        st.Page("pages/learning/bench.py", title="Break a part"),
        st.Page("pages/learning/cost.py", title="Cost"),
    ],
    "Teach": [
        st.Page("pages/teach/lecture.py", title="Lecture"),
        st.Page("pages/teach/follow.py", title="Follow a lecture"),
        st.Page("pages/teach/practise.py", title="Practise"),
    ],
    "Help": [st.Page("pages/help/glossary.py", title="Glossary")],
}

sections = {section: pages for section, pages in PAGES.items() if pages}
all_pages = [each for pages in sections.values() for each in pages]
with bars.turn():
    page = st.navigation(sections, expanded=True)
    state.begin(page.url_path, all_pages)
    tell_of_model = sidebar.show()
    menu = share.Share(page.url_path)
    go_on = bars.show()
    explain = page_help.show(page.url_path)
    with suppress(traces.NothingToShow), menu.recording():
        page.run()
    tell_of_model()
    state.finish()
    menu.offer()
    explain()
    go_on()
    garbage_collection.spare(page.url_path)
