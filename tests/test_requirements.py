"""The lists of requirements: every package once, and pinned; and the lock, with hashes."""

import re
from pathlib import Path

import pytest

from tools.lock import locked_packages

ROOT = Path(__file__).parents[1]


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
