"""A session keeps the last value of each name, and makes it anew for another key."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import streamlit as st

from pages.shared.session.last_made import keep_last


@pytest.fixture(autouse=True)
def session(monkeypatch: pytest.MonkeyPatch) -> dict[str, object]:
    kept: dict[str, object] = {}
    monkeypatch.setattr(st, "session_state", kept)
    return kept


def counted(calls: list[str], value: str) -> Callable[[], str]:
    def make() -> str:
        calls.append(value)
        return value

    return make


def test_another_key_makes_the_value_anew_and_only_the_last_is_kept() -> None:
    calls: list[str] = []
    found = [keep_last("of", key, counted(calls, key)) for key in ("a", "a", "b", "b", "a")]
    assert found == ["a", "a", "b", "b", "a"]
    assert calls == ["a", "b", "a"]


def test_names_keep_apart() -> None:
    assert keep_last("one", 1, lambda: "one") == "one"
    assert keep_last("two", 1, lambda: "two") == "two"
    assert keep_last("one", 1, lambda: "again") == "one"


def test_a_value_that_could_not_be_made_leaves_the_one_before() -> None:
    keep_last("of", 1, lambda: "first")

    def fail() -> str:
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        keep_last("of", 2, fail)
    assert keep_last("of", 1, lambda: "again") == "first"
