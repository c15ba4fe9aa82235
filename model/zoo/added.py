"""The models that a reader has added: one small JSON file each, in the folder for this user's data.

A file for each, since two programs that add a model at once would otherwise write over each other.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from model.zoo.files import data_folder

MAX_STEM_CHARACTERS = 200
ADDED_TEXTS = ("name", "place", "hub", "commit")  # of an entry, beside the texts of any card


def entries_folder() -> Path:
    """The folder of the entries. It need not exist."""
    return data_folder() / "models"


def entry_paths() -> list[Path]:
    """The entries, the one that was added first first."""
    return sorted(entries_folder().glob("*.json"), key=lambda path: (_time(path), path.name))


def write_entry(name: str, values: Mapping[str, Any]) -> None:
    """Keep the entry of a model. A program that is killed meanwhile leaves none, or a whole one."""
    path = _entry(name)
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_suffix(f".{os.getpid()}")
    partial.write_text(json.dumps(dict(values), indent=1), encoding="utf-8")
    partial.replace(path)


def remove_entry(name: str) -> None:
    """Forget a model. Nothing happens where it is not known."""
    _entry(name).unlink(missing_ok=True)


def _entry(name: str) -> Path:
    stem = re.sub(r"[^A-Za-z0-9.@-]", "--", name)
    if len(stem) > MAX_STEM_CHARACTERS:  # systems take names of 255 bytes
        stem = f"{stem[:MAX_STEM_CHARACTERS]}-{hashlib.sha256(name.encode('utf-8', 'replace')).hexdigest()[:16]}"
    return entries_folder() / f"{stem}.json"


def _time(path: Path) -> int:
    try:
        return path.stat().st_mtime_ns
    except FileNotFoundError:  # removed meanwhile
        return 0
