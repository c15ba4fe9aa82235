"""What the app cites of the five lecture documents exists there: sections, equations, figures, titles of slides."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from model.bibliography import bibliography, find_citations
from pages.help.source_list import LECTURES

ROOT = Path(__file__).parents[1]
ROOMS = ("pages", "views", "viz", "model", "corpora")
FILES = [
    *(path for folder in ROOMS for path in sorted((ROOT / folder).rglob("*.py"))),
    *sorted((ROOT / "assets").glob("*.toml")),
    *sorted((ROOT / "assets" / "lectures").glob("*.toml")),
]


def counted(prefix: str, most: int) -> set[str]:
    return {f"{prefix}{i}" for i in range(1, most + 1)}


DOCUMENTS = {
    "Palaskos": {
        "section": {"1.1", "1.2", "1.3", "3.3", "4.1", "4.2", "4.3"}
        | counted("1.2.", 3)
        | counted("2.", 4)
        | counted("3.", 11)
        | counted("3.3.", 7)
        | counted("4.2.", 3),
        "eq": counted("1.", 14) | counted("2.", 7) | counted("3.", 54),
        "fig": {"1.1"} | counted("2.", 11) | counted("3.", 18) | counted("4.", 4),
    },
    "Shamsi": {"section": counted("1.", 2) | counted("2.", 12), "eq": counted("", 4), "fig": counted("", 22)},
    "encoder notes": {"section": counted("0.1.", 5), "eq": counted("0.1.", 6), "fig": counted("0.1.", 2)},
}
SLIDES = {
    "Masked Attention",
    "Masking out the future",
    "MLP/Feed Forward Layer",
    "Layer Norm Enhances the Stability",
    "Language Modelling Head",
    "Transformer Block",
    "Transformer layers",  # these two of Bishop's chapter
    "Computational complexity",
}
NUMBERS = r"[\d.]*\d(?:(?:-|, | and )\d[\d.]*)*"
PLACES = rf"(?:(?:,? |, and | and )(?:section|eq|fig)s?\.? {NUMBERS})+"


def read(path: Path) -> str:
    """A file's text, its strings that go on in the next line made one."""
    return re.sub(r'(?<=[^"])"\s*\n\s*[rf]*"(?=[^"])', "", path.read_text("utf-8"))


def cited(text: str) -> list[tuple[str, str, str]]:
    """(document, kind, number) of every citation, the first and the last of a range."""
    found = []
    for name in DOCUMENTS:
        for places in re.findall(rf"(?i:{name})(?:,? \(?20\d\d\)?)?({PLACES})", text):
            for kind, numbers in re.findall(rf"(section|eq|fig)s?\.? ({NUMBERS})", places):
                found += [(name, kind, number.rstrip(".")) for number in re.findall(r"\d[\d.]*", numbers)]
    return found


def test_a_range_and_a_chain_are_read():
    assert cited("Palaskos (2022), eqs. 3.44-3.45 and section 3.4.") == [
        ("Palaskos", "eq", "3.44"),
        ("Palaskos", "eq", "3.45"),
        ("Palaskos", "section", "3.4"),
    ]


@pytest.mark.parametrize("folder", ["pages", "views", "viz", "model", "assets"])
def test_what_is_cited_exists(folder):
    texts = {path: read(path) for path in FILES if path.relative_to(ROOT).parts[0] == folder}
    wrong = [
        (str(path.relative_to(ROOT)), *place)
        for path, text in texts.items()
        for place in cited(text)
        if place[2] not in DOCUMENTS[place[0]][place[1]]
    ]
    assert not wrong
    assert folder in ("views", "viz") or any(cited(text) for text in texts.values())


def test_a_slide_is_cited_by_its_title():
    for path in FILES:
        for title in re.findall(r"(?i:slides), [“\"]([^”\"]+)[”\"]", read(path)):
            assert title in SLIDES, f"{path.name}: no slide is called {title}"


NAMES = r"[A-Z][\w'é-]+(?:(?:, [A-Z]\w+)? and [A-Z]\w+| et al\.)?"
NO_AUTHORS = {"In", "May", "W3C"}  # a sentence about a year, a date, a standard


@pytest.mark.slow
def test_every_source_has_an_entry_in_the_bibliography():
    numbers = {work.arxiv for work in bibliography()}
    lost = []
    for path in FILES:
        text = " ".join(read(path).split())
        ends = {end for each in find_citations(text) for end in range(each.start, each.end)}
        lost += [
            (path.name, found[0])
            for found in re.finditer(rf"\b({NAMES}),? \(?((?:18|19|20)\d\d)\b", text)
            if found[1] not in NO_AUTHORS and found.start(2) not in ends
        ]
        lost += [(path.name, each) for each in re.findall(r"arXiv:(\d+\.\d+)", text) if each not in numbers]
    assert not lost


def test_the_lecture_documents_are_the_first_entries_and_found_by_the_names_used_here():
    lectures = {work.key for work in bibliography()[:LECTURES]}
    texts = [
        "Palaskos (2022), eq. 3.42",
        "Shamsi (2024), fig. 10",
        "encoder notes, eq. 0.1.2",
        "slides, “Masked Attention”",
    ]
    cited = {each.work.key for text in [*texts, "Bishop, ch. 12 slides"] for each in find_citations(text)}
    assert cited == lectures
    assert {text.split(" (")[0].split(",")[0] for text in texts[:3]} == set(DOCUMENTS)
