"""The gallery: every exhibit is a view of the app, alone in a file, and the index leads to all of them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pages.shared.session.keys import KEYS
from tools.gallery import Exhibit, main, read_exhibits, write_exhibit, write_gallery

EXHIBITS = read_exhibits()
MAX_BYTES = 1_000_000


@pytest.mark.slow
def test_each_exhibit_is_a_living_picture_in_one_small_file(tmp_path: Path) -> None:
    assert len({each.file for each in EXHIBITS}) == len(EXHIBITS) > 0
    assert {key for each in EXHIBITS for key in each.keys} <= set(KEYS)
    for exhibit in EXHIBITS:
        assert write_exhibit(tmp_path, exhibit, None).print is not None, exhibit.name  # the index shows it small
        text = (tmp_path / exhibit.file).read_text(encoding="utf-8")
        assert len(text.encode()) < MAX_BYTES, exhibit.name
        assert 'class="component"' in text or "<figure" in text, exhibit.name
        assert "from glassformer import" in text, exhibit.name
        assert "default-src 'none'" in text
        assert not re.search(r'(src|href)="https?:', text.partition("<main>")[0]), exhibit.name


def test_the_index_leads_to_all_and_each_leads_on(tmp_path: Path) -> None:
    two = [each for each in EXHIBITS if each.name in ("positions", "picture")]
    write_gallery(tmp_path, two)
    index = (tmp_path / "index.html").read_text(encoding="utf-8")
    assert re.findall(r'<li><a href="([^"]+)"', index) == ["positions.html", "picture.html"]
    assert index.count("data:image/webp;base64,") == 4  # light and dark
    first, last = ((tmp_path / each.file).read_text(encoding="utf-8") for each in two)
    assert 'href="picture.html"' in first
    assert re.findall(r'<a href="(\w+\.html)"', last) == ["index.html", "index.html"]
    assert {each.name for each in tmp_path.iterdir()} == {"index.html", "positions.html", "picture.html"}


def test_a_model_that_is_not_here_is_named_with_the_command_that_gets_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    missing = Exhibit("x", "X", "Words.", "heads", {"model": "nobody/has-this", "text": "a"})
    monkeypatch.setattr("tools.gallery.read_exhibits", lambda: [missing])
    assert main([str(tmp_path)]) == 1
    assert "nobody/has-this" in capsys.readouterr().err
