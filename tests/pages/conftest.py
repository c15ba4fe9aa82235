"""Opening a page through AppTest, as a link to it would, and reading what it shows."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any, TypeVar
from unittest.mock import MagicMock

import numpy as np
import pytest
from streamlit.components.v2 import manifest_scanner
from streamlit.runtime.scriptrunner.script_cache import ScriptCache
from streamlit.runtime.state.session_state import STREAMLIT_INTERNAL_KEY_PREFIX
from streamlit.testing.v1 import AppTest, app_test, local_script_runner
from streamlit.testing.v1.element_tree import Block
from streamlit.testing.v1.local_script_runner import LocalScriptRunner
from streamlit.util import calc_hash

from pages.shared.elements.shown import ShownSession
from pages.shared.server.session_values import name_of, of_state
from pages.teach.handouts import thumbnails
from pages.teach.lectures.my_lecture import MINE, LectureSession, Shelf
from pages.teach.lectures.scene import Lecture
from pages.teach.presenting import presentation
from views.shown_page import ShownPage
from viz.shared.payload import unpack

Kept = TypeVar("Kept")
APP = str(Path(__file__).parents[2] / "app.py")

# No installed package has components: Streamlit need not search them all for pages that a test opens.
manifest_scanner.scan_component_manifests = lambda max_workers=None: []
# It compiles the script of a page once, as in the app, and not again for each run.
one_script_cache = cache(ScriptCache)
for module in (app_test, local_script_runner):
    vars(module)["ScriptCache"] = one_script_cache


@cache
def stand_in(spec: type) -> MagicMock:
    """The server of all runs. To make the mock of it takes a tenth of the time of a run."""
    return MagicMock(spec=spec)


def wait_for_end(runner: LocalScriptRunner, timeout: float) -> None:
    """Wait until a run has ended. Streamlit's own function looks a thousand times a second whether it has."""
    assert runner._script_thread is not None
    runner._script_thread.join(timeout)
    if runner.script_stopped():
        return
    runner.request_stop()
    runner.join()
    raise RuntimeError(f"The page has not ended its run within {timeout:g} s.")


vars(app_test)["MagicMock"] = stand_in
vars(local_script_runner)["require_widgets_deltas"] = wait_for_end


@pytest.fixture(scope="session", autouse=True)
def nothing_made_ahead() -> Iterator[None]:
    """No page makes thumbnails or the next scene in the background, beside other tests.

    Their own tests: teach/handouts/test_thumbnails.py, teach/presenting/test_precompute.py.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(thumbnails, "start", lambda lecture: None)
        patch.setattr(presentation, "precompute", SimpleNamespace(start=lambda *view: None))
        yield


def run_page(page: str, *kept: object, **state: object) -> AppTest:
    """`page` below `pages/` ("block/block.py"), run once with these keys of the state. It must raise nothing.

    `kept`: what modules keep of the session, such as `LectureSession(shelf)`.
    """
    app = AppTest.from_file(APP, default_timeout=120)
    app.switch_page(f"pages/{page}")
    for key, value in state.items():
        app.session_state[key] = value
    for each in kept:
        app.session_state[name_of(type(each))] = each
    app.run()
    assert not app.exception
    return app


def session_of(app: AppTest, kind: type[Kept]) -> Kept:
    """What a module keeps of the app's session: `session_of(app, LectureSession).shelf`."""
    return of_state(app.session_state, kind)


def shown_page(app: AppTest) -> ShownPage:
    """The page on the screen as a value, of which its files are written."""
    shown = session_of(app, ShownSession).page
    assert shown is not None
    return shown


def with_lecture(lecture: Lecture) -> LectureSession:
    """What a session keeps whose reader works on a lecture."""
    return LectureSession(Shelf(MINE, lecture, {}))


def lecture_of(app: AppTest) -> Lecture:
    """The lecture that the reader works on."""
    shelf = session_of(app, LectureSession).shelf
    assert shelf is not None
    return shelf.lecture


def open_link(page: str, **url: str) -> AppTest:
    """`page` below `pages/`, run once as a link with these values opens it. What it raises, it shows."""
    app = AppTest.from_file(APP, default_timeout=120)
    app.switch_page(f"pages/{page}")
    for name, value in url.items():
        app.query_params[name] = value
    return app.run()


def text(app: AppTest) -> str:
    """All Markdown on the page, one piece a line."""
    return "\n".join(each.value for each in app.markdown)


def messages(app: AppTest) -> list[str]:
    """What the page complains of."""
    return [each.value for each in (*app.error, *app.warning)]


def components(app: AppTest | Block) -> dict[str, tuple[dict[str, Any], dict[str, np.ndarray]]]:
    """What each component of the app, or of its main column, got: header and arrays, by the component's name."""
    protos = [element.proto for element in app.get("bidi_component")]
    return {each.component_name.removeprefix("glassformer_"): unpack(each.bytes) for each in protos if each.bytes}


def sent(app: AppTest, name: str) -> Any:
    """What Streamlit sends to the browser for a component; None where the page does not show it."""
    shown = (element.proto for element in app.get("bidi_component"))
    return next((proto for proto in shown if proto.component_name == f"glassformer_{name}"), None)


def tell(app: AppTest, name: str, event: str, value: object) -> AppTest:
    """Run the page again with an event of a component, as the browser tells it."""
    states = app._tree.get_widget_states()
    trigger = states.widgets.add(id=f"{STREAMLIT_INTERNAL_KEY_PREFIX}_{sent(app, name).id}__events")
    trigger.json_trigger_value = json.dumps([{"event": event, "value": value}])
    return app._run(states)


def type_into(app: AppTest, key: str, text: str) -> AppTest:
    """Run the page again with a text that the reader has typed into a menu which takes new ones."""
    states = app._tree.get_widget_states()
    id = app.selectbox(key=key).id
    next(each for each in states.widgets if each.id == id).string_value = text
    return app._run(states)


def turn_to(app: AppTest, page: str) -> None:
    """The next run is of another page, "heads". After a first run, `AppTest.switch_page` finds only pages of files."""
    app._page_hash = calc_hash(page)


def go(app: AppTest, page: str) -> AppTest:
    """Open another page, "heads", as a link of the sidebar does."""
    app.query_params.clear()
    turn_to(app, page)
    app.run()
    assert not app.exception
    return app


def run_sentence(app: AppTest, text: str, target: str = "") -> AppTest:
    """Run another sentence by the run bar."""
    return tell(app, "run_bar", "run", [text, target])


def figures(app: AppTest) -> list[dict[str, Any]]:
    """The Plotly figures, as they were sent."""
    return [json.loads(element.proto.spec) for element in app.get("plotly_chart")]
