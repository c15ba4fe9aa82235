"""Which front end shows the outputs of this process."""

from __future__ import annotations

import sys
from types import SimpleNamespace

import pytest

from views.notebook.front_end import find_front_end


def shell(monkeypatch: pytest.MonkeyPatch, **has: object) -> None:
    found = SimpleNamespace(user_ns={}, **has) if has else None
    monkeypatch.setitem(sys.modules, "IPython", SimpleNamespace(get_ipython=lambda: found))


def test_a_program_and_a_terminal_have_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "IPython", raising=False)
    assert find_front_end() is None
    shell(monkeypatch)
    assert find_front_end() is None
    shell(monkeypatch, colors="Linux")
    assert find_front_end() is None


def test_a_kernel_belongs_to_jupyter_unless_its_front_end_shows_outputs_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    shell(monkeypatch, kernel=object())
    assert find_front_end() == "jupyter"
    monkeypatch.setitem(sys.modules, "google.colab", SimpleNamespace())
    assert find_front_end() == "apart"
    monkeypatch.delitem(sys.modules, "google.colab")
    sys.modules["IPython"].get_ipython().user_ns["__vsc_ipynb_file__"] = "a.ipynb"
    assert find_front_end() == "apart"


def test_marimo_says_itself_that_it_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "marimo", SimpleNamespace(running_in_notebook=lambda: True))
    assert find_front_end() == "marimo"
