"""A machine on which nobody has lived, and the real models, loaded once for each test process.

Tests, and the servers and browsers that they start, see no font of the machine and no folder or setting of its user:
what the project lacks fails here as it would elsewhere. Missing models fail the test with the command that gets them.
"""

from __future__ import annotations

import atexit
import gc
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pathlib import Path
from socket import IPPROTO_TCP, TCP_NODELAY

import pytest
import torch
from hypothesis import settings
from xdist.remote import Producer
from xdist.scheduler import LoadFileScheduling

from model import GlassformerError, Model, load
from model.process_memory import give_back_memory, held_bytes, keep_freed_memory
from pages.shared.server.garbage_collection import collect_among_all

TESTS = Path(__file__).parent
SETTINGS = ("STREAMLIT_", "GLASSFORMER_", "MPL", "MATPLOTLIBRC", "XDG_", "HF_", "TRANSFORMERS_", "JUPYTER_", "IPYTHON")
FONTS = Path(__file__).resolve().parents[1] / "assets" / "fonts" / "fonts.conf"
MUCH = 50_000_000  # bytes
held = 0  # by this process, when it last gave memory back
NOBODY = tempfile.mkdtemp(prefix="glassformer-tests-")
atexit.register(shutil.rmtree, NOBODY, ignore_errors=True)
for name in [name for name in os.environ if name.startswith(SETTINGS)]:
    del os.environ[name]
os.environ |= {"HOME": NOBODY, "USERPROFILE": NOBODY, "LOCALAPPDATA": NOBODY, "FONTCONFIG_FILE": str(FONTS)}
# The same numbers on every machine. Tests of the GPU ask for it (tests/model/devices.py).
os.environ["GLASSFORMER_DEVICE"] = "cpu"
# Matplotlib looks through the folders of the machine, too, and keeps what it finds in the home folder for all who come.
os.environ["MPL_IGNORE_SYSTEM_FONTS"] = "1"
import_module("matplotlib.font_manager")
del os.environ["MPL_IGNORE_SYSTEM_FONTS"]  # it would hide fonts that are added, too

keep_freed_memory()  # as the app does

# The same examples in every run, and no example is judged by the time that it takes.
settings.register_profile("repeatable", derandomize=True, deadline=None)
settings.load_profile("repeatable")

# They look at the same views: one worker has them all, view by view, and makes each run and measurement once.
OF_EVERY_VIEW = (
    "views/test_every_view.py",
    "views/notebook/test_notebook_of_every_view.py",
    "pages/test_every_view.py",
)

# By the seconds that they take, from two minutes to ten seconds.
LONGEST = (
    "pages/test_families.py",
    "browser/test_prompts.py",
    "browser/test_access.py",
    "browser/test_stage.py",
    "pages/test_every_prompt.py",
    "browser/test_lecture_editor.py",
    "browser/test_follow.py",
    "browser/test_training.py",
    "model/engine/test_ray_engine.py",
    "browser/test_lecture.py",
    "browser/test_help.py",
    "pages/teach/handouts/test_files_of_lectures.py",
    "model/train/test_training_on_devices.py",
    "browser/test_add_model.py",
    "hostile/test_url_values.py",
    "browser/test_room.py",
    "browser/test_room_restart.py",
    "pages/shared/model_runs/test_device.py",
    "package/test_wheel.py",
    "browser/test_shell.py",
    "browser/test_map.py",
    "browser/test_shared_rooms.py",
    "browser/test_published.py",
    "browser/test_share.py",
    "browser/test_presenting.py",
    "browser/test_open_app.py",
    "browser/test_sign_in.py",
    "browser/test_heads.py",
    "pages/test_long_texts.py",
    "browser/test_predict.py",
    "browser/test_run_bar.py",
    "browser/test_labels.py",
    "model/train/test_live.py",
    "hostile/test_model_files.py",
    "browser/test_fonts.py",
    "browser/test_masks.py",
    "model/train/test_recurrent.py",
    "views/inputs/test_ladder.py",
    "model/experiments/test_training_replay.py",
    "browser/test_screens.py",
    "model/generation/test_steps.py",
    "model/train/test_en_ur_everyday.py",
    "pages/teach/room_stores/test_redis_rooms.py",
    "model/graph/test_explain.py",
    "browser/test_room_taken_back.py",
    "hostile/test_cut_connections.py",
    "browser/test_container_files.py",
    "hostile/test_pictures.py",
    "hostile/test_text_corpus.py",
    "hostile/test_damaged_cards.py",
    "browser/test_full.py",
    "pages/models/test_see.py",
    "hostile/test_room_sockets.py",
    "browser/test_see.py",
    "browser/test_tokens.py",
    "pages/shared/session/test_one_choice.py",
    "pages/teach/test_lectures_shipped.py",
    "browser/test_keyboard.py",
)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--thorough", action="store_true", help="every combination where a test takes every pair of values"
    )


class FilesOfWorkers(LoadFileScheduling):
    """Gives the tests of a file to one worker, and the files of every view to the same one."""

    def _split_scope(self, nodeid: str) -> str:
        return unit_of(super()._split_scope(nodeid))


def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> FilesOfWorkers:
    return FilesOfWorkers(config, log)


def unit_of(file: str) -> str:
    """The name of what one worker runs at a stretch: a file, or all files of every view."""
    return "every view" if file.endswith(OF_EVERY_VIEW) else file


@pytest.hookimpl(trylast=True)
def pytest_configure(config: pytest.Config) -> None:
    """Workers tell at once which test begins. pytest-rerunfailures asks for it in two small packets a test.

    Without this the system holds the second one back until the first is acknowledged, 40 ms later (Nagle's algorithm).
    """
    if hasattr(config.failures_db, "sock"):  # of a worker
        config.failures_db.sock.setsockopt(IPPROTO_TCP, TCP_NODELAY, 1)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The longest files come first, and then those of the browser.

    A test that fails is tried once more, one of the browser twice: browsers, servers and threads of a busy machine come
    late now and then. A test of arithmetic fails each time. The summary names it as RERUN: whoever reads a name there
    has found a fault.
    """
    items.sort(key=_turn)
    for item in items:
        item.add_marker(pytest.mark.flaky(reruns=2 if item.path.parent.name == "browser" else 1))


def pytest_collection_finish() -> None:
    """What was imported lives until the end. The garbage collector need not look at it again and again."""
    collect_among_all()


@pytest.hookimpl(trylast=True)
def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> None:
    """At the end of a file its worker lets go of what the tests kept: three workers share the memory of the machine."""
    if nextitem is None or unit_of(str(nextitem.path)) != unit_of(str(item.path)):
        let_go()


def let_go() -> None:
    """Empty the caches of the tests, and give the memory back to the system. The real models stay: `loaded`.

    To look for garbage takes up to a tenth of a second, so it waits until there is much.
    """
    global held
    modules = [module for name, module in sys.modules.items() if name.startswith("tests.")]
    for value in [value for module in modules for value in vars(module).values()]:
        if hasattr(value, "cache_clear") and value.__module__.startswith("tests.") and value is not loaded:
            value.cache_clear()
    if held_bytes() < held + MUCH:
        return
    gc.collect()
    give_back_memory()
    held = held_bytes()


def _turn(item: pytest.Item) -> tuple[int, str]:
    """When a test comes: a long file that came last would leave the other workers idle. The tests of a view come one
    after the other."""
    file = item.path.relative_to(TESTS).as_posix()
    if file in OF_EVERY_VIEW:
        return -1, item.name.partition("[")[2]
    if file in LONGEST:
        return LONGEST.index(file), ""
    return len(LONGEST) + (not file.startswith("browser/")), ""


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


@pytest.fixture(scope="session", autouse=True)
def own_readings(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """What tests read of many texts is kept apart from the readings of whoever runs them."""
    folder = tmp_path_factory.mktemp("readings")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("model.surveys.kept_readings.cache_folder", lambda: folder)
        yield


@pytest.fixture
def loads_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """`model.load` gives code that is run as a text, a snippet, the models of this process."""
    monkeypatch.setattr("model.load", loaded)


@pytest.fixture
def inference() -> Iterator[None]:
    """As the app runs its models: without gradients, by the quicker kernels."""
    with torch.inference_mode():
        yield
