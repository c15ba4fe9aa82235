"""`make serve-class` for tests and benchmarks: processes of the app, Redis and the proxy, on this machine."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from tests.browser.conftest import ROOT, START_LIMIT, free_port


class ServedClass:
    """`make serve-class` with so many processes, on a free port."""

    def __init__(self, processes: int) -> None:
        port = free_port()
        self.url = f"http://127.0.0.1:{port}"
        settings = {"GLASSFORMER_HTTP": f"127.0.0.1:{port}", "GLASSFORMER_PROCESSES": str(processes)}
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tools.serve_class"], cwd=ROOT, env={**os.environ, **settings}
        )
        self.wait()

    def wait(self) -> None:
        """Wait until some process is ready."""
        deadline = time.monotonic() + START_LIMIT
        while not self._is_ready():
            assert time.monotonic() < deadline, "the class is not served"

    def _is_ready(self) -> bool:
        """Each look waits for the program for a moment; it must not end."""
        try:
            with urllib.request.urlopen(f"{self.url}/readyz", timeout=2):
                return True
        except (urllib.error.URLError, OSError):
            with pytest.raises(subprocess.TimeoutExpired):
                self._process.wait(0.05)
            return False

    def find(self, words: str) -> list[int]:
        """The ids of the processes that it started with these words in their command."""
        found = subprocess.check_output(["ps", "-o", "pid=,args=", "--ppid", str(self._process.pid)], text=True)
        return [int(line.split()[0]) for line in found.splitlines() if words in line]

    @contextmanager
    def left_alone(self) -> Iterator[None]:
        """Nothing that dies is started again while the `with` lasts."""
        self._process.send_signal(signal.SIGSTOP)
        try:
            yield
        finally:
            self._process.send_signal(signal.SIGCONT)

    def stop(self) -> None:
        self._process.terminate()
        assert self._process.wait(60) == 0
