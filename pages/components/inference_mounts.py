"""Mounts of the components that play an inference step by step: prediction, the race of two caches, translation.

As in `pages.components.mounts`, a callback runs when the reader acts, and the value is in the session under the
component's key.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pages.components.mounts import component

_player = component("models/predict_player")
_race = component("models/kv_race")
_translation = component("models/translation")


def player(
    data: bytes, key: str, on_step: Callable[[], None], on_branch: Callable[[], None], on_more: Callable[[], None]
) -> Any:
    """A generation with its playhead (`viz.models.predict.pack_player`).

    Under `key`: `.step`, the step of the playhead; `.branch`, the step and the token id of a branch; `.more`, the
    number of further tokens to write, and the step.
    """
    return _player(data=data, key=key, on_step_change=on_step, on_branch_change=on_branch, on_more_change=on_more)


def race(data: bytes, key: str) -> Any:
    """Two generations side by side (`viz.models.predict.pack_race`)."""
    return _race(data=data, key=key)


def translation(data: bytes, key: str, on_view: Callable[[], None]) -> Any:
    """A translation with its playhead (`viz.models.translate.pack_translation`).

    `.view` under `key`: step, layer, head, order, as in the data's `view`.
    """
    return _translation(data=data, key=key, on_view_change=on_view)
