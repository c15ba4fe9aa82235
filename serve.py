"""What `streamlit run serve.py` starts: the app, ready for links into the middle of it.

Streamlit takes the mere existence of `pages/` for its older kind of navigation until a session has called
`st.navigation`. A server's first visitor who follows a link to a page would be told "Page not found". Nothing public
switches that off, so it is said here, before the first session.
"""

from importlib import import_module
from threading import Thread

import streamlit as st
from streamlit.runtime.pages_manager import PagesManager

PagesManager.uses_pages_directory = False

app = st.App("app.py")

# torch takes a second to import: it begins now, while the reader's browser is still loading the page.
Thread(target=import_module, args=("model",), daemon=True).start()
