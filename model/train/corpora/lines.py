"""Lines of the small world, the questions hidden in them, and the split between training and held-out lines."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from itertools import pairwise

HELD_OUT_SHARE = 10  # one line in so many is held out
_WORD = re.compile(r" ?(?:\w+|[^\w\s])")


@dataclass(frozen=True)
class Probe:
    """A question with a known answer: after `prefix`, the next word must be one of `right` (spaces included)."""

    prefix: str
    right: frozenset[str]


@dataclass(frozen=True)
class Line:
    """One line of text: the unit of the held-out split. `inner` are whole lines that it quotes."""

    skill: str
    text: str
    probes: tuple[Probe, ...] = ()
    inner: tuple[str, ...] = ()

    @property
    def held_out(self) -> bool:
        """Is this composition kept out of training? Decided by its text alone, so it is so in every run and seed."""
        return is_held_out(self.text)

    @property
    def trainable(self) -> bool:
        """May training see it? Not if it, or a line that it quotes, is held out."""
        return not self.held_out and not any(map(is_held_out, self.inner))


def is_held_out(text: str) -> bool:
    """Does the hash of `text` fall into the held-out share? The same answer on every machine."""
    digest = hashlib.blake2b(text.encode(), digest_size=8).digest()
    return int.from_bytes(digest, "big") % HELD_OUT_SHARE == 0


def make_line(skill: str, text: str, *right: frozenset[str], inner: tuple[str, ...] = ()) -> Line:
    """A line from text in which `|` stands before each answer. The answers are `right`, in order; where `right` is
    shorter, the answer is the word that follows the mark.

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
