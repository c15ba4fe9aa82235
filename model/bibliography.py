"""What the app cites: each work, and the places of a text that cite it. The list: assets/bibliography.toml."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

FILE = Path(__file__).parents[1] / "assets" / "bibliography.toml"
ARXIV = "https://arxiv.org/abs/"


@dataclass(frozen=True)
class Work:
    """One work. `cited`: how a text cites it, "Vaswani et al. (2017)". "" and 0 stand for what is not known."""

    key: str
    cited: tuple[str, ...]
    title: str
    where: str
    authors: str = ""
    year: int = 0
    link: str = ""

    @property
    def arxiv(self) -> str:
        """The work's number on arXiv, "1706.03762"; "" for none."""
        return self.link.removeprefix(ARXIV) if self.link.startswith(ARXIV) else ""


@dataclass(frozen=True)
class Citation:
    """The characters `start` to `end` of a text cite a work."""

    start: int
    end: int
    work: Work


@cache
def bibliography(file: Path = FILE) -> tuple[Work, ...]:
    """All works, in the order of the file. Raises `ValueError` for a wrong file."""
    entries: list[dict[str, Any]] = tomllib.loads(file.read_text(encoding="utf-8"))["work"]
    try:
        works = tuple(Work(**{**entry, "cited": tuple(entry["cited"])}) for entry in entries)
    except (KeyError, TypeError) as error:
        raise ValueError(f"A work of the bibliography is not as it must be: {error}") from error
    if len({work.key for work in works}) < len(works):
        raise ValueError("Two works have the same key.")
    if wrong := [work.key for work in works if work.link and not work.link.startswith("https://")]:
        raise ValueError(f"The links of {wrong} lead nowhere.")
    return works


def find_citations(text: str) -> list[Citation]:
    """Every place of a text that cites a work, from left to right."""
    return [Citation(match.start("name"), match.end("name"), _cited_work(match)) for match in _pattern().finditer(text)]


def _cited_work(match: re.Match[str]) -> Work:
    """The work of the number on arXiv, where the text gives one; else the first that is cited so."""
    by_number = {work.arxiv: work for work in bibliography() if work.arxiv}
    return by_number.get(match["arxiv"] or "") or _by_name()[_bare(match["name"])]


@cache
def _pattern() -> re.Pattern[str]:
    """A pattern that finds each work where a text cites it.

    It also takes a year without brackets or after a comma, and a line that is broken anywhere.
    """
    names = sorted({name for work in bibliography() for name in work.cited}, key=len, reverse=True)
    return re.compile(
        rf"\b(?P<name>{'|'.join(map(_free, names))})(?!\w)(?:,? arXiv:(?P<arxiv>\d+\.\d+))?", re.IGNORECASE
    )


def _free(name: str) -> str:
    """The pattern of one name: "Elman (1990)" also finds "Elman 1990" and "Elman, 1990"."""
    words, _, year = name.partition(" (")
    pattern = r"\s+".join(map(re.escape, words.split()))
    return pattern + (rf",?\s+\(?{year[:-1]}\)?" if year else "")


@cache
def _by_name() -> dict[str, Work]:
    named: dict[str, Work] = {}
    for work in bibliography():
        for name in work.cited:
            named.setdefault(_bare(name), work)
    return named


def _bare(name: str) -> str:
    return " ".join(re.sub(r"[(),]", " ", name).lower().split())
