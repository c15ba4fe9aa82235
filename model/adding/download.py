"""Files of the hub, fetched into the cache of `huggingface_hub`: with progress, stopped at any moment, and resumed.

A file is fetched into a part beside the cache's blobs, with which the next try goes on. The download ends at the size
that the hub stated. Then the part is checked against the hash that the hub stated, and put in its place.
"""

from __future__ import annotations

import errno
import hashlib
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from huggingface_hub.errors import HTTPError
from huggingface_hub.utils import WeakFileLock

from model.adding.asking import PACE_BYTES, PACE_SECONDS, BrokenOff, Watch, WrongAnswer, opened
from model.adding.cache import blob_to_write, cache_root, held_file, lock_path, put
from model.adding.found import Found, HubFile
from model.adding.hub_errors import told
from model.adding.listing import file_url
from model.adding.small_files import SMALL_FILES
from model.errors import DiskFull, HubError
from model.numerals import file_size
from model.zoo.files import Progress, no_progress
from model.zoo.hub_names import SHA256

TRIES = 4  # in a row, each with less than PACE_BYTES
SPARE_BYTES = 100_000_000  # that a download leaves on the disk


def fetch(found: Found, progress: Progress = no_progress) -> Path:
    """All files of a model of the hub, and the folder, or the first GGUF file, that they make.

    An exception that `progress` raises ends it; what has come is kept for the next try. Raises `HubError`, `DiskFull`.
    """
    total, done = sum(file.size for file in found.files), 0
    with told(found.name):
        check_disk(found.missing)
        for file in found.files:

            def report(held: int, before: int = done) -> None:
                here = before + held
                progress(f"Downloading {file_size(here)} of {file_size(total)}", min(here / max(total, 1), 1.0))

            path = fetch_file(found.repository, found.commit, file, report)
            done += file.size
    return path.with_name(found.gguf) if found.gguf else path.parent


def fetch_file(repository: str, commit: str, file: HubFile, report: Callable[[int], None]) -> Path:
    """One file in the cache. `report` gets the bytes that are here. Raises `HubError`, `DiskFull`."""
    if (kept := held_file(repository, commit, file.path)) is not None:
        return kept
    blob = blob_to_write(repository, file.digest)
    with WeakFileLock(lock_path(repository, f"{file.digest}.part")), _told_of_full_disk():  # another may fetch the same
        if blob.is_symlink() or not blob.is_file() or blob.stat().st_size != file.size:
            _fetch_blob(file_url(repository, commit, file.path), blob, file, report)
        return put(repository, commit, file)


def check_disk(needed: int) -> None:
    """Raises `DiskFull` if the cache's disk has no room for so many bytes more."""
    folder = cache_root()
    existing = next(each for each in (folder, *folder.absolute().parents) if each.exists())
    free = shutil.disk_usage(existing).free
    if needed and needed + SPARE_BYTES > free:
        raise DiskFull(
            f"{file_size(needed)} are to be downloaded, and the disk of {folder} has {file_size(free)} free. Make "
            "room there, or name another folder in HF_HOME and start the app again."
        )


def _fetch_blob(url: str, blob: Path, file: HubFile, report: Callable[[int], None]) -> None:
    """The bytes under their hash, as the cache holds them. Raises `HubError` for another hash."""
    part = blob.with_name(f"{blob.name}.part")
    if part.is_symlink() or (part.exists() and not part.is_file()) or _size(part) > file.size:
        part.unlink()
    if (content := SMALL_FILES.get(file.digest)) is not None:
        part.write_bytes(content)
    _download(url, part, file, report)
    if digest_of(part, file.digest) != file.digest:
        part.unlink()
        raise HubError(
            f"{file.path} came with another hash than the hub states, so it was thrown away. Try again; if it happens "
            "again, something between here and the hub changes files."
        )
    part.replace(blob)


def _download(url: str, part: Path, file: HubFile, report: Callable[[int], None]) -> None:
    """Fill a part of a file up. Raises `HubError` where the connection keeps breaking."""
    tries = TRIES
    while (held := _size(part)) < file.size or not part.exists():
        report(held)
        try:
            _stream(url, part, file.size, report)
            broken: object = "it ended early"
        except (HTTPError, BrokenOff) as error:
            broken = str(error) or type(error).__name__
        tries = TRIES if _size(part) >= held + PACE_BYTES else tries - 1
        if _size(part) < file.size and tries == 0:
            raise HubError(
                f"The download of {file.path} broke off at {file_size(_size(part))} of {file_size(file.size)} "
                f"({str(broken)[:120]}). What has come is kept: add the model again, and it goes on there."
            )
    report(file.size)


def _stream(url: str, part: Path, size: int, report: Callable[[int], None]) -> None:
    """Append what is missing of a file of so many bytes. Raises `WrongAnswer` where more comes, or other bytes."""
    held = _size(part)
    headers = {"Range": f"bytes={held}-"} if held else {}
    with Watch(PACE_SECONDS) as watch, opened(url, watch, headers) as answer:
        if answer.starts not in (0, held):
            raise WrongAnswer("it sends other bytes of a file than it was asked for")
        held = paced = answer.starts  # a server that knows no ranges sends the whole file
        with part.open("ab" if held else "wb") as out:
            for chunk in answer.chunks:
                held += len(chunk)
                if held > size:
                    raise WrongAnswer(f"it sends more than the {size:,} bytes that it states")
                out.write(chunk)
                if held - paced >= PACE_BYTES:
                    paced = held
                    watch.renew(PACE_SECONDS)
                report(held)


def digest_of(path: Path, like: str) -> str:
    """The SHA-256 of a file; or git's SHA-1, if `like` is one."""
    digest: Any = hashlib.sha256()
    if not SHA256.fullmatch(like):
        digest = hashlib.sha1(f"blob {path.stat().st_size}\0".encode(), usedforsecurity=False)
    with path.open("rb") as file:
        while chunk := file.read(1 << 22):
            digest.update(chunk)
    return str(digest.hexdigest())


def _size(path: Path) -> int:
    return path.stat().st_size if path.exists() else 0


@contextmanager
def _told_of_full_disk() -> Iterator[None]:
    try:
        yield
    except OSError as error:
        if error.errno not in (errno.ENOSPC, errno.EDQUOT):
            raise
        raise DiskFull(
            f"The disk of {cache_root()} is full. Make room there and add the model again: the download goes on where "
            "it was."
        ) from None
