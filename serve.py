"""What `streamlit run serve.py` starts: the app, ready for links into the middle of it.

Streamlit takes the mere existence of `pages/` for its older kind of navigation until a session has called
`st.navigation`. A server's first visitor who follows a link to a page would be told "Page not found". Nothing public
switches that off, so it is said here, before the first session.
"""

import streamlit as st
from streamlit.runtime.pages_manager import PagesManager

PagesManager.uses_pages_directory = False

app = st.App("app.py")
