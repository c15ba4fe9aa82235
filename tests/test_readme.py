"""The examples of the README run, and its links and files exist."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pages.catalogue import PAGES
from tests.model.zoo import families_table

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")


@pytest.mark.slow
def test_the_library_examples_run(capsys: pytest.CaptureFixture[str]) -> None:
    text, number, account, picture = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    exec(compile(text, "README.md", "exec"), {})
    assert "Paris" in capsys.readouterr().out
    exec(compile(number, "README.md", "exec"), {})
    assert "decoder.9.self_attn.raw_scores[2, 5, 1] is 47.86." in capsys.readouterr().out
    exec(compile(account, "README.md", "exec"), {})
    assert "{'decoder.29.ffn': 6.9" in capsys.readouterr().out
    exec(compile(picture, "README.md", "exec"), {})
    assert "torch.Size([4, 50, 50])" in capsys.readouterr().out


@pytest.mark.parametrize("target", re.findall(r"\]\(([^)#]+)\)", README))
def test_every_link_to_a_file_leads_somewhere(target: str) -> None:
    assert target.startswith("http") or (ROOT / target).is_file()


@pytest.mark.parametrize("command", re.findall(r"make ([a-z-]+)", README))
def test_every_make_target_exists(command: str) -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert re.search(rf"^{command}:", makefile, re.MULTILINE)


def test_the_table_of_pages_is_that_of_the_catalogue() -> None:
    table = README.partition("## What each page answers")[2].partition("\n\nEvery page")[0]
    rows = re.findall(r"^\| (.+?) \| (.+?) \|$", table, re.MULTILINE)
    assert rows == [("page", "question"), *((entry.title, entry.question) for entry in PAGES if not entry.is_hidden)]


def test_the_values_that_are_refused_are_those_of_the_lists() -> None:
    assert families_table.refusals() in README


def test_the_document_of_values_is_made_of_the_lists() -> None:
    assert families_table.DOCUMENT.read_text(encoding="utf-8") == families_table.document()
