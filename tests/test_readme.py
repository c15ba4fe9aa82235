"""The README is short, its examples and those of docs/ run, and all links and files exist."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pages.catalogue import PAGES
from tests.model.zoo import families_table

ROOT = Path(__file__).parents[1]
README = ROOT / "README.md"
MAX_README_BYTES = 9_000
DOCUMENTS = [README, *sorted((ROOT / "docs").glob("*.md"))]
TEXTS = {path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8") for path in DOCUMENTS}
LINKS = [(name, link) for name, text in TEXTS.items() for link in re.findall(r"\]\(([^)]+)\)", text)]
COMMAND = re.compile(r"(?:`|^)(?:[A-Z_]+=\S+ )*make (?:[A-Z]+=\S+ )*([a-z-]+)", re.MULTILINE)  # not "they make more"
COMMANDS = sorted({command for text in TEXTS.values() for command in COMMAND.findall(text)})
PRINTED = (
    "",  # a notebook shows the last line as a picture
    "Paris",
    "4 torch.Size([9, 4, 4])",
    "decoder.9.self_attn.raw_scores[2, 5, 1] is 47.86.",
    "{'decoder.29.ffn': 6.9",
    "Most comes back by layer 3, head 0: 34%",
    "[('decoder.0.ffn', 'decoder.16.self_attn.heads.0', 4.3",
    "“Looks at the same token earlier, else at the token before.” explains ",
    "2.3 → 2.3: self 0.08 → 0.31",
    "[('<|im_start|>', 'system'), ('system', 'system'),",
    "torch.Size([4, 50, 50])",
    "(4, 4, 50) [",
    "looks most at :gray-background[**sees**",
    "They differ most at **hungry** → **The**",
)


def test_the_readme_is_read_in_minutes() -> None:
    assert README.stat().st_size <= MAX_README_BYTES


@pytest.mark.slow
def test_the_library_examples_run(capsys: pytest.CaptureFixture[str]) -> None:
    examples = re.findall(r"```python\n(.*?)```", TEXTS["README.md"] + TEXTS["docs/library.md"], re.DOTALL)
    for example, printed in zip(examples, PRINTED, strict=True):
        exec(compile(example, "an example", "exec"), {})
        assert printed in capsys.readouterr().out


@pytest.mark.parametrize(("name", "link"), LINKS)
def test_every_link_leads_somewhere(name: str, link: str) -> None:
    target, _, anchor = link.partition("#")
    if target.startswith("https://"):
        return
    file = (ROOT / name).parent / target if target else ROOT / name
    assert file.is_file()
    if anchor:
        headings = re.findall(r"^#+ (.+)$", file.read_text(encoding="utf-8"), re.MULTILINE)
        assert anchor in [re.sub(r"[^\w -]", "", heading).lower().replace(" ", "-") for heading in headings]


def test_the_readme_leads_to_every_document() -> None:
    documents = {name for name in TEXTS if name.startswith("docs/")}
    assert documents - {link for _, link in LINKS} == {"docs/config-values.md"}  # docs/your-own-model.md leads there


@pytest.mark.parametrize("command", COMMANDS)
def test_every_make_target_exists(command: str) -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert re.search(rf"^{command}:", makefile, re.MULTILINE)


def test_the_table_of_pages_is_that_of_the_catalogue() -> None:
    table = TEXTS["README.md"].partition("## What each page answers")[2].partition("\n\nEvery page")[0]
    rows = re.findall(r"^\| (.+?) \| (.+?) \|$", table, re.MULTILINE)
    assert rows == [("page", "question"), *((entry.title, entry.question) for entry in PAGES if not entry.is_hidden)]


def test_the_values_that_are_refused_are_those_of_the_lists() -> None:
    assert families_table.refusals() in TEXTS["docs/your-own-model.md"]


def test_the_document_of_values_is_made_of_the_lists() -> None:
    assert families_table.DOCUMENT.read_text(encoding="utf-8") == families_table.document()
