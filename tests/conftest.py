"""A machine on which nobody has lived, and the real models, loaded once for each test process.

Tests, and the servers and browsers that they start, see no font of the machine and no folder or setting of its user:
what the project lacks fails here as it would elsewhere. Missing models fail the test with the command that gets them.
"""

from __future__ import annotations

import atexit
import os
import shutil
import tempfile
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pathlib import Path

import pytest
import torch
from hypothesis import settings

from model import GlassformerError, Model, load

TESTS = Path(__file__).parent
SETTINGS = ("STREAMLIT_", "GLASSFORMER_", "MPL", "MATPLOTLIBRC", "XDG_", "HF_", "TRANSFORMERS_", "JUPYTER_", "IPYTHON")
FONTS = Path(__file__).resolve().parents[1] / "assets" / "fonts" / "fonts.conf"
NOBODY = tempfile.mkdtemp(prefix="glassformer-tests-")
atexit.register(shutil.rmtree, NOBODY, ignore_errors=True)
for name in [name for name in os.environ if name.startswith(SETTINGS)]:
    del os.environ[name]
os.environ |= {"HOME": NOBODY, "USERPROFILE": NOBODY, "LOCALAPPDATA": NOBODY, "FONTCONFIG_FILE": str(FONTS)}
# Matplotlib looks through the folders of the machine, too, and keeps what it finds in the home folder for all who come.
os.environ["MPL_IGNORE_SYSTEM_FONTS"] = "1"
import_module("matplotlib.font_manager")
del os.environ["MPL_IGNORE_SYSTEM_FONTS"]  # it would hide fonts that are added, too

# The same examples in every run, and no example is judged by the time that it takes.
settings.register_profile("repeatable", derandomize=True, deadline=None)
settings.load_profile("repeatable")

# Of the browser: a minute to a third of a minute each.
LONGEST = (
    "test_lecture.py",
    "test_access.py",
    "test_training.py",
    "test_positions.py",
    "test_predict.py",
    "test_heads.py",
    "test_help.py",
    "test_shell.py",
    "test_tokens.py",
    "test_presenting.py",
)


@pytest.hookimpl(tryfirst=True)  # before pytest-xdist reads the groups
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The tests of a file go to one worker. Those of the browser come first, and of them the longest files."""
    for item in items:
        if item.get_closest_marker("xdist_group") is None:
            item.add_marker(pytest.mark.xdist_group(str(item.path.relative_to(TESTS))))
    items.sort(key=_turn)


def _turn(item: pytest.Item) -> int:
    """When the file of a test is handed out: a long file that came last would leave the other worker idle."""
    file = item.path.relative_to(TESTS)
    if file.parts[0] != "browser":
        return len(LONGEST) + 1
    return LONGEST.index(file.name) if file.name in LONGEST else len(LONGEST)


@cache
def loaded(name: str) -> Model:
    try:
        return load(name)
    except GlassformerError as error:
        pytest.fail(str(error), pytrace=False)


@pytest.fixture(scope="session")
def smollm2() -> Model:
    return loaded("smollm2-135m")


@pytest.fixture(scope="session")
def minilm() -> Model:
    return loaded("minilm-l6")


@pytest.fixture
def loads_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """`model.load` gives code that is run as a text, a snippet, the models of this process."""
    monkeypatch.setattr("model.load", loaded)


@pytest.fixture
def inference() -> Iterator[None]:
    """As the app runs its models: without gradients, by the quicker kernels."""
    with torch.inference_mode():
        yield
