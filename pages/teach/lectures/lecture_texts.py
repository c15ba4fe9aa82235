"""The reader's lectures as TOML, and how large they may be: one alone, and all together.

The browser keeps them all. Safari gives an address the least room for that: 2.5 million characters.
Source: https://developer.mozilla.org/en-US/docs/Web/API/Storage_API/Storage_quotas_and_eviction_criteria
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from pages.shared.server.session_values import of_session
from pages.teach.lectures import lecture_file
from pages.teach.lectures.lecture_file import MAX_BYTES, LectureError
from pages.teach.lectures.scene import Lecture

MAX_ALL_BYTES = 2_400_000  # of all lectures of one reader: four of the largest size


@dataclass
class TextSession:
    """The lectures of a session that were written last, by name, with their texts."""

    written: dict[str, tuple[Lecture, str]] = field(default_factory=dict)


def text_of(name: str, lecture: Lecture) -> str:
    """The lecture of that name as TOML, written once after each change."""
    written = of_session(TextSession).written
    if name not in written or written[name][0] is not lecture:
        written[name] = (lecture, lecture_file.write(lecture))
    return written[name][1]


def check_size(name: str, lecture: Lecture, kept: Mapping[str, Lecture]) -> None:
    """Raises `LectureError` if the lecture would be too large, or all together with those that are `kept`.

    `kept` may have an earlier state of the lecture under its name. A change that makes it smaller is always taken.
    """
    size = len(text_of(name, lecture).encode())
    if size > MAX_BYTES:
        raise LectureError(
            f"The lecture would have {size:,} bytes; the most is {MAX_BYTES:,}. Shorten some notes, or take a picture "
            "away."
        )
    total = size + sum(len(text_of(other, each).encode()) for other, each in kept.items() if other != name)
    if total <= MAX_ALL_BYTES or (name in kept and size < len(lecture_file.write(kept[name]).encode())):
        return
    raise LectureError(
        f"Your lectures would have {total:,} bytes together; a browser keeps {MAX_ALL_BYTES:,}. Save one of them as a "
        "file, then delete it here: the file brings it back at any time."
    )
