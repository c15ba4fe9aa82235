"""What `state` and `places` keep of a session beside the keys: the page, its addresses, its messages and its places."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from streamlit.delta_generator import DeltaGenerator
from streamlit.navigation.page import Page

from pages.shared.session.substitutes import Substitute

MAX_REMEMBERED_ADDRESSES = 50  # of those that a session has written

Address = tuple[str, dict[str, str]]  # page, and the values in its URL
Listener = Callable[[str, dict[str, str]], None]


@dataclass(frozen=True)
class Places:
    """How many layers, heads and query tokens the open page lets the reader choose from. 0: the page has none.

    `query` and `key` are the pair that the page shows, -1 for none. Of a model that reads one sentence and writes
    another, `query_stack` and `key_stack` say whose tokens they are; "" for a page without keys. `attention` is the one
    of whose heads the page shows one, "decoder.self_attn".
    """

    layers: int = 0
    heads: int = 0
    queries: int = 0
    query: int = -1
    key: int = -1
    query_stack: str = "decoder"
    key_stack: str = "encoder"
    attention: str = ""


@dataclass
class ViewSession:
    """The view of a session.

    `page`: the URL path of the page that the run shows, "" before there is one. `wanted`: the page to go to with the
    next run, and the values of its link, None for those of the session. `values`: those of all keys at the end of the
    last run, and `sentence` what its tokens belonged to. `carried_over`: the shared keys that nobody has set on this
    page. `tokens_put`: tokens were set since the run began. `returned`: the back or forward button led here. `written`:
    the addresses that the session has read or written, the last one last; `substituted`: what was shown there in the
    place of the reader's model and sentence. `notes`: messages by key, with the key's value then. `places`: what the
    page offers; `token_stack`: whose token the reader has chosen.
    """

    tab_title: str = ""
    page: str = ""
    pages: dict[str, Page] = field(default_factory=dict)
    wanted: tuple[str, Mapping[str, str] | None] | None = None
    values: dict[str, Any] = field(default_factory=dict)
    sentence: tuple[Any, ...] | None = None
    carried_over: dict[str, Any] = field(default_factory=dict)
    tokens_put: bool = False
    returned: bool = False
    written: deque[Address] = field(default_factory=lambda: deque(maxlen=MAX_REMEMBERED_ADDRESSES))
    substituted: deque[tuple[Address, dict[str, Substitute]]] = field(
        default_factory=lambda: deque(maxlen=MAX_REMEMBERED_ADDRESSES)
    )
    notes: dict[str, tuple[Any, str]] = field(default_factory=dict)
    slot: DeltaGenerator | None = None
    listeners: dict[str, Listener] = field(default_factory=dict)
    places: Places = field(default_factory=Places)
    token_stack: str | None = None
