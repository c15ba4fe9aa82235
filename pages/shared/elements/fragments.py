"""Pieces of a page that can run by themselves, never one inside another.

    @fragments.alone
    def menu() -> None: ...

    fragments.alone(picture, every=2.0)(run)   # again every two seconds

Do not call `st.fragment` anywhere else. A dialog is such a piece too: the only one, in `pages.adding.dialog`, stands
behind the page and has none inside. When a fragment runs again, Streamlit 1.67 forgets the elements that it has
queued for the browser, but not those of a fragment inside it. On a busy machine the inner elements then arrive without
their containers, and the whole page dies ("'setIn' cannot be called on an ElementNode"). So a piece inside another
piece simply runs with it.
"""

from __future__ import annotations

from collections.abc import Callable
from contextvars import ContextVar
from dataclasses import dataclass
from functools import wraps
from typing import ParamSpec

import streamlit as st

from model.errors import DamagedWeights, ModelMissing
from pages.shared.model_runs import not_finite
from pages.shared.server import reached_limits
from pages.shared.server.session_values import of_session
from viz.shared.style import markdown_text

P = ParamSpec("P")
_inside: ContextVar[bool] = ContextVar("inside a fragment", default=False)


@dataclass
class PieceSession:
    """What a session calls after each run of a piece."""

    after: Callable[[], None] | None = None


def call_after_each(act: Callable[[], None] | None) -> None:
    """Call `act` after each run of a piece of this session from now on; None ends that."""
    of_session(PieceSession).after = act


def alone(draw: Callable[P, None], *, every: float | None = None) -> Callable[P, None]:
    """`draw` as a piece that runs without the rest of the page: when its widgets change, and each `every` seconds."""

    @wraps(draw)
    def marked(*args: P.args, **kwargs: P.kwargs) -> None:
        token = _inside.set(True)
        try:
            with not_finite.end_page():
                draw(*args, **kwargs)
            if (act := of_session(PieceSession).after) is not None:
                act()
        # Streamlit would show these errors as mistakes of ours.
        except reached_limits.REACHED as error:
            reached_limits.note(error)
        except (DamagedWeights, ModelMissing) as error:
            st.error(markdown_text(str(error)), icon=":material/error:")
        finally:
            _inside.reset(token)

    fragment = st.fragment(run_every=every)(marked)

    @wraps(draw)
    def run(*args: P.args, **kwargs: P.kwargs) -> None:
        (draw if _inside.get() else fragment)(*args, **kwargs)

    return run
