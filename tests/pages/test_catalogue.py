"""The catalogue names every page once, and agrees with the keys, the kinds of questions and the map of Home."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from model.zoo.cards import available
from pages.catalogue import BY_URL, PAGES, PageEntry, map_pages, question_kinds_of
from pages.shared.session.keys import KEYS
from pages.shared.session.question_kinds import QUESTION_TITLES
from tests.pages.conftest import open_link, run_page

ROOT = Path(__file__).resolve().parents[2]

FRAME = re.compile(r"^PAGE = Page\(|layout\.begin\(", re.MULTILINE)


def test_every_page_is_in_the_catalogue() -> None:
    """A page is data, or a script that draws the frame of a page."""
    scripts = (path for path in (ROOT / "pages").rglob("*.py") if FRAME.search(path.read_text(encoding="utf-8")))
    files = (path.relative_to(ROOT).as_posix() for path in scripts)
    assert {file for file in files if not file.startswith("pages/shared/")} == {entry.file for entry in PAGES}
    assert len(BY_URL) == len(PAGES), "two pages have the same URL"


def test_every_key_of_a_page_has_the_prefix_of_a_page() -> None:
    owned = {name for name in KEYS for url in BY_URL if name.startswith(f"{url}_")}
    assert {name for name in KEYS if "_" in name} == owned


@pytest.mark.parametrize("entry", PAGES, ids=lambda entry: entry.url)
def test_an_entry_names_things_that_exist(entry: PageEntry) -> None:
    assert all(KEYS[name].choices and name.startswith(f"{entry.url}_") for name in entry.part_keys)
    assert set(entry.question_kinds) <= set(QUESTION_TITLES)
    assert entry.question[-1] in "?."


def test_a_page_with_parts_names_the_key_that_chooses_them() -> None:
    assert {name for name in KEYS if name.endswith("_part")} <= {key for entry in PAGES for key in entry.part_keys}


@pytest.mark.parametrize("kind", ["encoder", "decoder", "encoder-decoder"])
def test_every_part_of_the_map_leads_to_one_page(kind: str) -> None:
    assert kind in {card.kind for card in available()}
    pages = map_pages(kind)
    assert set(pages) == {"tokens", "embedding", "head", "ffn", "stream", "outcome"}
    named = [part for entry in PAGES for part in entry.map_parts]
    assert len(named) == len(set(named)), "two pages claim the same part"


def test_a_page_that_does_not_exist_asks_nothing() -> None:
    assert question_kinds_of("nowhere") == ()
    assert question_kinds_of("cost") == ("cost",)


def test_home_lists_every_other_page_with_its_question() -> None:
    app = run_page("home/home.py", model="tiny-lm")
    shown = [element.proto for element in app.get("page_link")]
    listed = [entry for entry in PAGES if entry.url != "home" and not entry.is_hidden]
    assert sorted((link.label, link.help) for link in shown) == sorted((each.title, each.question) for each in listed)
    newcomers = [entry.title for entry in PAGES if entry.for_newcomers]
    assert [link.label for link in shown][: len(newcomers)] == newcomers


def test_a_tool_saves_no_files() -> None:
    tool, page = (open_link(file, **{"model": "tiny-lm"}) for file in ("help/glossary.py", "learning/cost.py"))
    for app, saves in ((tool, False), (page, True)):
        app.session_state["share view"] = True
        app.run()
        labels = {element.proto.label for element in app.get("download_button")}
        assert ("Page that works alone (HTML)" in labels) == saves
