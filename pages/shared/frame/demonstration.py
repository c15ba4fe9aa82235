"""What the tour shows in the run bar: another sentence, a chosen token. At its end the reader's own come back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pages.shared.server.session_values import of_session
from pages.shared.session import state, substitutes

NAMES = ("text", "target", "query", "key")
RUN = ("model", "text", "target")


@dataclass(frozen=True)
class Demonstration:
    """What the reader had before, and the run that was shown last."""

    before: dict[str, Any]
    shown: tuple[Any, ...]


@dataclass
class DemonstrationSession:
    """What the tour has shown last, until its end."""

    shown: Demonstration | None = None


def show(**values: Any) -> None:
    """Set keys of `NAMES`, and keep the reader's own values behind them."""
    present = _present()
    before = present.before if present is not None else _values(NAMES)
    state.put(**values)
    of_session(DemonstrationSession).shown = Demonstration(before, tuple(_values(RUN).values()))


def end() -> None:
    """Give the reader's own values back, unless the reader has run another sentence or model since."""
    present = _present()
    if present is not None:
        state.put(**present.before)
    of_session(DemonstrationSession).shown = None


def _present() -> Demonstration | None:
    """What is shown now; None once the reader has run something else."""
    shown = of_session(DemonstrationSession).shown
    return shown if shown is not None and shown.shown == tuple(_values(RUN).values()) else None


def _values(names: tuple[str, ...]) -> dict[str, Any]:
    return {name: substitutes.choice_of(name) for name in names}
