"""The rule for values of files: read, without effect, or refused by name."""

from __future__ import annotations

from pathlib import Path

import pytest

from model.errors import DamagedWeights
from model.zoo.values.known_values import KnownValues, Only, check_values

PATH = Path("some/config.json")
KNOWN = KnownValues(
    read=("width",), without_effect=("note",), refused={"turned": Only((False, None), "all is turned round")}
)


def test_known_values_pass_and_so_does_a_default_of_a_key_in_no_list() -> None:
    check_values(PATH, {"width": 3, "note": "x", "turned": None, "new": 1}, KNOWN, {"new": 1})


@pytest.mark.parametrize(
    ("key", "value", "words"),
    [
        ("turned", True, "some/config.json has turned = true. With it, all is turned round"),
        ("turned", True, "only false or null is read"),
        ("new", 2, "some/config.json has new = 2. What it would change is not known here"),
        ("never seen", [1], r"never seen = \[1\]"),
        ("two\nlines", None, r"'two\\nlines' = null"),
        ("long" * 40, "x" * 1000, r"xxx…"),
    ],
)
def test_any_other_value_is_refused_by_key_value_and_effect(key: str, value: object, words: str) -> None:
    with pytest.raises(DamagedWeights, match=words):
        check_values(PATH, {key: value}, KNOWN, {"new": 1})


def test_of_two_lists_the_later_one_decides() -> None:
    both = KNOWN | KnownValues(read=("turned",), without_effect=("width",))
    check_values(PATH, {"turned": True, "width": 4, "note": 1}, both)
    assert (set(both.read), set(both.without_effect), both.refused) == ({"turned"}, {"width", "note"}, {})
