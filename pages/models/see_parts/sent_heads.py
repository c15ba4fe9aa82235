"""Which heads of a picture the browser has. All of them are nearly 1 MB, so they are sent only for another picture."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import Any

import streamlit as st

from pages.shared.server.session_values import of_session
from views.models.see.attention import KEY, LooksOfPatch, take_choice
from views.parts import Keys


@dataclass
class SentHeads:
    """What the browser has: the heads of a picture as bytes, and the choice on screen."""

    picture: Hashable = None
    data: bytes = b""
    view: dict[str, int] = field(default_factory=dict)


def send(view: LooksOfPatch) -> bytes:
    """New bytes only for another picture, or a choice that the component did not make.

    A click that the browser has already drawn must not send them again.
    """
    seen, choice, sent = view.seen, view.choice, of_session(SentHeads)
    picture = (seen.model.card.name, seen.name or hash(seen.square.tobytes()))
    is_drawn = sent.picture == picture and sent.view == choice and KEY in st.session_state
    if not is_drawn:
        sent.data, sent.picture = view.pack(), picture
    sent.view = choice
    return sent.data


def take(choice: Any) -> Keys:
    """What a click in the picture changes. The browser has drawn it."""
    keys = take_choice(choice)
    if keys:
        of_session(SentHeads).view = dict(choice)
    return keys
