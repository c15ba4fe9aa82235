"""The cache of `huggingface_hub`: where a file of a commit is kept, how it comes there, and how a commit goes.

models--OWNER--NAME/blobs/DIGEST has the bytes, models--OWNER--NAME/snapshots/COMMIT/FILE is a link to them. Every path
is made here, of checked parts, and nothing is written or deleted where a link leads out of the cache.
"""

from __future__ import annotations

import os
import shutil
from contextlib import suppress
from pathlib import Path

from huggingface_hub import constants
from huggingface_hub.file_download import repo_folder_name

from model.adding.found import MAIN, HubFile
from model.errors import HubError
from model.zoo.hub_names import COMMIT, DIGEST, FILE_NAME, REPOSITORY

BLOBS, SNAPSHOTS, REFS = "blobs", "snapshots", "refs"
MAX_REF_BYTES = 100


def cache_root() -> Path:
    """The folder of the cache. It need not exist."""
    return Path(constants.HF_HUB_CACHE)


def repository_folder(repository: str) -> Path:
    """The folder of a repository. It need not exist. Raises `HubError` for a name that is none."""
    if not REPOSITORY.fullmatch(repository) or ".." in repository:
        raise HubError(f"{repository[:100]!r} is no name of a model on the hub. Write it as owner/name.")
    return cache_root() / repo_folder_name(repo_id=repository, repo_type="model")


def snapshot_folder(repository: str, commit: str) -> Path:
    """The folder of a commit's files. It need not exist. Raises `HubError` for a commit that is none."""
    if not COMMIT.fullmatch(commit):
        raise HubError(f"{commit[:60]!r} is no commit of {repository}. Look at the model again.")
    return repository_folder(repository) / SNAPSHOTS / commit


def blob_path(repository: str, digest: str) -> Path:
    """The place of a file's bytes. Raises `HubError` for a hash that is none."""
    if not DIGEST.fullmatch(digest):
        raise HubError(f"The hub states no hash of a file of {repository}, so it cannot be checked. Look again.")
    return repository_folder(repository) / BLOBS / digest


def lock_path(repository: str, name: str) -> Path:
    """The place of a lock for one repository. `name` is of the app. Its folder is made."""
    path = cache_root() / ".locks" / repository_folder(repository).name / f"{name}.lock"
    _inside(cache_root(), path).parent.mkdir(parents=True, exist_ok=True)
    return path


def held_file(repository: str, commit: str, path: str) -> Path | None:
    """A file of a commit that the cache has; None if it has not."""
    found = snapshot_folder(repository, commit) / path
    is_here = FILE_NAME.fullmatch(path) is not None and found.is_file()
    return found if is_here and _is_inside(repository_folder(repository), found) else None


def blob_to_write(repository: str, digest: str) -> Path:
    """The place of a file's bytes, whose folder is made. Raises `HubError` where a link leads out of the cache."""
    blob = blob_path(repository, digest)
    _inside(repository_folder(repository), blob.parent)
    blob.parent.mkdir(parents=True, exist_ok=True)
    return blob


def put(repository: str, commit: str, file: HubFile) -> Path:
    """Give a file, whose bytes are here, its name in a commit. Raises `HubError` as `blob_to_write` does."""
    if not FILE_NAME.fullmatch(file.path):
        raise HubError(f"{file.path[:60]!r} is no name of a file. Look at the model again.")
    place, blob = snapshot_folder(repository, commit) / file.path, blob_path(repository, file.digest)
    _inside(repository_folder(repository), place.parent)
    place.parent.mkdir(parents=True, exist_ok=True)
    place.unlink(missing_ok=True)  # a link that leads nowhere, or out of the cache
    try:
        place.symlink_to(Path("..", "..", BLOBS, blob.name))
    except OSError:  # a system without links
        blob.replace(place)
    return place


def find_commit(repository: str, revision: str) -> str:
    """The commit in the cache of a branch, a tag, a commit or the beginning of one; "" where it has none, or several.

    Without a revision: that of the main branch, or else the only commit that is here.
    """
    folder = repository_folder(repository)
    ref = folder / REFS / (revision or MAIN)
    revision = "" if revision == MAIN else revision
    with suppress(OSError, ValueError):
        if ref.is_file() and ref.stat().st_size <= MAX_REF_BYTES:
            revision = ref.read_text(encoding="ascii").strip()
    names = [each.name for each in (folder / SNAPSHOTS).glob("*") if COMMIT.fullmatch(each.name)]
    found = [name for name in names if name.startswith(revision)]
    return found[0] if len(found) == 1 else ""


def delete_snapshot(repository: str, commit: str) -> None:
    """Delete a commit. Bytes that other commits have too stay, and so does all that a link leads to elsewhere."""
    folder, snapshot = repository_folder(repository), snapshot_folder(repository, commit)
    if snapshot.is_symlink() or not snapshot.is_dir() or not _is_inside(folder, snapshot):
        return
    gone = _blobs_of(snapshot)
    shutil.rmtree(snapshot, ignore_errors=True)  # it follows no link
    others = [each for each in snapshot.parent.iterdir() if each.is_dir()]
    for name in gone.difference(*map(_blobs_of, others)):
        (folder / BLOBS / name).unlink(missing_ok=True)
    for ref in (folder / REFS).rglob("*"):
        with suppress(OSError, ValueError):
            if ref.is_file() and ref.stat().st_size <= MAX_REF_BYTES and ref.read_text().strip() == commit:
                ref.unlink()
    for empty in (folder / REFS, folder / BLOBS, folder / SNAPSHOTS, folder):
        with suppress(OSError):  # it holds more
            empty.rmdir()


def _blobs_of(snapshot: Path) -> set[str]:
    """The names of the blobs to which the links of a commit lead."""
    links = (os.readlink(each) for each in snapshot.rglob("*") if each.is_symlink())
    names = {os.path.basename(link) for link in links if Path(link).parent.name == BLOBS}
    return {name for name in names if DIGEST.fullmatch(name)}


def _inside(folder: Path, path: Path) -> Path:
    """The path. Raises `HubError` where a link of it leads out of the folder."""
    if not _is_inside(folder, path):
        raise HubError(
            f"{path} leads out of the cache by a link, so nothing is written there. Remove that link, or name another "
            "folder in HF_HOME and start the app again."
        )
    return path


def _is_inside(folder: Path, path: Path) -> bool:
    """Whether a path leads to a place in a folder of the cache, or elsewhere in the cache, whose blobs may be shared.

    The folder itself may be a link: somebody keeps it on another disk.
    """
    try:
        found, roots = path.resolve(), (folder.resolve(), cache_root().resolve())
    except (OSError, RuntimeError):  # links in a circle
        return False
    return any(found.is_relative_to(root) for root in roots)
