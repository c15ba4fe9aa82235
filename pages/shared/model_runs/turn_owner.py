"""Whose work a thread does: that of its session, or of the visitor for whom a thread without a session works."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from pages.shared.model_runs.processor_turns import Owner
from pages.shared.server.networks import network_of

SERVER = Owner("this server")

_OWNER: ContextVar[Owner] = ContextVar("the visitor for whom this thread works", default=SERVER)


def current() -> Owner:
    """The network and the session of this thread's work."""
    context = get_script_run_ctx(suppress_warning=True)
    if context is None:
        return _OWNER.get()
    return Owner(network_of(st.context.ip_address), context.session_id)


@contextmanager
def of_visitor(network: str, session: str) -> Iterator[None]:
    """What a thread without a session does inside is for this visitor. `session` tells apart those of one network."""
    token = _OWNER.set(Owner(network, session))
    try:
        yield
    finally:
        _OWNER.reset(token)
