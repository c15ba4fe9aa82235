"""The app from the files of its container alone, as the Dockerfile copies them: a class sees its pictures."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from pages.teach.lectures.scene import Scene
from tests.browser.classroom import join, present_own
from tests.browser.conftest import ROOT, Server

VIEW = Scene("heads", {"model": "tiny-lm", "text": "The dog is hungry because it"}, title="One head")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """What the lines COPY of the Dockerfile bring."""
    text = (ROOT / "Dockerfile").read_text()
    for names, target in re.findall(r"^COPY (.+) (\S+)$", text, re.MULTILINE):
        for source in (ROOT / name for name in names.split()):
            if source.is_dir():
                shutil.copytree(source, tmp_path / target, ignore=shutil.ignore_patterns("__pycache__"))
            else:
                (tmp_path / target).mkdir(parents=True, exist_ok=True)
                shutil.copy(source, tmp_path / target)
    return tmp_path


@pytest.fixture
def container(folder: Path) -> Iterator[Server]:
    running = Server({"PYTHONDONTWRITEBYTECODE": "1", "HOME": "/tmp"}, folder=folder)
    yield running
    running.stop()


def files_of(folder: Path) -> dict[Path, float]:
    return {path: path.stat().st_mtime for path in folder.rglob("*")}


def test_a_class_is_shown_the_picture_and_no_file_is_written(
    open_app: Callable[..., Page], folder: Path, container: Server
) -> None:
    before = files_of(folder)
    presenter, code = present_own(open_app, VIEW, url=container.url)
    student = join(open_app("follow", url=container.url), code)
    expect(student.get_by_role("heading", level=1)).to_have_text("One head")
    expect(student.locator(".facts")).to_contain_text(VIEW.state["text"])
    expect(presenter.locator(".gf.presenter .class")).to_contain_text(f"Code {code} · 1 follow")
    assert not container.mistakes()
    assert files_of(folder) == before
