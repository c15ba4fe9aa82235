"""The public classes: those of a page, and the one that makes a part of it."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module

from views.by_page.live_view import LiveView

PAGES = (
    *("home", "tokens", "positions", "scores", "masks", "heads", "combine", "block", "predict", "why", "translate"),
    *("classify", "see", "training", "before_attention", "bench", "cost"),
)
BASE = "LiveView"  # begins the name of a class that is no view of its own


def classes_of(page: str) -> list[type[LiveView]]:
    """The views of a page, in the order in which they stand there."""
    module = import_module(f"{__package__}.{page}")
    found = [each for each in vars(module).values() if isinstance(each, type) and issubclass(each, LiveView)]
    own = [each for each in found if each.__module__ == module.__name__ or each.stands_on == page]
    return [each for each in sorted(own, key=lambda each: each.stands_on) if not each.__name__.startswith(BASE)]


def class_of(page: str, parts: Sequence[str]) -> type[LiveView] | None:
    """The view of a part of a page, by the values of the app's keys that choose it; None where no class makes it."""
    found = (each for each in classes_of(page) if each.part == tuple(parts[: len(each.part)]))
    return next((each for each in found if bool(each.part) == bool(parts)), None)
