"""The run of a page, its session, and runs without a browser. Streamlit's own docs warn that these may change."""

from __future__ import annotations

from asyncio import AbstractEventLoop
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Protocol

from streamlit import runtime
from streamlit.navigation.page import Page
from streamlit.proto.BackMsg_pb2 import BackMsg as BackMsg
from streamlit.proto.ClientState_pb2 import ContextInfo as ContextInfo
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg as ForwardMsg
from streamlit.runtime import Runtime as Runtime
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.runtime.session_manager import SessionClient as SessionClient


def session_id() -> str | None:
    """The session that this thread runs a page for; None for a thread of the server.

    Without it, limits count nobody, and no work ends where its browser is gone. Streamlit: `get_script_run_ctx`.
    """
    context = get_script_run_ctx(suppress_warning=True)
    return None if context is None else context.session_id


def is_history_navigation() -> bool:
    """Whether the browser's back or forward button asked for this run.

    Without it, a step back makes a new entry of the history. Streamlit: `ScriptRunContext.is_history_navigation`.
    """
    context = get_script_run_ctx()
    return context is not None and context.is_history_navigation


def browser_facts() -> ContextInfo | None:
    """The facts of the reader's browser, as its theme, for a run in its name; None where no browser asks.

    Without it, hand-outs have the wrong theme and time. Streamlit: `ScriptRunContext.context_info`.
    """
    context = get_script_run_ctx()
    return None if context is None else context.context_info


class Recorder(Protocol):
    """Takes each message of a run before it goes to the browser."""

    def take(self, message: Any) -> None: ...


@contextmanager
def recorded_by(recorder: Recorder) -> Iterator[None]:
    """`recorder` takes the messages of the run inside. They go to the browser as before. One may be inside another.

    Without it, a saved page, a hand-out and a followed view are empty. Streamlit: `ScriptRunContext.enqueue`.
    """
    context: Any = get_script_run_ctx()
    if context is None:
        yield
        return
    send: Callable[[Any], None] = context.enqueue
    outer = vars(context).get("enqueue")

    def take(message: Any) -> None:
        recorder.take(message)
        send(message)

    take.recorder = recorder  # type: ignore[attr-defined]
    context.enqueue = take
    try:
        yield
    finally:
        if outer is None:
            del context.enqueue
        else:
            context.enqueue = outer


def recorder_here() -> Any:
    """The innermost recorder of this run; None where it is not recorded."""
    context = get_script_run_ctx()
    taken = None if context is None else vars(context).get("enqueue")
    return None if taken is None else taken.recorder


def page_hash(page: Page) -> str:
    """What Streamlit knows a page by in a message of a browser. Without it, no page runs without a browser.

    Streamlit: `Page._script_hash`.
    """
    return page._script_hash


def can_run_without_browser() -> bool:
    """Whether a page can run without a browser here: not under AppTest, which has a mock for the runtime."""
    return runtime.exists() and type(runtime.get_instance()) is Runtime


def server() -> Runtime:
    """The runtime of Streamlit, which begins and ends sessions. Streamlit: `runtime.get_instance`."""
    return runtime.get_instance()


def event_loop(of: Runtime) -> AbstractEventLoop:
    """The loop in which sessions begin and end.

    Without it, nothing is computed before a presenter goes there, and no hand-out is made. Streamlit:
    `Runtime._get_async_objs`.
    """
    return of._get_async_objs().eventloop


def is_connected(session: str) -> bool:
    """Whether the browser of a session is connected. Without it, left sessions keep their seats.

    Streamlit: `Runtime.is_active_session`.
    """
    return not runtime.exists() or has_session(session)


def has_session(session: str) -> bool:
    """Whether the server has this session, and its browser is connected; False where there is no server."""
    return runtime.exists() and runtime.get_instance().is_active_session(session)


def has_browser(session: str) -> bool:
    """Whether a session is a browser's, and not one that the server opened itself. Without it, those take seats.

    Streamlit: `Runtime.get_client`, `SessionClient.client_context`.
    """
    client = runtime.get_instance().get_client(session) if runtime.exists() else None
    return client is not None and client.client_context is not None


def uploaded_files() -> dict[str, list[int]]:
    """The bytes of each uploaded file that Streamlit keeps, by session. Without it, uploads may fill the memory.

    Streamlit: `MemoryUploadedFileManager.file_storage`. Other threads take sessions and files away meanwhile, so each
    is copied at once.
    """
    manager = runtime.get_instance().uploaded_file_mgr
    if not isinstance(manager, MemoryUploadedFileManager):
        return {}
    return {
        session: [len(file.data) for file in list(files.values())]
        for session, files in list(manager.file_storage.items())
    }
