"""What `streamlit run serve.py` starts: the app, ready for links into the middle of it.

Streamlit takes the mere existence of `pages/` for its older kind of navigation until a session has called
`st.navigation`. A server's first visitor who follows a link to a page would be told "Page not found". Nothing public
switches that off, so it is said here, before the first session.
"""

import gc
from importlib import import_module
from threading import Thread

import streamlit as st
from streamlit.runtime.pages_manager import PagesManager

from pages.teach.routes import routes

PagesManager.uses_pages_directory = False

app = st.App("app.py", routes=routes(st.get_option("server.baseUrlPath")))


def prepare() -> None:
    """Imports torch, which takes a second, while the reader's browser is still loading the page.

    Then takes all that is imported by now, and will never be garbage, out of the garbage collection that Streamlit
    does after every run of a page: it would take longer than most runs.
    """
    import_module("model.run")
    gc.collect()
    gc.freeze()


Thread(target=prepare, daemon=True).start()
