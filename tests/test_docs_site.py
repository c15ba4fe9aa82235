"""The site of the documents is built without a warning, names everything that is public, and fetches nothing."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from mkdocs.commands.build import build
from mkdocs.config import load_config

import glassformer
import views
from model.bibliography import bibliography
from model.glossary import glossary
from views.by_page.find import classes_of

ROOT = Path(__file__).parents[1]

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the site. `mkdocs.yml` is strict: a dead link or a document that the site does not list is an
    error."""
    folder = tmp_path_factory.mktemp("site")
    build(load_config(str(ROOT / "mkdocs.yml"), site_dir=str(folder)))
    return folder


def headings(page: Path) -> set[str]:
    return set(re.findall(r"<h[23] id=[^>]*>([^<]+)<", page.read_text(encoding="utf-8")))


def test_every_public_name_is_described(site: Path) -> None:
    assert {name for name in glassformer.__all__ if name != "views"} - headings(
        site / "docs" / "reference.html"
    ) == set()


def test_every_view_is_described_with_its_choices(site: Path) -> None:
    page = site / "docs" / "views.html"
    found = {f"views.{page}.{view.__name__}": view for page in views.__all__ for view in classes_of(page)}
    assert found.keys() - headings(page) == set()
    text = page.read_text(encoding="utf-8")
    assert {name for view in found.values() for name in view.choices() if f"<code>{name}</code>" not in text} == set()


def test_every_term_and_every_work_is_there(site: Path) -> None:
    assert {term.name for term in glossary()} == headings(site / "docs" / "glossary.html")
    sources = (site / "docs" / "sources.html").read_text(encoding="utf-8")
    assert {work.link for work in bibliography() if f'href="{work.link}"' not in sources} == {""}


def test_nothing_is_fetched_from_another_site(site: Path) -> None:
    for page in site.rglob("*.html"):
        text = page.read_text(encoding="utf-8")
        assert re.findall(r"""(?:src=|<link [^>]*href=)["']?(https?:[^"' >]+)""", text) == [], page
