"""What a regular expression of a stranger's tokenizer may cost, read from the expression before it is ever used.

A search goes back to every choice that it has made. So its time grows with the product of its choices: (a+)+$ doubles
it for each letter, and a*a*b grows with the cube of the text. The library cannot be stopped meanwhile. Those that are
published, such as GPT-2's and Llama's, have one repeat at most that may be taken back; so may a stranger's.

The grammar is that of Oniguruma, as far as it is read here. What is not read is refused.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import accumulate

MAX_CHARACTERS = 2000  # of an expression; that of o200k has 330
MAX_DEPTH = 20  # of groups in groups
MAX_COUNT = 1000  # that a repeat may name
FEW = 16  # a repeat of more is one without end
MAX_WAYS = 256  # in which a part of the text may match, beside repeats without end
MAX_SCANS = 1  # repeats without end that may be taken back

ESCAPE = re.compile(
    r"\\(?:[pP]\{\^?[\w =-]{1,40}\}|x\{[0-9A-Fa-f]{1,8}\}|x[0-9A-Fa-f]{1,2}|u[0-9A-Fa-f]{4}|[dDwWsShHRNO]|[nrtfvae]"
    r"|[^\w\s]| )",
    re.ASCII,
)
EDGE = re.compile(r"[\^$]|\\[bBAzZG]")  # of a word, a line or the text
GROUP = re.compile(r"\((?:\?(?:(?P<flags>[im]{0,2}(?:-[im]{1,2})?):|(?P<look><?[=!])|>|<[A-Za-z_]\w*>))?(?![?*])")
COUNT = re.compile(r"\{(\d{0,6})(,?)(\d{0,6})\}", re.ASCII)
FLAGS = re.compile(r"\(\?[im]{1,2}\)")  # before the whole expression


@dataclass(frozen=True)
class Cost:
    """`ways`: in which it may match. `scans`: repeats without end that are taken back where what follows fails.
    `loose`: those after which nothing has failed yet. `least`: characters that it takes at least."""

    ways: int = 1
    scans: int = 0
    loose: int = 0
    least: int = 0
    can_fail: bool = False


LETTER = Cost(least=1, can_fail=True)


def cost_of_pattern(pattern: str) -> Cost:
    """The cost of an expression. Raises `ValueError` for one that is too dear, or that is not read."""
    if len(pattern) > MAX_CHARACTERS:
        raise ValueError(f"it has an expression of more than {MAX_CHARACTERS:,} characters")
    start = found.end() if (found := FLAGS.match(pattern)) else 0
    reader = _Reader(pattern, start)
    cost = reader.alternatives(0)
    if reader.at < len(pattern):
        reader.refuse("has a bracket too many")
    if cost.scans > MAX_SCANS or cost.ways > MAX_WAYS:
        reader.refuse("could be tried in too many ways")
    return cost


class _Reader:
    def __init__(self, pattern: str, at: int) -> None:
        self.pattern, self.at = pattern, at

    def refuse(self, why: str) -> None:
        raise ValueError(f"its expression {self.pattern[:60]!r} {why}")

    def _take(self, expression: re.Pattern[str]) -> re.Match[str] | None:
        found = expression.match(self.pattern, self.at)
        self.at = found.end() if found else self.at
        return found

    def _next(self) -> str:
        return self.pattern[self.at : self.at + 1]

    def alternatives(self, depth: int) -> Cost:
        """Up to the bracket that ends the group, or to the end."""
        if depth > MAX_DEPTH:
            self.refuse("is nested too deeply")
        found = [self._sequence(depth)]
        while self._next() == "|":
            self.at += 1
            found.append(self._sequence(depth))
        return Cost(
            ways=sum(each.ways for each in found),
            scans=max(each.scans for each in found),
            loose=max(each.loose for each in found),
            least=min(each.least for each in found),
            can_fail=all(each.can_fail for each in found),
        )

    def _sequence(self, depth: int) -> Cost:
        parts: list[Cost] = []
        while self._next() not in ("", "|", ")"):
            parts.append(self._repeated(depth))
        return _in_a_row(parts)

    def _repeated(self, depth: int) -> Cost:
        """One part with its repeats."""
        cost = self._part(depth)
        while (sign := self._next()) in ("*", "+", "?") or (sign == "{" and COUNT.match(self.pattern, self.at)):
            cost = self._repeat(cost)
            if self._next() == "?" or (sign != "{" and self._next() == "+"):  # as few as can be, or never taken back
                self.at += 1
                cost = replace(cost, ways=cost.ways + (sign == "{"))  # a{2}? may also be nothing
        return cost

    def _repeat(self, cost: Cost) -> Cost:
        fewest, most = {"*": (0, None), "+": (1, None), "?": (0, 1)}.get(self._next(), (0, None))
        if self._next() != "{":
            self.at += 1
        elif (found := self._take(COUNT)) is not None:
            if not (found[1] or found[3]):
                self.refuse("has a repeat without a number")
            fewest = int(found[1] or 0)
            most = fewest if not found[2] else int(found[3]) if found[3] else None
        if fewest > MAX_COUNT or (most or 0) > MAX_COUNT:
            self.refuse(f"repeats a part more than {MAX_COUNT:,} times")
        least, can_fail = fewest * cost.least, fewest > 0 and cost.can_fail
        if most is None or most > FEW:
            if cost.ways > 1 or cost.scans or cost.loose or not cost.least:
                self.refuse("repeats a part that can match in several ways")
            return Cost(loose=1, least=least, can_fail=can_fail)
        if most > 1 and (cost.scans or cost.loose):
            self.refuse("has a repeat in a repeat")
        powers = accumulate([cost.ways] * most, lambda one, other: min(one * other, MAX_WAYS + 1), initial=1)
        return Cost(sum(list(powers)[fewest:]), cost.scans, cost.loose, least, can_fail)

    def _part(self, depth: int) -> Cost:
        if self._next() == "(":
            return self._group(depth)
        if self._take(EDGE):
            return Cost(can_fail=True)
        if self._next() == "[":
            self._letters()
        elif self._next() == "\\":
            self._escape()
        elif self._next() in ("*", "+", "?"):
            self.refuse("repeats nothing")
        else:
            self.at += 1
        return LETTER

    def _group(self, depth: int) -> Cost:
        if not (found := self._take(GROUP)):
            self.refuse("has a group of a kind that is not read")
            return LETTER
        cost = self.alternatives(depth + 1)
        if self._next() != ")":
            self.refuse("has a bracket too few")
        self.at += 1
        if not (look := found["look"]):
            return cost
        if look.startswith("<") and (cost.scans or cost.loose):
            self.refuse("looks back without end")
        return Cost(cost.ways, cost.scans + cost.loose, can_fail=True)

    def _letters(self) -> None:
        """A set of letters: [a-z], which may have sets in it."""
        depth = 0
        while True:
            if self._next() == "[":
                self.at += 2 if self.pattern.startswith("[^", self.at) else 1
                depth += 1
                if self._next() in ("]", ""):
                    self.refuse("has an empty set of letters")
            elif self._next() == "]":
                self.at += 1
                depth -= 1
                if not depth:
                    return
            elif self._next() == "\\":
                self._escape()
            elif not self._next():
                self.refuse("has a set of letters without an end")
            else:
                self.at += 1

    def _escape(self) -> None:
        if not self._take(ESCAPE):
            self.refuse(f"has {self.pattern[self.at : self.at + 2]}, which is not read")


def _in_a_row(parts: Sequence[Cost]) -> Cost:
    """The cost of parts, one after another. A repeat is taken back where something after it fails."""
    ways, scans, loose, rest_fails = 1, 0, 0, False
    for part in reversed(parts):
        ways = min(ways * part.ways, MAX_WAYS + 1)
        scans += part.scans + (part.loose if rest_fails else 0)
        loose += 0 if rest_fails else part.loose
        rest_fails = rest_fails or part.can_fail
    return Cost(ways, scans, loose, sum(part.least for part in parts), rest_fails)
