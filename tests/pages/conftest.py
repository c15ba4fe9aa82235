"""Opening a page through AppTest, as a link to it would."""

from __future__ import annotations

from pathlib import Path

from streamlit.testing.v1 import AppTest

APP = str(Path(__file__).parents[2] / "app.py")


def run_page(page: str, **state: object) -> AppTest:
    """`page` below `pages/` ("block/block.py"), run once with these keys of the state. It must raise nothing."""
    app = AppTest.from_file(APP, default_timeout=120)
    app.switch_page(f"pages/{page}")
    for key, value in state.items():
        app.session_state[key] = value
    app.run()
    assert not app.exception
    return app


def text(app: AppTest) -> str:
    """All Markdown on the page, one piece a line."""
    return "\n".join(each.value for each in app.markdown)
