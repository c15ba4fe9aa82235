"""The next scene is computed ahead: started once, always ended, and never in the way."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any

import pytest
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from pages.shared.elements import figures
from pages.shared.server.private_parts import runs
from pages.teach.presenting import precompute
from pages.teach.presenting.background_session import NoBrowser


class Loop:
    """An event loop whose clock the test moves."""

    def __init__(self) -> None:
        self.later: list[tuple[float, Callable[[], Any]]] = []

    def call_soon_threadsafe(self, act: Callable[..., Any], *with_: Any) -> None:
        act(*with_)

    def call_later(self, seconds: float, act: Callable[..., Any], *with_: Any) -> None:
        self.later.append((seconds, lambda: act(*with_)))

    def wait(self, seconds: float) -> None:
        due = [act for when, act in self.later if when <= seconds]
        self.later = [(when, act) for when, act in self.later if when > seconds]
        for act in due:
            act()


class Runtime:
    """Stands for Streamlit's: remembers sessions and what they were asked to run."""

    def __init__(self) -> None:
        self.loop = Loop()
        self.clients: dict[str, NoBrowser] = {}
        self.asked: list[BackMsg] = []
        self.closed: list[str] = []

    def _get_async_objs(self) -> SimpleNamespace:
        return SimpleNamespace(eventloop=self.loop)

    def connect_session(self, client: NoBrowser, user_info: dict[str, str]) -> str:
        name = f"session {len(self.clients)}"
        self.clients[name] = client
        return name

    def handle_backmsg(self, session: str, message: BackMsg) -> None:
        self.asked.append(message)

    def close_session(self, session: str) -> None:
        self.closed.append(session)


PAGE = SimpleNamespace(_script_hash="hash of heads")


@pytest.fixture
def runtime(monkeypatch: pytest.MonkeyPatch) -> Iterator[Runtime]:
    fake = Runtime()
    streamlit = SimpleNamespace(Runtime=Runtime, exists=lambda: True, get_instance=lambda: fake)
    monkeypatch.setattr(runs, "runtime", streamlit)
    monkeypatch.setattr(runs, "Runtime", Runtime)
    here = SimpleNamespace(session_id="the presenter", context_info=None)
    monkeypatch.setattr(runs, "get_script_run_ctx", lambda **_: here)
    yield fake
    assert not precompute._running


def finished(client: NoBrowser) -> None:
    message = ForwardMsg()
    message.script_finished = ForwardMsg.FINISHED_SUCCESSFULLY
    client.write_forward_msg(message)


def test_a_view_is_run_in_a_session_that_is_closed_after_it(runtime: Runtime) -> None:
    precompute.start(PAGE, {"text": "a & b", "layer": "2"})  # type: ignore[arg-type]
    assert not runtime.clients, "the page on screen comes first"
    runtime.loop.wait(precompute.DELAY_SECONDS)
    (message,) = runtime.asked
    assert message.rerun_script.query_string == "text=a+%26+b&layer=2"
    assert message.rerun_script.page_script_hash == "hash of heads"
    assert not runtime.closed
    runtime.clients["session 0"].write_forward_msg(ForwardMsg())
    assert not runtime.closed
    finished(runtime.clients["session 0"])
    finished(runtime.clients["session 0"])
    assert runtime.closed == ["session 0"]


def test_the_pictures_of_a_view_are_handed_over_at_its_end(runtime: Runtime) -> None:
    taken: list[Any] = []
    precompute.start(PAGE, {}, taken.append)  # type: ignore[arg-type]
    runtime.loop.wait(precompute.DELAY_SECONDS)
    drawers: Any = figures._collected.of("session 0")
    drawers += ["first", "second"]
    assert taken == []
    finished(runtime.clients["session 0"])
    assert taken == [["first", "second"]]
    assert figures._collected.of("session 0") is None


def test_the_same_view_is_not_run_twice_at_once_and_few_are(runtime: Runtime) -> None:
    for layer in ("1", "1", "2", "3", "4"):
        precompute.start(PAGE, {"layer": layer})  # type: ignore[arg-type]
    runtime.loop.wait(precompute.DELAY_SECONDS)
    assert len(runtime.clients) == precompute.MAX_RUNS == 3
    for client in runtime.clients.values():
        finished(client)


def test_presenters_of_one_network_leave_a_run_to_others(runtime: Runtime, monkeypatch: pytest.MonkeyPatch) -> None:
    for layer, network in enumerate(("192.0.2.1", "192.0.2.1", "192.0.2.1", "192.0.2.2")):
        monkeypatch.setattr(precompute, "network_here", lambda network=network: network)
        precompute.start(PAGE, {"layer": str(layer)})  # type: ignore[arg-type]
    runtime.loop.wait(precompute.DELAY_SECONDS)
    assert [each.rerun_script.query_string for each in runtime.asked] == ["layer=0", "layer=1", "layer=3"]
    for client in runtime.clients.values():
        finished(client)


def test_a_run_that_does_not_end_is_given_up(runtime: Runtime) -> None:
    precompute.start(PAGE, {})  # type: ignore[arg-type]
    runtime.loop.wait(precompute.DELAY_SECONDS)
    runtime.loop.wait(precompute.MAX_RUN_SECONDS)
    assert runtime.closed == ["session 0"]


def test_a_runtime_that_refuses_is_only_a_pity(runtime: Runtime, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: Any, **__: Any) -> str:
        raise RuntimeError("stopping")

    monkeypatch.setattr(runtime, "connect_session", refuse)
    precompute.start(PAGE, {})  # type: ignore[arg-type]
    runtime.loop.wait(precompute.DELAY_SECONDS)
