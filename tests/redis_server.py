"""A real Redis for tests: a server of its own on a free port, which keeps nothing on disk."""

from __future__ import annotations

import shutil
import signal
import socket
import subprocess

import pytest
from redis import Redis
from redis.backoff import ConstantBackoff
from redis.exceptions import ConnectionError as Unreachable
from redis.retry import Retry

START_TRIES = 200  # of a twentieth of a second


class RedisServer:
    """`redis-server`, which a test may kill, freeze and start again at its address."""

    def __init__(self) -> None:
        program = shutil.which("redis-server")
        if program is None:
            pytest.fail("No redis-server on this machine: `make test` installs it, or says how.")
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port: int = probe.getsockname()[1]
        self._command = [program, "--port", str(self.port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"]
        self.url = f"redis://127.0.0.1:{self.port}"
        self._process: subprocess.Popen[bytes] | None = None
        self.start()

    def start(self) -> None:
        self._process = subprocess.Popen(self._command, stdout=subprocess.DEVNULL)
        with self.client() as client:
            client.ping()

    def client(self) -> Redis:
        """A client that waits until the server answers."""
        retry = Retry(ConstantBackoff(0.05), START_TRIES, (Unreachable,))
        return Redis(port=self.port, retry=retry, decode_responses=True)

    def kill(self) -> None:
        """As `kill -9`: it forgets everything."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
        self._process = None

    def freeze(self) -> None:
        """It says nothing more, and its connections stay."""
        assert self._process is not None
        self._process.send_signal(signal.SIGSTOP)

    def thaw(self) -> None:
        assert self._process is not None
        self._process.send_signal(signal.SIGCONT)
