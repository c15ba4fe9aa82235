"""Files of the hub, fetched into the cache of `huggingface_hub`: with progress, stopped at any moment, and resumed.

The library finds the files, makes every request (its token, its settings, its offline mode) and keeps the cache. But it
throws a part of a file away when its download ends early, and checks no hash. So a file is fetched here: into a part
beside the cache's blobs that the next try goes on with, checked against the hash that the hub states, and then handed
to the library, which puts it in its place.
"""

from __future__ import annotations

import errno
import hashlib
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from huggingface_hub import constants, hf_hub_download, hf_hub_url, try_to_load_from_cache
from huggingface_hub.errors import HfHubHTTPError, HTTPError
from huggingface_hub.file_download import repo_folder_name
from huggingface_hub.utils import WeakFileLock, build_hf_headers, get_session, hf_raise_for_status

from model.adding.found import Found, HubFile
from model.adding.hub_errors import told
from model.errors import DiskFull, HubError
from model.zoo.files import Progress, no_progress

TRIES = 4  # in a row, each without a byte
SHA256_CHARACTERS = 64
SPARE_BYTES = 100_000_000  # that a download leaves on the disk


def fetch(found: Found, progress: Progress = no_progress) -> Path:
    """All files of a model of the hub, and the folder, or the GGUF file, that they make.

    An exception that `progress` raises ends it; what has come is kept for the next try. Raises `HubError`, `DiskFull`.
    """
    total, done = sum(file.size for file in found.files), 0
    with told(found.name):
        check_disk(found.missing)
        for file in found.files:

            def report(held: int, before: int = done) -> None:
                here = before + held
                progress(f"Downloading {here / 1e6:,.0f} of {total / 1e6:,.0f} MB", min(here / max(total, 1), 1.0))

            path = fetch_file(found.repository, found.commit, file, report)
            done += file.size
    return path if found.gguf else path.parent


def fetch_file(repository: str, commit: str, file: HubFile, report: Callable[[int], None]) -> Path:
    """One file in the cache. `report` gets the bytes that are here."""
    kept = held_file(repository, commit, file.path)
    if kept is None and file.digest:
        _fetch_blob(repository, commit, file, report)
    # The library finds the blob and links it to its name.
    return kept or Path(hf_hub_download(repository, file.path, revision=commit))


def held_file(repository: str, commit: str, path: str) -> Path | None:
    """A file of a commit that the cache has; None if it has not."""
    found = try_to_load_from_cache(repository, path, revision=commit)
    return Path(found) if isinstance(found, str) else None


def check_disk(needed: int) -> None:
    """Raises `DiskFull` if the cache's disk has no room for so many bytes more."""
    folder = Path(constants.HF_HUB_CACHE)
    existing = next(each for each in (folder, *folder.parents) if each.exists())
    free = shutil.disk_usage(existing).free
    if needed and needed + SPARE_BYTES > free:
        raise DiskFull(
            f"{needed / 1e9:.2f} GB are to be downloaded, and the disk of {folder} has {free / 1e9:.2f} GB free. Make "
            "room there, or name another folder in HF_HOME and start the app again."
        )


def _fetch_blob(repository: str, commit: str, file: HubFile, report: Callable[[int], None]) -> None:
    """The file under its hash, as the library's cache holds it. Raises `HubError` for another hash."""
    cache, folder = Path(constants.HF_HUB_CACHE), repo_folder_name(repo_id=repository, repo_type="model")
    blob = cache / folder / "blobs" / file.digest
    part, lock = blob.with_name(f"{file.digest}.part"), cache / ".locks" / folder / f"{file.digest}.part.lock"
    for place in (blob, lock):
        place.parent.mkdir(parents=True, exist_ok=True)
    url = hf_hub_url(repository, file.path, revision=commit)
    with WeakFileLock(lock), _told_of_full_disk(cache):  # another process may fetch the same
        if blob.exists():
            return
        _download(url, part, file, report)
        if digest_of(part, file.digest) != file.digest:
            part.unlink()
            raise HubError(
                f"{file.path} of {repository} came with another hash than the hub states, so it was thrown away. Try "
                "again; if it happens again, something between here and the hub changes files."
            )
        part.replace(blob)


def _download(url: str, part: Path, file: HubFile, report: Callable[[int], None]) -> None:
    """Fill a part of a file up. Raises `HubError` where the connection keeps breaking."""
    tries = TRIES
    while (held := _size(part)) < file.size or not part.exists():
        report(held)
        try:
            _stream(url, part, held, report)
            broken: object = "it ended early"
        except HfHubHTTPError:
            raise
        except HTTPError as error:
            broken = str(error) or type(error).__name__
        tries = TRIES if _size(part) > held else tries - 1
        if _size(part) < file.size and tries == 0:
            raise HubError(
                f"The download of {file.path} broke off at {_size(part) / 1e6:,.0f} of {file.size / 1e6:,.0f} MB "
                f"({str(broken)[:120]}). What has come is kept: add the model again, and it goes on there."
            )
    report(file.size)


def _stream(url: str, part: Path, held: int, report: Callable[[int], None]) -> None:
    """Append what is missing behind the `held` bytes."""
    headers = build_hf_headers() | {"Accept-Encoding": "identity"} | ({"Range": f"bytes={held}-"} if held else {})
    with get_session().stream("GET", url, headers=headers, timeout=constants.HF_HUB_DOWNLOAD_TIMEOUT) as response:
        hf_raise_for_status(response)
        continues = held > 0 and response.status_code == 206
        held = held if continues else 0  # a server that knows no ranges sends the whole file
        with part.open("ab" if continues else "wb") as out:
            for chunk in response.iter_raw():
                out.write(chunk)
                held += len(chunk)
                report(held)


def digest_of(path: Path, like: str) -> str:
    """The SHA-256 of a file; or git's SHA-1, if `like` is one."""
    digest: Any = hashlib.sha256()
    if len(like) != SHA256_CHARACTERS:
        digest = hashlib.sha1(f"blob {path.stat().st_size}\0".encode(), usedforsecurity=False)
    with path.open("rb") as file:
        while chunk := file.read(1 << 22):
            digest.update(chunk)
    return str(digest.hexdigest())


def _size(path: Path) -> int:
    return path.stat().st_size if path.exists() else 0


@contextmanager
def _told_of_full_disk(folder: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        if error.errno not in (errno.ENOSPC, errno.EDQUOT):
            raise
        raise DiskFull(
            f"The disk of {folder} is full. Make room there and add the model again: the download goes on where it was."
        ) from error
