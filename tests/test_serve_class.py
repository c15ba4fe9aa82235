"""What serves a class: the proxy's files, the program that starts it, the container and what compose.yaml names."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from pages.shared.server import health, http_headers, proxies, redis_address
from tools import serve_class

ROOT = Path(__file__).parents[1]
CLASS = ROOT / "deploy" / "class.cfg"


def check(*files: Path) -> subprocess.CompletedProcess[str]:
    program = shutil.which("haproxy", path=f"{os.environ.get('PATH', '')}:/usr/sbin")
    if program is None:
        pytest.fail("No haproxy on this machine: `make test` installs it, or says how.")
    command = [program, "-c", *(word for file in files for word in ("-f", str(file)))]
    return subprocess.run(command, capture_output=True, text=True)


def test_the_proxy_takes_the_processes_of_one_machine(tmp_path: Path) -> None:
    names = tmp_path / "processes.cfg"
    names.write_text(serve_class.backend([8601, 8602]))
    checked = check(CLASS, names)
    assert checked.returncode == 0, checked.stderr
    assert names.read_text().count("127.0.0.1:860") == 2
    assert check(CLASS).returncode != 0, "without processes it does not start"


def test_the_proxy_takes_the_processes_of_containers() -> None:
    checked = check(CLASS, ROOT / "deploy" / "replicas.cfg")
    assert checked.returncode == 0, checked.stderr


def test_a_program_that_is_missing_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serve_class.shutil, "which", lambda *_, **__: None)
    with pytest.raises(SystemExit, match="apt-get install haproxy redis-server"):
        serve_class.find("redis-server")


def test_a_program_that_died_is_started_again_and_all_are_stopped() -> None:
    programs = serve_class.Programs()
    programs.start(["sleep", "600"])
    first = programs._running[0]
    programs.mend()
    assert programs._running[0] is first, "it lives"
    first.kill()
    first.wait()
    programs.mend()
    second = programs._running[0]
    assert second is not first
    programs.stop()
    assert second.returncode is not None


def test_compose_names_settings_of_the_app_and_files_that_are_here() -> None:
    text = (ROOT / "compose.yaml").read_text()
    named = set(re.findall(r"^ +(GLASSFORMER_\w+):", text, re.MULTILINE))
    assert named == {redis_address.ROOMS, health.DRAIN, proxies.PROXIES}
    for file in re.findall(r"/etc/glassformer/([\w.]+)", text):
        assert (ROOT / "deploy" / file).is_file()
    space = (ROOT / "deploy" / "huggingface" / "README.md").read_text()
    assert http_headers.FRAME_ANCESTORS in space
    assert http_headers.checked_sources("'self' https://huggingface.co")


def test_the_container_is_made_of_files_that_are_here_and_brings_what_the_app_imports() -> None:
    text = (ROOT / "Dockerfile").read_text()
    copied = [name for line in re.findall(r"^COPY (.+)$", text, re.MULTILINE) for name in line.split()[:-1]]
    assert all((ROOT / name).exists() for name in copied)
    rooms = {"corpora", "model", "viz", "views", "pages"}
    assert {"app.py", "serve.py", ".streamlit/config.toml", "assets", *rooms} <= set(copied)
    let_in = {line[1:] for line in (ROOT / ".dockerignore").read_text().splitlines() if line.startswith("!")}
    assert all(any(Path(name).match(pattern) for pattern in let_in) for name in copied)
    assert re.search(r"^USER (?!root|0)", text, re.MULTILINE)
