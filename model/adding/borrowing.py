"""Files of one revision of a model of the hub, fetched to be read once, and then removed.

A mark on the disk names a revision that is here for a while. So the files that a killed program has left are removed
before the next revision of the model comes, and only what was fetched here is ever removed.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

from huggingface_hub.utils import WeakFileLock

from model.adding.cache import blob_path, delete_snapshot, held_file, lock_path
from model.adding.download import fetch
from model.adding.found import Found
from model.adding.revisions import folder_of_checkpoints
from model.errors import DamagedWeights, HubError
from model.zoo.cards import added_cards
from model.zoo.files import Progress, read_object

BORROWED, KEPT = "borrowed", "kept"  # ends of marks
WAIT_SECONDS = 0.5  # between two looks whether another reader of the same model is done


@contextmanager
def borrow(found: Found, keep: bool, progress: Progress) -> Iterator[Path]:
    """The folder of a model's files; after the block they are gone, unless `keep`, or unless they were here before.

    Call it inside `alone_with`. One revision of a repository is here at a time: another one that was borrowed is
    removed first. An exception that `progress` raises ends the download; what has come is kept for the next time.
    Raises as `fetch` does.
    """
    was_here = not _mark_path(found, BORROWED).exists() and not _missing(found)
    _remove_marked(found.repository, BORROWED, but=found.commit)
    if not was_here:
        _mark(found, BORROWED)
    path = fetch(found, progress)
    if keep and not was_here:
        _mark_path(found, BORROWED).replace(_mark_path(found, KEPT))
    try:
        yield path
    finally:
        if not keep:
            _remove_marked(found.repository, BORROWED)


def kept_revisions(repository: str) -> list[str]:
    """The commits of a repository whose files were borrowed and kept."""
    return [path.stem for path, mark in _marks(KEPT) if mark.get("repository") == repository]


def remove_kept(repository: str) -> None:
    """Remove the kept files of all revisions of a repository."""
    _remove_marked(repository, KEPT)


def _remove_marked(repository: str, kind: str, but: str = "") -> None:
    """Remove the files that a mark names, parts of a download among them; `but` is a commit that stays."""
    for path, mark in _marks(kind):
        if mark.get("repository") == repository and path.stem != but:
            delete_commit(repository, path.stem)
            _delete_parts(repository, mark.get("digests"))
            path.unlink(missing_ok=True)


def _marks(kind: str) -> Iterator[tuple[Path, dict[str, Any]]]:
    for path in sorted(folder_of_checkpoints().glob(f"*.{kind}")):
        with suppress(DamagedWeights):  # another program removes it
            yield path, read_object(path)


def delete_commit(repository: str, commit: str) -> None:
    """Delete a commit from the cache, unless an added model is of it. Files that other commits have too stay.

    Nothing happens for a name or a commit that is none: an entry may have been written by hand.
    """
    if any((card.hub, card.commit) == (repository, commit) for card in added_cards()):
        return
    with suppress(HubError):
        delete_snapshot(repository, commit)


@contextmanager
def alone_with(repository: str, progress: Progress) -> Iterator[None]:
    """A lock for borrowers of one repository, in all processes. An exception that `progress` raises ends the wait."""
    path = lock_path(repository, "borrowing")
    with ExitStack() as held:
        while True:
            try:
                held.enter_context(WeakFileLock(path, timeout=WAIT_SECONDS))
                break
            except TimeoutError:
                progress("Waiting for another reader of this model", 0.0)
        yield


def _missing(found: Found) -> bool:
    return any(held_file(found.repository, found.commit, file.path) is None for file in found.files)


def _mark_path(found: Found, kind: str) -> Path:
    return folder_of_checkpoints() / f"{found.commit}.{kind}"


def _mark(found: Found, kind: str) -> None:
    """Raises `OSError` where it cannot be written: then nothing is fetched that would stay."""
    path = _mark_path(found, kind)
    path.parent.mkdir(parents=True, exist_ok=True)
    digests = [file.digest for file in found.files]
    path.write_text(json.dumps({"repository": found.repository, "digests": digests}), encoding="utf-8")


def _delete_parts(repository: str, digests: object) -> None:
    for digest in digests if isinstance(digests, list) else []:
        with suppress(HubError):  # no hash, or a folder that leads out of the cache
            blob = blob_path(repository, str(digest))
            blob.with_name(f"{blob.name}.part").unlink(missing_ok=True)
