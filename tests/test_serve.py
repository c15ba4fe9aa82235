"""The start: what it imports, and how it answers."""

from __future__ import annotations

import gc
import socket
import subprocess
import sys
from asyncio import StreamReader, StreamWriter, open_connection, run, start_server
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from streamlit import config
from streamlit.proto.BackMsg_pb2 import BackendOperationRequest
from streamlit.runtime import backend_operation_handler
from streamlit.runtime.backend_operation_handler import InstallSkillsHandler
from streamlit.web import skills

import model
import serve
from model.shared_cache import SharedCache
from pages.shared.model_runs import traces
from tests.own_loop import run_in_own_loop

ROOT = Path(__file__).resolve().parents[1]
# Each takes a tenth of a second or more, and Home shows nothing that needs it.
NOT_FOR_HOME = {
    "gguf",
    "huggingface_hub",
    "matplotlib",
    "onnx",
    "pandas",
    "scipy",
    "sklearn",
    "torch._dynamo",
    "transformers",
    "typst",
}
DRAW_HOME = """
import sys
from streamlit.testing.v1 import AppTest
app = AppTest.from_file("app.py", default_timeout=120)
app.query_params["model"] = "tiny-lm"
app.run()
assert not app.exception and app.get("bidi_component")
print(*sys.modules)
"""


def modules_after(code: str) -> set[str]:
    """What a fresh process has imported after this."""
    return set(subprocess.check_output([sys.executable, "-c", code], cwd=ROOT, text=True).split())


@pytest.mark.slow
def test_home_imports_nothing_that_only_other_pages_need() -> None:
    imported = modules_after(DRAW_HOME)
    assert {"torch", "views.map.run_answers"} <= imported
    assert not imported & NOT_FOR_HOME


@pytest.mark.slow
def test_the_title_of_home_does_not_wait_for_torch() -> None:
    before_the_run = "views.map.run_answers, pages.shared.frame.run_bar, pages.teach.page_bars"
    imported = modules_after(f"import sys, {before_the_run}; print(*sys.modules)")
    assert "torch" not in imported


@pytest.mark.slow
def test_preparing_leaves_the_collection_of_garbage_on() -> None:
    before = gc.get_freeze_count()
    try:
        serve.prepare()
        assert gc.isenabled()
        assert gc.get_freeze_count() > before
    finally:
        gc.unfreeze()


def test_a_process_may_open_as_many_files_as_the_system_allows() -> None:
    resource = pytest.importorskip("resource", reason="Windows has no such limit")
    few, most = 500, resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (few, most))
    serve.allow_many_connections()
    assert resource.getrlimit(resource.RLIMIT_NOFILE)[0] == most > few


def test_who_opens_the_app_finds_the_first_model_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    cache = SharedCache(traces.MAX_MODEL_BYTES, lambda loaded: loaded.nbytes)
    monkeypatch.setattr(traces, "_models", lambda: cache)
    monkeypatch.setattr(traces, "default_model", lambda: "tiny-lm-none")
    traces.load_default()

    def load_again(*_: object, **__: object) -> None:
        raise AssertionError("the model is loaded a second time")

    monkeypatch.setattr(model, "load", load_again, raising=False)
    assert traces.model("tiny-lm-none").card.name == "tiny-lm-none"


def test_a_first_model_that_is_not_installed_is_nothing_to_fail_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(traces, "default_model", lambda: "no such model")
    traces.load_default()


@pytest.mark.slow
def test_a_socket_that_names_no_protocol_sends_at_once() -> None:
    """As Streamlit makes it. Else each small file of the app waits 40 ms."""
    held_back: list[bool] = []

    async def hear(_: StreamReader, writer: StreamWriter) -> None:
        accepted = writer.get_extra_info("socket")
        held_back.append(accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY) == 0)
        writer.close()

    async def visit() -> None:
        listening = socket.socket(socket.AF_INET)
        listening.bind(("127.0.0.1", 0))
        async with await start_server(hear, sock=listening):
            reader, writer = await open_connection(*listening.getsockname())
            await reader.read()
            writer.close()

    with ThreadPoolExecutor(1) as pool:  # Playwright's tests leave a loop running in the main thread
        pool.submit(run, visit()).result()
    assert held_back == [False]


def test_a_browser_has_nothing_written_into_the_project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Streamlit's button "Install skills", pressed on this machine, where the user's home has an agent's folder."""
    (tmp_path / ".claude").mkdir()
    (tmp_path / ".cursor").mkdir()
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setattr(config, "get_option", lambda name: False)
    monkeypatch.setattr(backend_operation_handler, "connection_locality", lambda session: "loopback")
    monkeypatch.setattr(skills, "install_skills", lambda **asked: pytest.fail("it would write"))
    app = tmp_path / "app"
    request = BackendOperationRequest(request_id="1")
    answer = run_in_own_loop(InstallSkillsHandler(lambda: str(app)).handle(request, "a session"))
    assert answer.error_reason == "refused:no_agent"
    assert skills.nudge_suppression_reason(str(app)) == "no_agent"
