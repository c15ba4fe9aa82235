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

# Two minutes to a third of a minute each.
LONGEST = (
    "browser/test_access.py",
    "browser/test_lecture.py",
    "pages/test_every_view.py",
    "browser/test_training.py",
    "browser/test_heads.py",
    "browser/test_predict.py",
    "browser/test_help.py",
    "browser/test_run_bar.py",
    "browser/test_positions.py",
    "model/test_on_devices.py",
    "browser/test_shell.py",
    "browser/test_try_this.py",
    "browser/test_tokens.py",
    "browser/test_presenting.py",
    "browser/test_sign_in.py",
)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The longest files come first, and then those of the browser."""
    items.sort(key=_turn)


def _turn(item: pytest.Item) -> int:
    """When the file of a test is handed out: a long file that came last would leave the other worker idle."""
    file = item.path.relative_to(TESTS)
    if file.as_posix() in LONGEST:
        return LONGEST.index(file.as_posix())
    return len(LONGEST) if file.parts[0] == "browser" else len(LONGEST) + 1


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
