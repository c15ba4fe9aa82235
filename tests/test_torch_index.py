"""`make` takes torch's CPU build where there is no Nvidia driver and its index answers, and the ordinary one else.

A web server of this machine stands in for the index.
"""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest

from tools import torch_index

ROOT = Path(__file__).parents[1]


class Index(BaseHTTPRequestHandler):
    """It has a page of torch, and no other."""

    asked: list[str] = []

    def do_GET(self) -> None:
        self.asked.append(self.path)
        self.send_response(200 if self.path == "/whl/cpu/torch/" else 404)
        self.end_headers()

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def index() -> Iterator[str]:
    """The address of an index that answers."""
    Index.asked.clear()
    server = ThreadingHTTPServer(("127.0.0.1", 0), Index)
    thread = Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/whl/cpu"
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
def silent() -> Iterator[str]:
    """The address of an index that takes the call and says nothing."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield f"http://127.0.0.1:{server.getsockname()[1]}"


@pytest.fixture
def bare(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """A Linux machine without an Nvidia driver, on which nobody has configured pip."""
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr(torch_index, "has_nvidia_driver", lambda: False)
    monkeypatch.setattr(torch_index, "pip_has_an_index", lambda: False)
    return monkeypatch


@pytest.mark.slow
def test_an_index_that_answers_is_named(bare, index: str) -> None:
    bare.setenv("GLASSFORMER_TORCH_INDEX", index)
    assert torch_index.options() == ["--extra-index-url", index]
    assert Index.asked == ["/whl/cpu/torch/"]


def test_the_index_is_torchs_own(bare) -> None:
    bare.delenv("GLASSFORMER_TORCH_INDEX", raising=False)
    bare.setattr(torch_index, "has_torch", lambda index: True)
    assert torch_index.options() == ["--extra-index-url", "https://download.pytorch.org/whl/cpu"]


@pytest.mark.slow
def test_an_index_that_is_not_there_or_has_no_torch_is_not_named(bare, index: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        closed = f"http://127.0.0.1:{server.getsockname()[1]}"
    for address in (closed, index.removesuffix("cpu"), "no address"):
        bare.setenv("GLASSFORMER_TORCH_INDEX", address)
        assert torch_index.options() == []


def test_an_index_that_says_nothing_is_waited_for_no_longer_than_allowed(silent: str) -> None:
    assert torch_index.INDEX_SECONDS == 3.0
    assert not torch_index.has_torch(silent, seconds=0.2)


@pytest.mark.slow
@pytest.mark.parametrize("reason", ["has_nvidia_driver", "pip_has_an_index"])
def test_with_a_driver_or_a_choice_of_ones_own_nobody_is_asked(bare, index: str, reason: str) -> None:
    bare.setenv("GLASSFORMER_TORCH_INDEX", index)
    bare.setattr(torch_index, reason, lambda: True)
    assert torch_index.options() == []
    bare.setattr(torch_index, reason, lambda: False)
    bare.setattr(sys, "platform", "darwin")
    assert torch_index.options() == []
    assert Index.asked == []


@pytest.mark.slow  # pip is started three times
def test_pip_is_asked_where_it_was_told_to_look(monkeypatch, tmp_path: Path) -> None:
    answers: list[str] = []
    real = torch_index._run

    def listen(*command: str) -> str:
        answers.append(real(*command))
        return answers[-1]

    monkeypatch.setattr(torch_index, "_run", listen)
    for each in [each for each in os.environ if each.startswith("PIP_")]:
        monkeypatch.delenv(each)
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    assert not torch_index.pip_has_an_index()

    names = {"index-url", "extra-index-url", "no-index", "find-links"}
    variables = [f"PIP_{name.upper().replace('-', '_')}" for name in names]
    for name in variables:
        monkeypatch.setenv(name, "1" if name == "PIP_NO_INDEX" else "http://127.0.0.1/simple")
    assert torch_index.pip_has_an_index()
    for name in variables:
        monkeypatch.delenv(name)
    settings = tmp_path / "pip.conf"
    settings.write_text("[global]\n" + "".join(f"{name} = http://127.0.0.1/simple\n" for name in names))
    monkeypatch.setenv("PIP_CONFIG_FILE", str(settings))
    assert torch_index.pip_has_an_index()

    for answer in answers[1:]:  # any one of the lines is enough
        lines = {line.split("=")[0].rpartition(".")[2]: line for line in answer.splitlines()}
        for name in names:
            monkeypatch.setattr(torch_index, "_run", lambda *command, line=lines[name]: line)
            assert torch_index.pip_has_an_index(), name


def test_a_driver_is_found_by_its_program_its_folder_or_its_library(monkeypatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda name, path=None: f"/bin/{name}" if name == "ldconfig" else None)
    monkeypatch.setattr(torch_index.Path, "exists", lambda self: False)
    monkeypatch.setattr(torch_index, "_run", lambda *command: "libc.so.6 (libc6,x86-64) => /lib/libc.so.6")
    assert not torch_index.has_nvidia_driver()
    monkeypatch.setattr(torch_index, "_run", lambda *command: "libcuda.so.1 (libc6,x86-64) => /lib/libcuda.so.1")
    assert torch_index.has_nvidia_driver()
    monkeypatch.setattr(torch_index, "_run", lambda *command: "")
    monkeypatch.setattr(torch_index.Path, "exists", lambda self: str(self) == "/proc/driver/nvidia")
    assert torch_index.has_nvidia_driver()
    monkeypatch.setattr(torch_index.Path, "exists", lambda self: False)
    monkeypatch.setattr(shutil, "which", lambda name, path=None: f"/bin/{name}")
    assert torch_index.has_nvidia_driver()


@pytest.mark.slow
@pytest.mark.parametrize("stamp", ["app", "dev"])
def test_make_gives_pip_the_index_that_answers_and_none_else(tmp_path: Path, index: str, stamp: str) -> None:
    """The Makefile itself, with a Python that writes down what pip would be asked, and runs the script on a machine
    without a driver and without settings of pip."""
    venv, log = tmp_path / "venv", tmp_path / "asked"
    (venv / "bin").mkdir(parents=True)
    (venv / "pip.ready").touch()
    python = venv / "bin" / "python"
    python.write_text(
        "#!/bin/sh\n"
        f'if [ "$1" = -m ]; then echo "$@" >> {log}; exit; fi\n'
        f"exec {sys.executable} -c '\n"
        'import sys; sys.path.insert(0, "tools"); sys.platform = "linux"\n'
        "import torch_index\n"
        "torch_index.has_nvidia_driver = torch_index.pip_has_an_index = lambda: False\n"
        "print(*torch_index.options())'\n"
    )
    python.chmod(0o755)

    def install(address: str) -> str:
        (venv / f"{stamp}.installed").unlink(missing_ok=True)
        log.unlink(missing_ok=True)
        environment = {**os.environ, "GLASSFORMER_TORCH_INDEX": address, "VIRTUAL_ENV": ""}
        command = ["make", f"VENV={venv}", f"{venv}/{stamp}.installed"]
        subprocess.run(command, cwd=ROOT, env=environment, check=True, capture_output=True)
        return log.read_text().strip()

    wanted = "requirements.txt" if stamp == "app" else "requirements-dev.txt"
    lock = "-m pip install --no-deps --require-hashes -r requirements.lock\n" if stamp == "app" else ""
    assert install(index) == f"{lock}-m pip install --extra-index-url {index} -r {wanted}"
    assert install("http://127.0.0.1:9") == f"{lock}-m pip install -r {wanted}"
