"""`make audit`: what it says of each answer of the services. A module of the test stands for pip-audit."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tools import audit
from tools.licences import pinned

ROOT = Path(__file__).parents[1]
PIP_AUDIT = """
import json, sys

options = dict(zip(sys.argv, sys.argv[1:]))
answer = {answers!r}[options["--vulnerability-service"]]
if answer is None:
    sys.exit("ConnectionError: no route")
names = [line.split("==") for line in open(options["-r"]).read().split()]
packages = [{{"name": n, "version": version, "vulns": []}} | answer.get(n, answer["*"]) for n, version in names]
json.dump({{"dependencies": packages, "fixes": []}}, open(options["-o"], "w"))
"""
NOTHING: dict[str, dict[str, Any]] = {"*": {}}
UNKNOWN = {"skip_reason": "Dependency not found on PyPI"}
WEAK = {"vulns": [{"id": "PYSEC-1", "fix_versions": ["3.2"]}]}
COUNT = len({name for file in audit.LISTS for name in pinned(file)})


def run(folder: Path, **answers: object) -> tuple[int, str]:
    """The exit code and the words of the program. An answer of None: the service cannot be reached."""
    (folder / "pip_audit.py").write_text(PIP_AUDIT.format(answers=answers), encoding="utf-8")
    environment = {**os.environ, "PYTHONPATH": str(folder)}
    command = [sys.executable, "-m", "tools.audit"]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert done.stderr == ""
    return done.returncode, done.stdout


@pytest.mark.parametrize("pypi", [None, {"*": UNKNOWN}], ids=["no answer", "an index without this data"])
def test_without_data_it_says_that_nothing_is_known_and_what_to_do(tmp_path: Path, pypi: object) -> None:
    code, said = run(tmp_path, pypi=pypi, osv=None)
    assert code == audit.UNKNOWN
    assert said.startswith("No data about known vulnerabilities could be reached. So nothing is known")
    assert f"https://pypi.org: {'ConnectionError: no route' if pypi is None else UNKNOWN['skip_reason']}" in said
    assert "https://api.osv.dev: ConnectionError: no route" in said
    assert said.endswith(audit.WHAT_TO_DO)


@pytest.mark.parametrize("pypi", [None, {"*": UNKNOWN}], ids=["no answer", "an index without this data"])
def test_the_second_service_is_asked_where_the_first_has_no_data(tmp_path: Path, pypi: object) -> None:
    assert run(tmp_path, pypi=pypi, osv=NOTHING) == (
        audit.CLEAN,
        f"https://api.osv.dev knows of no vulnerability of the {COUNT} packages.\n",
    )


def test_each_vulnerability_is_named_with_the_version_that_mends_it(tmp_path: Path) -> None:
    code, said = run(tmp_path, pypi={**NOTHING, "numpy": WEAK}, osv=None)
    assert code == audit.VULNERABLE
    assert f"numpy {pinned('requirements.txt')['numpy']}: PYSEC-1, mended in 3.2" in said
    assert "make lock UPGRADE=--upgrade" in said


def test_one_package_that_nobody_knows_is_no_success(tmp_path: Path) -> None:
    code, said = run(tmp_path, pypi={**NOTHING, "numpy": UNKNOWN}, osv=None)
    assert code == audit.UNKNOWN
    assert said == "https://pypi.org does not know numpy. So nothing is known of them, good or bad.\n"
