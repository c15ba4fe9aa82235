"""Serves a class from one machine: Redis, one process of the app for each core, and a proxy before them.

`make serve-class` runs this. `GLASSFORMER_PROCESSES` names another number of processes, `GLASSFORMER_HTTP` another
address than :8501. A process that dies is started again; its readers go on with another one meanwhile. Redis listens on
a socket of the file system alone, and keeps nothing on disk.
"""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
DEPLOY = ROOT / "deploy"
LOOK_SECONDS = 0.5  # between two looks whether a process has died
STOP_SECONDS = 30
BACKEND = """\
backend app
    balance leastconn
    cookie glassformer insert indirect nocache httponly
    option httpchk GET /readyz
    http-error status 503 content-type "text/plain; charset=utf-8" string "The app is starting. Please wait a minute."
"""


class Programs:
    """The programs of a class, which are started again when they die."""

    def __init__(self) -> None:
        self._commands: list[tuple[list[str], dict[str, str]]] = []
        self._running: list[subprocess.Popen[bytes]] = []

    def start(self, command: list[str], **environment: str) -> None:
        self._commands.append((command, environment))
        self._running.append(self._open(command, environment))

    def _open(self, command: list[str], environment: dict[str, str]) -> subprocess.Popen[bytes]:
        # A group of its own: Ctrl+C reaches this program alone, which stops the others in order.
        return subprocess.Popen(command, cwd=ROOT, env={**os.environ, **environment}, start_new_session=True)

    def mend(self) -> None:
        """Start again what has died."""
        for place, process in enumerate(self._running):
            if process.poll() is not None:
                self._running[place] = self._open(*self._commands[place])

    def stop(self) -> None:
        """The last one first, so that the proxy asks no process that is gone."""
        for process in reversed(self._running):
            process.terminate()
        for process in self._running:
            try:
                process.wait(STOP_SECONDS)
            except subprocess.TimeoutExpired:
                process.kill()


def find(program: str) -> str:
    """The path of a program. Raises SystemExit if it is not installed."""
    path = shutil.which(program, path=f"{os.environ.get('PATH', '')}:/usr/sbin")
    if path is None:
        raise SystemExit(f"{program} is not installed. On Debian: apt-get install haproxy redis-server")
    return path


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port


def backend(ports: list[int]) -> str:
    """The configuration that names the processes."""
    lines = [f"    server app{port} 127.0.0.1:{port} check inter 1s fall 2 rise 1 cookie app{port}" for port in ports]
    return BACKEND + "\n".join(lines) + "\n"


def main() -> None:
    redis, haproxy = find("redis-server"), find("haproxy")
    cores = os.cpu_count() or 1
    processes = int(os.environ.get("GLASSFORMER_PROCESSES", cores))
    ended, programs = threading.Event(), Programs()
    for each in (signal.SIGINT, signal.SIGTERM):
        signal.signal(each, lambda *_: ended.set())
    with tempfile.TemporaryDirectory(prefix="glassformer-class-") as folder:
        rooms, names = f"{folder}/redis", Path(folder, "processes.cfg")
        keeps = ["--save", "", "--appendonly", "no", "--loglevel", "warning"]
        programs.start([redis, "--port", "0", "--unixsocket", rooms, "--unixsocketperm", "700", *keeps])
        ports = [free_port() for _ in range(processes)]
        app = [sys.executable, "-m", "streamlit", "run", "serve.py", "--server.headless=true"]
        for port in ports:
            local = os.environ.get("GLASSFORMER_LOCAL_TOKEN", "")  # one for all processes, or none
            settings = {"GLASSFORMER_LOCAL_TOKEN": local, "GLASSFORMER_ROOMS": f"unix://{rooms}"}
            settings |= {"OMP_NUM_THREADS": str(max(1, cores // processes))}
            programs.start([*app, "--server.address=127.0.0.1", f"--server.port={port}"], **settings)
        names.write_text(backend(ports), encoding="utf-8")
        programs.start([haproxy, "-f", str(DEPLOY / "class.cfg"), "-f", str(names)])
        print(
            f"{processes} processes serve {os.environ.get('GLASSFORMER_HTTP', ':8501')}. Ctrl+C stops them.", flush=True
        )
        while not ended.wait(LOOK_SECONDS):
            programs.mend()
        programs.stop()


if __name__ == "__main__":
    main()
