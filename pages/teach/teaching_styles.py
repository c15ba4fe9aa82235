"""Styles of a page while a class follows: of the presenter's, and of a student's."""

# While the app does not answer, a line of the bars says so (assets/components/teach/restart_line.js). Streamlit's own
# dialog asks a class about the internet.
NO_DIALOG = """
body:has([data-testid="stApp"]:not([data-test-connection-state="CONNECTED"])) [data-testid="stDialog"] {
  display: none;
}
"""

WITHOUT_DIALOG = f"<style>{NO_DIALOG}</style>"

# The bars float, so the block around them takes no space.
ROOM = f"""
<style>
[data-testid="stMainBlockContainer"] {{ padding-bottom: 5rem; }}
.st-key-teaching {{ position: absolute; height: 0; gap: 0; }}
{NO_DIALOG}
</style>
"""

# A student who follows has a compact header: the title in one line, without what the lecture says itself. Who explores
# has everything (`data-lecture` is set by the student's bar).
FOLLOWING = f"""
<style>
[data-testid="stMainBlockContainer"] {{ padding-bottom: 5rem; }}
.st-key-teaching {{ position: absolute; height: 0; gap: 0; }}
html[data-lecture="following"] {{
  [data-testid="stHeader"], [data-testid="stSidebar"], .st-key-try-this, .st-key-help-foot {{ display: none; }}
  [data-testid="stMainBlockContainer"] {{ padding-top: 0.4rem; }}
  [data-testid="stMainBlockContainer"] h1 {{ font-size: 1.25rem !important; padding: 0 !important; }}
  [data-testid="stElementContainer"]:has(h1) + [data-testid="stElementContainer"] {{ display: none; }}
  @media (max-width: 640px) {{
    [data-testid="stMainBlockContainer"] {{ padding-inline: 0.75rem; }}
    [data-testid="stMainBlockContainer"] h1 {{ font-size: 1.05rem !important; }}
  }}
}}
{NO_DIALOG}
</style>
"""
