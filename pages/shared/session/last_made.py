"""What takes a reader's session seconds to make: it keeps the last one of each name."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import TypeVar

import streamlit as st

Value = TypeVar("Value")


def keep_last(name: str, key: Hashable, make: Callable[[], Value]) -> Value:
    """What `make` makes for this key. It is called again where the last value of the name was made for another key.

    `key` must hold all that the value depends on. `name` begins with "_", as all that no widget owns. What `make`
    raises is raised here, and the value before it stays.
    """
    if st.session_state.get(name, (None,))[0] != key:
        st.session_state[name] = key, make()
    value: Value = st.session_state[name][1]
    return value
