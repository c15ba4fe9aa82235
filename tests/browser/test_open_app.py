"""The app in the process of a program that trains: it shows the weights as they are."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.run_bar import run_sentence

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def program(tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    """It runs in another folder, as a notebook does."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"}
    command = [sys.executable, str(ROOT / "tests" / "browser" / "open_in_process.py")]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    with subprocess.Popen(command, cwd=tmp_path, env=environment, **pipes) as running:
        yield running
        running.kill()


def say(program: subprocess.Popen[str]) -> str:
    assert program.stdout is not None
    return program.stdout.readline().strip()


def test_a_model_in_memory_is_shown_while_it_is_trained(
    open_app: Callable[..., Page], program: subprocess.Popen[str]
) -> None:
    address, _, query = say(program).rpartition("/")
    assert query == "?model=memory%3AMy+training"
    page = open_app(f"heads{query}&text=I+am+a+robot&heads_view=Matrix&layer=0&head=0", url=address)
    expect(page.get_by_role("button", name="Model: My training")).to_be_visible()
    page.get_by_role("button", name="Model: My training").click()
    expect(page.get_by_role("menuitemradio", name="My training")).to_contain_text("in memory")
    page.keyboard.press("Escape")
    told = page.locator(".gf.outcomes")
    before = told.inner_text()
    assert program.stdin is not None
    print("step", file=program.stdin, flush=True)
    assert say(program) == "trained"
    run_sentence(page, "I am a robot.")
    run_sentence(page, "I am a robot")
    expect(told).not_to_have_text(before)
    program.stdin.close()
    assert say(program) == "closed"
