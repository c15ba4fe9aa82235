"""The fuzzer reaches its readers, and tells the smallest input that fails."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import strategies as some

from tests.hostile import fuzz, fuzz_readers


@pytest.mark.parametrize("target", fuzz_readers.READERS, ids=lambda target: target.__name__)
def test_a_target_holds_for_a_few_inputs(target: Any) -> None:
    assert fuzz.find_failure(target, examples=20, start=0) == ""


def test_the_smallest_input_that_fails_is_printed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def reader(data: Any) -> None:
        assert data.draw(some.integers(0, 10**6)) < 321

    monkeypatch.setitem(fuzz.TARGETS, "reader", reader)
    assert fuzz.main(["20", "reader"]) == 1
    assert "Draw 1: 321" in capsys.readouterr().out


def test_an_unknown_target_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert fuzz.main(["nonsense"]) == 2
    assert "lecture files" in capsys.readouterr().err


def test_a_time_without_a_failure_is_a_success(capsys: pytest.CaptureFixture[str]) -> None:
    assert fuzz.main(["0.01", "url keys"]) == 0
    assert "without a failure" in capsys.readouterr().out
