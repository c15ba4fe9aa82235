"""The run of a page, and its session. Streamlit's own docs warn that these may change."""

from __future__ import annotations

from streamlit import runtime
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.scriptrunner import get_script_run_ctx


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


def is_connected(session: str) -> bool:
    """Whether the browser of a session is connected. Without it, left sessions keep their seats.

    Streamlit: `Runtime.is_active_session`.
    """
    return not runtime.exists() or has_session(session)


def has_session(session: str) -> bool:
    """Whether the server has this session, and its browser is connected; False where there is no server."""
    return runtime.exists() and runtime.get_instance().is_active_session(session)


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
