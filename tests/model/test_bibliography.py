"""The bibliography: its file, and the citations that are found in a text."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from model.bibliography import bibliography, find_citations

WORK = '[[work]]\nkey = "a"\ncited = ["A (1990)"]\ntitle = "B"\nwhere = "C"\n'


def keys(text: str) -> list[str]:
    return [each.work.key for each in find_citations(text)]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Vaswani et al. (2017), eq. 1; encoder notes, eq. 0.1.5", ["vaswani-2017", "encoder-notes"]),
        ("Palaskos 2022, section 2.1; Shamsi, 2024", ["palaskos-2022", "shamsi-2024"]),
        ("Bishop, ch. 12 slides, algorithm 2; Bishop, ch. 12", ["bishop-chapter-12"] * 2),
        ("Bishop (2006)", ["bishop-2006"]),
        ("Loshchilov\nand Hutter 2019", ["loshchilov-2019"]),
        ("Bengio, Simard and Frasconi (1994)", ["bengio-1994"]),
        ("Su et al. (2021)", ["su-2021"]),
        ("Su et al. 2021, arXiv:2106.13700", ["su-2021-vitas"]),
        ("Palaskos calls it so; Vaswani et al. (1999); landslides", []),
    ],
)  # fmt: skip
def test_a_text_cites(text: str, found: list[str]) -> None:
    assert keys(text) == found


def test_a_citation_has_its_place() -> None:
    text = "after Elman (1990), p. 3"
    (found,) = find_citations(text)
    assert text[found.start : found.end] == "Elman (1990)"


@pytest.mark.parametrize("work", bibliography(), ids=lambda work: work.key)
def test_a_work_is_whole(work) -> None:
    assert re.fullmatch(r"[a-z0-9-]+", work.key)
    assert re.fullmatch(
        r"(https://(arxiv\.org/abs/\d{4}\.\d{4,5}|doi\.org/10\.\S+|jmlr\.org/\S+|transformer-circuits\.pub/\S+))?",
        work.link,
    )
    assert work.title
    assert work.where
    for name in work.cited:
        assert work.key in keys(name) or work.arxiv, name
        if "(" in name:
            assert f"({work.year})" in name


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (WORK.replace("where", "place"), "not as it must be"),
        (WORK.replace('cited = ["A (1990)"]\n', ""), "not as it must be"),
        (WORK + WORK, "same key"),
        (WORK + 'link = "javascript:alert(1)"', "lead nowhere"),
    ],
)
def test_a_wrong_file_is_refused(tmp_path: Path, text: str, message: str) -> None:
    file = tmp_path / "bibliography.toml"
    file.write_text(text)
    with pytest.raises(ValueError, match=message):
        bibliography(file)
