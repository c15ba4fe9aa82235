"""Whose work a thread does: that of its session, or of the visitor for whom a thread without a session works."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

import streamlit as st

from pages.shared.model_runs.processor_turns import Owner
from pages.shared.server.networks import network_of
from pages.shared.server.private_parts import runs

SERVER = Owner("this server")

_OWNER: ContextVar[Owner] = ContextVar("the visitor for whom this thread works", default=SERVER)


def current() -> Owner:
    """The network and the session of this thread's work."""
    session = runs.session_id()
    return _OWNER.get() if session is None else Owner(network_of(st.context.ip_address), session)


@contextmanager
def of_visitor(network: str, session: str) -> Iterator[None]:
    """What a thread without a session does inside is for this visitor. `session` tells apart those of one network."""
    token = _OWNER.set(Owner(network, session))
    try:
        yield
    finally:
        _OWNER.reset(token)
