"""What is taken of Streamlit, uvicorn, websockets and asyncio, though it is not public, still does something.

That packets are sent at once, and that nothing is written for agents, is tested in `tests/test_serve.py`.
"""

from __future__ import annotations

import ast
import asyncio
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import uvicorn
from streamlit import config, net_util
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.runtime import Runtime, RuntimeConfig
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.pages_manager import PagesManager
from streamlit.runtime.scriptrunner_utils.script_run_context import ScriptRunContext
from streamlit.testing.v1 import AppTest
from streamlit.web.server import server_util
from uvicorn.server import ServerState

import serve
from pages.shared.server import proxies, socket_bytes
from pages.shared.server.connections import STREAMLIT_SOCKET
from pages.shared.server.kept_sessions import KeptSessions
from pages.shared.server.private_parts import runs, server
from pages.teach.rooms.routes import MAX_MESSAGE_BYTES
from tests.own_loop import run_in_own_loop

ROOT = Path(serve.__file__).parent
PRIVATE_MODULES = (
    *("streamlit.runtime", "streamlit.web", "streamlit.proto", "streamlit.net_util", "streamlit.cli_util"),
    *("uvicorn.protocols", "uvicorn.middleware", "uvicorn.config", "websockets", "asyncio.base_events"),
)
PRIVATE_NAMES = {
    "_main_script_path",
    "_set_nodelay",
    "_is_origin_allowed",
}
OWN_IDS = ("$$ID-1-a key", "$$STREAMLIT_INTERNAL_KEY_a")
HANDSHAKE = (
    "GET {path} HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)


async def answer(scope: Any, receive: Any, send: Any) -> None:
    """An app that never answers: what is asked here happens before it."""
    await asyncio.Event().wait()


def imported(tree: ast.AST) -> set[str]:
    """The modules of a file, and for `from a import b` also a.b."""
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {each.name for each in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module, *(f"{node.module}.{each.name}" for each in node.names)}
    return found


@pytest.mark.slow
def test_they_stand_in_one_place() -> None:
    paths = [*(ROOT / "pages").rglob("*.py"), ROOT / "serve.py", ROOT / "app.py"]
    for path in paths:
        if "private_parts" not in path.parts:
            tree = ast.parse(path.read_text(encoding="utf-8"))
            modules = {
                name for name in imported(tree) if f"{name}.".startswith(tuple(f"{m}." for m in PRIVATE_MODULES))
            }
            names = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)} & PRIVATE_NAMES
            assert not modules | names, path.relative_to(ROOT).as_posix()


def test_each_says_what_it_does_and_what_happens_without_it() -> None:
    for module in (server, runs):
        tree = ast.parse(Path(module.__file__).read_text(encoding="utf-8"))
        said = {node.name: ast.get_docstring(node) or "" for node in tree.body if isinstance(node, ast.FunctionDef)}
        assert len(said) > 4
        assert all(text for text in said.values())


def test_streamlit_takes_the_folder_of_pages_for_no_list_of_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(PagesManager, "uses_pages_directory", None)
    PagesManager(str(ROOT / "app.py"))
    assert PagesManager.uses_pages_directory, "it would"
    server.know_pages_by_navigation_alone()
    PagesManager(str(ROOT / "app.py"))
    assert not PagesManager.uses_pages_directory


@pytest.mark.parametrize(
    ("path", "most"), [(STREAMLIT_SOCKET, server.max_browser_bytes()), ("/teach/room", MAX_MESSAGE_BYTES)]
)
def test_a_socket_is_bounded_before_it_is_accepted(path: str, most: int) -> None:
    async def connect() -> Any:
        settings = uvicorn.Config(answer, ws="websockets-sansio", lifespan="off", proxy_headers=False)
        protocol = server.Socket(settings, ServerState(), {}, asyncio.get_running_loop())
        sent: list[bytes] = []
        protocol.transport = SimpleNamespace(write=sent.append, close=lambda: None, get_extra_info=lambda _: None)  # type: ignore[assignment]
        protocol.scheme, protocol.server, protocol.client = "ws", ("localhost", 80), ("127.0.0.1", 1)
        protocol.connections.add(protocol)
        protocol.data_received(HANDSHAKE.format(path=path).encode())
        protocol.frames = [b"123"]
        for task in protocol.tasks:
            task.cancel()
        return protocol

    protocol = run_in_own_loop(connect())
    assert protocol.conn.max_message_size == most
    assert type(protocol).data_received is socket_bytes.receive
    assert server.unfinished_bytes(protocol) == 3


@pytest.mark.parametrize(
    ("ids", "is_foreign"),
    [
        (("x",), True),
        (("$$ID-1-a key", "x"), True),
        (("$$ID-1-a key", "$$STREAMLIT_INTERNAL_KEY_a"), False),
        ((), False),
    ],
)
def test_a_widget_whose_id_streamlit_did_not_make_is_found(ids: tuple[str, ...], is_foreign: bool) -> None:
    message = BackMsg()
    message.rerun_script.SetInParent()
    for each in ids:
        message.rerun_script.widget_states.widgets.add(id=each)
    assert server.has_foreign_widget(message.SerializeToString()) == is_foreign
    assert not server.has_foreign_widget(b"\xff"), "Streamlit says that it cannot be read"


def test_a_page_of_another_site_lets_the_server_ask_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(net_util, "_make_blocking_http_get", lambda *_, **__: pytest.fail("it asks for its address"))
    monkeypatch.setattr(net_util, "_external_ip", None)
    assert not server_util.is_url_from_allowed_origins("https://other.example")
    assert not server.is_origin_allowed("https://other.example", "localhost:8501")
    assert server.is_origin_allowed("http://localhost:8501", "localhost:8501")


def test_the_address_of_a_visitor_is_read_by_our_middleware() -> None:
    settings = uvicorn.Config(answer, lifespan="off")
    settings.load()
    assert isinstance(settings.loaded_app, proxies.VisitorAddress)
    assert server.host_of("192.0.2.1:4000") == "192.0.2.1"
    assert server.host_of("[2001:db8::1]:4000") == "2001:db8::1"


def test_sessions_are_kept_in_our_store(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[RuntimeConfig] = []
    monkeypatch.setattr("streamlit.runtime.Runtime", lambda settings: made.append(settings))
    serve.app._create_runtime()
    assert isinstance(made[0].session_storage, KeptSessions)


def test_who_follows_is_told_before_the_server_closes(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[bool] = []
    monkeypatch.setattr(uvicorn.Server, "shutdown", uvicorn.Server.shutdown)

    async def tell(of: uvicorn.Server) -> None:
        told.append(bool(of.servers))

    async def run() -> None:
        server.tell_before_the_end(tell)
        here = uvicorn.Server(uvicorn.Config(answer, port=0, lifespan="off", log_level="critical"))
        here.should_exit = True
        await here.serve()

    monkeypatch.setattr(serve.LIFECYCLE, "stop", lambda *_: asyncio.sleep(0))
    run_in_own_loop(run())
    assert told == [True]


def test_the_folder_of_the_script_has_the_settings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / ".streamlit").mkdir()
    (tmp_path / ".streamlit" / "config.toml").write_text('[client]\ntoolbarMode = "viewer"\n')
    before = config._main_script_path
    try:
        server.begin_from(str(tmp_path / "serve.py"))
        assert config.get_option("client.toolbarMode") == "viewer"
    finally:
        config._main_script_path = before
        config.get_config_options(force_reparse=True)


def _show_run() -> None:
    import streamlit as st

    from pages.shared.server.private_parts import runs

    st.session_state["session"] = runs.session_id()
    st.session_state["back"] = runs.is_history_navigation()


def test_a_run_knows_its_session() -> None:
    app = AppTest.from_function(_show_run, default_timeout=60).run()
    assert not app.exception
    assert app.session_state["session"]
    assert app.session_state["back"] is False
    assert runs.session_id() is None, "a thread of the server runs no page"
    assert "is_history_navigation" in ScriptRunContext.__dataclass_fields__


def test_a_runtime_tells_its_sessions_and_its_files(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert not runs.has_session("nobody"), "there is no runtime yet"
    monkeypatch.setattr(Runtime, "_instance", None)
    script = tmp_path / "app.py"
    script.write_text("")

    async def begin() -> None:
        created = serve.app._create_runtime()
        assert isinstance(created, Runtime)
        await created.start()
        try:
            assert not runs.is_connected("nobody")
            assert runs.uploaded_files() == {}
            assert isinstance(created.uploaded_file_mgr, MemoryUploadedFileManager)
        finally:
            created.stop()
            await created.stopped

    run_in_own_loop(begin())
