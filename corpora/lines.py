"""Lines of the small world, the questions in them, and the split into training lines and held-out lines."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from itertools import pairwise

HELD_OUT_SHARE = 10  # one line in so many is held out
_WORD = re.compile(r" ?(?:\w+|[^\w\s])")


@dataclass(frozen=True)
class Probe:
    """A question with a known answer: the next word after `prefix` must be one of `right`, with their spaces."""

    prefix: str
    right: frozenset[str]


@dataclass(frozen=True)
class Line:
    """One line of text, the unit of the held-out split. `inner` are the whole lines that it quotes."""

    skill: str
    text: str
    probes: tuple[Probe, ...] = ()
    inner: tuple[str, ...] = ()

    @property
    def held_out(self) -> bool:
        """Whether the line is kept out of training. Only its text decides, so every run and seed agree."""
        return is_held_out(self.text)

    @property
    def trainable(self) -> bool:
        """Whether training may see it: neither the line nor a line that it quotes is held out."""
        return not self.held_out and not any(map(is_held_out, self.inner))


def is_held_out(text: str) -> bool:
    """Whether the hash of `text` falls into the held-out share. Every machine gives the same answer."""
    digest = hashlib.blake2b(text.encode(), digest_size=8).digest()
    return int.from_bytes(digest, "big") % HELD_OUT_SHARE == 0


def make_line(skill: str, text: str, *right: frozenset[str], inner: tuple[str, ...] = ()) -> Line:
    """A line from a text with the mark `|` before each answer. Raises `ValueError` for a mark without a word after it.

    The answers are `right`, in order. If there are more marks, the answer is the word after the mark.

    >>> marked("facts", "The cow says| moo.").probes
    (Probe(prefix='The cow says', right=frozenset({' moo'})),)
    """
    pieces = text.split("|")
    probes, prefix = [], ""
    for number, (before, after) in enumerate(pairwise(pieces)):
        prefix += before
        following = _WORD.match(after)
        if following is None:
            raise ValueError(f"a mark at the end of {text!r} has no answer")
        answers = right[number] if number < len(right) else frozenset({following[0]})
        probes.append(Probe(prefix, answers))
    return Line(skill, "".join(pieces), tuple(probes), inner)
