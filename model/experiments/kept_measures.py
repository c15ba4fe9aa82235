"""Measures of published checkpoints, kept on the disk, so that no checkpoint is fetched twice.

A file is found by a hash of the model's name, the commit and the sentence. It holds no text, only what was measured.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path

from model.adding.revisions import folder_of_checkpoints
from model.experiments.checkpoints import Measures, pack, unpack

MAX_KEPT_BYTES = 200_000_000  # of all files; the oldest go first
VERSION = 1  # Other numbers are measured since then: what was kept before counts no longer.


def read_kept(repository: str, commit: str, ids: Sequence[int]) -> Measures | None:
    """What was measured of a commit and the ids of a sentence; None if nothing was."""
    try:
        return unpack(_path(repository, commit, ids).read_bytes())
    except OSError:
        return None


def write_kept(repository: str, commit: str, ids: Sequence[int], measures: Measures) -> None:
    """Keeps the measures. Nothing happens where the disk takes nothing: they are measured again the next time."""
    path = _path(repository, commit, ids)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        partial = path.with_suffix(".part")
        partial.write_bytes(pack(measures))
        partial.replace(path)
        _drop_oldest(path.parent)
    except OSError:
        return


def _path(repository: str, commit: str, ids: Sequence[int]) -> Path:
    words = " ".join([str(VERSION), repository, commit, *map(str, ids)])
    return folder_of_checkpoints() / f"{hashlib.sha256(words.encode()).hexdigest()}.npz"


def _drop_oldest(folder: Path) -> None:
    files = sorted(
        ((path.stat().st_mtime_ns, path.stat().st_size, path) for path in folder.glob("*.npz")), reverse=True
    )
    total = 0
    for _, size, path in files:
        total += size
        if total > MAX_KEPT_BYTES:
            path.unlink(missing_ok=True)
