"""The rule for each value of a model's files: it is read, it has no effect on a number, or it is refused.

What a file says and nobody reads would make numbers silently wrong. So each kind of file has lists of the keys that
are known, as data beside its reader, and a key that is in no list is refused by its name.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from model.errors import DamagedWeights

MAX_CHARACTERS = 60  # of a key or a value that a message quotes


@dataclass(frozen=True)
class Only:
    """The values that a key may have here, and in half a sentence what another one would change in a run.

    `effect` goes on after "with it,": "each token also sees the tokens after it".
    """

    allowed: tuple[Any, ...]
    effect: str


@dataclass(frozen=True)
class KnownValues:
    """The keys of one kind of file, in three lists.

    `read` change our numbers as they change those of `transformers`. `without_effect` change no number of a run.
    `refused` have one of the values that they may have, or the file is refused.
    """

    read: Collection[str] = ()
    without_effect: Collection[str] = ()
    refused: Mapping[str, Only] = field(default_factory=dict)

    def __or__(self, other: KnownValues) -> KnownValues:
        """Both lists. Where both know a key, `other` decides."""
        later = {*other.read, *other.without_effect, *other.refused}
        return KnownValues(
            read=frozenset(self.read) - later | frozenset(other.read),
            without_effect=frozenset(self.without_effect) - later | frozenset(other.without_effect),
            refused={key: only for key, only in self.refused.items() if key not in later} | dict(other.refused),
        )

    @property
    def keys(self) -> frozenset[str]:
        """The keys of all three lists."""
        return frozenset((*self.read, *self.without_effect, *self.refused))


def check_values(path: Path, values: Mapping[str, Any], known: KnownValues, defaults: Mapping[str, Any] = {}) -> None:
    """Raises `DamagedWeights` for a value that would change a number here unread. The error names key, value, effect.

    `path` is the file that the values are of. A key in none of the lists may have its value of `defaults`.
    """
    for key, value in values.items():
        if key in known.read or key in known.without_effect:
            continue
        only = known.refused.get(key)
        if only is None:
            if key not in defaults or value != defaults[key]:
                raise DamagedWeights(_say_unknown(path, key, value))
        elif not any(value == allowed for allowed in only.allowed):
            raise DamagedWeights(
                f"{_place(path)} has {quoted(key)} = {in_json(value)}. With it, {only.effect}, which cannot be "
                f"computed here: only {' or '.join(map(in_json, only.allowed))} is read."
            )


def _say_unknown(path: Path, key: str, value: Any) -> str:
    return (
        f"{_place(path)} has {quoted(key)} = {in_json(value)}. What it would change is not known here, so the model is "
        "not read. If it is only a note of the program that wrote the file, take it out."
    )


def _place(path: Path) -> str:
    return f"{path.parent.name}/{path.name}".lstrip("/")


def quoted(key: str) -> str:
    """A key as a message quotes it, which may be a stranger's: one line, not too long."""
    return key if key.isprintable() and len(key) <= MAX_CHARACTERS else repr(key)[:MAX_CHARACTERS]


def in_json(value: Any) -> str:
    """A value as it stands in the file, not too long."""
    text = json.dumps(value, default=str, ensure_ascii=False)
    return text if len(text) <= MAX_CHARACTERS else text[: MAX_CHARACTERS - 1] + "…"
