"""What a reader picked in a picture, or in a table, and what told of it only after its page was left."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from pages.shared.elements import renderer


def refuse(_: Any) -> dict[str, Any]:
    pytest.fail("It was picked on a page that is gone.")


@pytest.mark.parametrize(
    "take",
    [renderer._take_point, partial(renderer._take_event, event="pick"), renderer._take_row],
    ids=["point", "event", "row"],
)
def test_what_comes_after_its_page_was_left_changes_nothing(take: Callable[..., None]) -> None:
    take(key="of a page that is gone", pick=refuse)
