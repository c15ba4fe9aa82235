"""A hub on this machine: the routes that the real client of the hub asks, with files of the test behind them.

`Repository` is what a test puts there. Its faults: `breaks_after` ends each answer of a weight file after so many
bytes, `tampers` sends other bytes than it states, `gate` holds the second half of the weights back until it is set.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Event, Thread
from typing import Any
from urllib.parse import unquote, urlsplit

TOKEN = "a token of this test"
HEADER_BYTES = 100_000  # the client asks for so many to see a file's header; no fault touches that


@dataclass
class Repository:
    """Files of one commit, by their names. Weights are kept as the hub keeps large files, by their SHA-256."""

    files: dict[str, bytes]
    commit: str = "c0ffee" + "0" * 34
    licence: object = "apache-2.0"
    revisions: dict[str, Repository] = field(default_factory=dict)  # other commits of it, by the names of branches
    gguf: dict[str, Any] | None = None  # what the hub says of a GGUF file
    gated: bool = False
    breaks_after: int | None = None
    tampers: bool = False
    gate: Event | None = None
    is_held: Event = field(default_factory=Event)  # set where an answer waits for the gate
    asked: list[str] = field(default_factory=list)  # "GET model.safetensors bytes=100-"
    refs_asked: int = 0

    def describe(self) -> dict[str, Any]:
        """The answer of `/api/models/...`."""
        siblings = []
        for name, content in self.files.items():
            entry: dict[str, Any] = {"rfilename": name, "size": len(content), "blobId": git_digest(content)}
            if is_large(name):
                digest = hashlib.sha256(content).hexdigest()
                entry["lfs"] = {"sha256": digest, "size": len(content), "pointerSize": 130}
            siblings.append(entry)
        return {
            "id": "the id",
            "modelId": "the id",
            "sha": self.commit,
            "private": False,
            "gated": "manual" if self.gated else False,
            "downloads": 0,
            "likes": 0,
            "tags": [],
            "cardData": {"license": self.licence} if self.licence else {},
            "siblings": siblings,
            "gguf": self.gguf,
        }


def is_large(name: str) -> bool:
    return name.endswith((".safetensors", ".gguf", ".bin"))


def git_digest(content: bytes) -> str:
    return hashlib.sha1(b"blob %d\0" % len(content) + content).hexdigest()


def repository_of(folder: Path, **faults: Any) -> Repository:
    """What a folder holds, as a repository."""
    return Repository({path.name: path.read_bytes() for path in sorted(folder.iterdir())}, **faults)


class HubServer(ThreadingHTTPServer):
    """The server, with its repositories by name."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.repositories: dict[str, Repository] = {}
        self.url = f"http://127.0.0.1:{self.server_address[1]}"

    def handle_error(self, request: object, client_address: object) -> None:
        """A client may leave whenever it likes."""


@contextmanager
def running_hub() -> Iterator[HubServer]:
    with HubServer() as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield server
        server.shutdown()


class Handler(BaseHTTPRequestHandler):
    """Answers `/api/models/owner/name/revision/REVISION`, `/api/models/owner/name/refs` and
    `/owner/name/resolve/REVISION/FILE`."""

    protocol_version = "HTTP/1.1"
    server: HubServer

    def do_GET(self) -> None:
        """HEAD is answered as GET is, without the body."""
        parts = [unquote(part) for part in urlsplit(self.path).path.strip("/").split("/")]
        if parts[:2] == ["api", "models"] and len(parts) == 6:
            self._describe("/".join(parts[2:4]), parts[5])
        elif parts[:2] == ["api", "models"] and len(parts) == 5 and parts[4] == "refs":
            self._list_refs("/".join(parts[2:4]))
        elif len(parts) == 5 and parts[2] == "resolve":
            self._send_file("/".join(parts[:2]), parts[3], parts[4])
        else:
            self._refuse(404, "EntryNotFound")

    do_HEAD = do_GET

    def _describe(self, name: str, revision: str) -> None:
        repository = self._repository(name, revision)
        if repository is not None:
            self._answer(200, json.dumps(repository.describe()).encode(), {"Content-Type": "application/json"})

    def _repository(self, name: str, revision: str) -> Repository | None:
        repository = self.server.repositories.get(name)
        if repository is None:
            self._refuse(404, "RepoNotFound")
            return None
        commits = {"main": repository, **repository.revisions}
        found = commits.get(revision) or next((e for e in commits.values() if e.commit.startswith(revision)), None)
        if found is None:
            self._refuse(404, "RevisionNotFound")
        return found

    def _list_refs(self, name: str) -> None:
        repository = self._repository(name, "main")
        if repository is None:
            return
        repository.refs_asked += 1
        if repository.gated and self.headers.get("Authorization") != f"Bearer {TOKEN}":
            self._refuse(403, "GatedRepo")
            return
        branches = [
            {"name": branch, "ref": f"refs/heads/{branch}", "targetCommit": each.commit}
            for branch, each in {"main": repository, **repository.revisions}.items()
        ]
        refs = {"branches": branches, "converts": [], "tags": []}
        self._answer(200, json.dumps(refs).encode(), {"Content-Type": "application/json"})

    def _send_file(self, name: str, revision: str, file: str) -> None:
        repository = self._repository(name, revision)
        if repository is None:
            return
        wanted = self.headers.get("Range") or self.headers.get("range") or ""
        repository.asked.append(f"{self.command} {file} {wanted}".strip())
        if repository.gated and self.headers.get("Authorization") != f"Bearer {TOKEN}":
            self._refuse(403, "GatedRepo")
        elif file not in repository.files:
            self._refuse(404, "EntryNotFound")
        else:
            self._send(repository, file, wanted)

    def _send(self, repository: Repository, file: str, wanted: str) -> None:
        content = repository.files[file]
        digest = hashlib.sha256(content).hexdigest() if is_large(file) else git_digest(content)
        headers = {"X-Repo-Commit": repository.commit, "ETag": f'"{digest}"', "Accept-Ranges": "bytes"}
        if is_large(file) and repository.tampers:
            content = bytes(len(content))
        start, end = read_range(wanted, len(content))
        status = 206 if wanted else 200
        if wanted:
            headers["Content-Range"] = f"bytes {start}-{end - 1}/{len(content)}"
        is_download = self.command == "GET" and is_large(file) and not wanted.endswith(f"-{HEADER_BYTES}")
        if is_download:
            self._answer(status, content[start:end], headers, repository)
        else:
            self._answer(status, content[start:end], headers)

    def _answer(self, status: int, body: bytes, headers: dict[str, str], faults: Repository | None = None) -> None:
        self.send_response(status)
        for name, value in {**headers, "Content-Length": str(len(body))}.items():
            self.send_header(name, value)
        self.end_headers()
        if self.command == "HEAD":
            return
        with suppress(ConnectionError):  # a client that has read enough
            if faults is None:
                self.wfile.write(body)
            else:
                self._write_faultily(body, faults)

    def _write_faultily(self, body: bytes, faults: Repository) -> None:
        if faults.gate is not None:
            half = len(body) // 2
            self.wfile.write(body[:half])
            faults.is_held.set()
            faults.gate.wait()
            body = body[half:]
        sent = body if faults.breaks_after is None else body[: faults.breaks_after]
        self.wfile.write(sent)
        self.close_connection = len(sent) < len(body)

    def _refuse(self, status: int, code: str) -> None:
        self._answer(status, b"", {"X-Error-Code": code, "X-Error-Message": code})

    def log_message(self, format: str, *args: object) -> None:
        """Nothing is printed."""


def read_range(header: str, size: int) -> tuple[int, int]:
    """The first byte, and the one after the last, that `bytes=10-20` or `bytes=10-` asks for."""
    if not header:
        return 0, size
    first, _, last = header.removeprefix("bytes=").partition("-")
    return int(first), min(int(last) + 1, size) if last else size
