"""Weight files: checked once against their SHA-256, and their tensors renamed to ours, none left over."""

from __future__ import annotations

import hashlib
import json
import os
import re
import sys
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from model.errors import DamagedWeights

Progress = Callable[[str, float], None]  # what is being done, and the share that is done, 0..1


def no_progress(step: str, share: float) -> None:
    """For callers that do not show it."""


def cache_folder() -> Path:
    """Where this machine remembers which files were checked."""
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", Path.home())) / "glassformer"
    return Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "glassformer"


def verify(path: Path, sha256: str, progress: Progress = no_progress) -> None:
    """Raises `DamagedWeights` unless the file has this SHA-256. A file that did not change is not read again."""
    if not sha256:
        return
    stat = path.stat()
    mark = f"{sha256}:{stat.st_size}:{stat.st_mtime_ns}"
    memory = cache_folder() / "verified.json"
    remembered = _read_json(memory)
    if remembered.get(str(path)) == mark:
        return
    found = _sha256(path, stat.st_size, progress)
    if found != sha256:
        raise DamagedWeights(
            f"{path.name} is damaged or is another file: its SHA-256 begins {found[:12]}, expected {sha256[:12]}. "
            "Install the model again."
        )
    _remember(memory, remembered | {str(path): mark})


def _sha256(path: Path, size: int, progress: Progress) -> str:
    digest, done = hashlib.sha256(), 0
    with path.open("rb") as file:
        while chunk := file.read(1 << 22):
            digest.update(chunk)
            done += len(chunk)
            progress("Checking the file", done / size)
    return digest.hexdigest()


def _read_json(path: Path) -> dict[str, str]:
    try:
        values = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return values if isinstance(values, dict) else {}


def _remember(path: Path, values: dict[str, str]) -> None:
    """To remember is a convenience: where nothing can be written, the next start checks again."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        written = path.with_suffix(f".{os.getpid()}")
        written.write_text(json.dumps(values), encoding="utf-8")
        written.replace(path)
    except OSError:
        return


def rename(names: Iterable[str], table: Mapping[str, str | None]) -> dict[str, str]:
    """A checkpoint's tensor names -> ours. `{}` in the table stands for the layer; None drops a tensor on purpose.

    Raises `DamagedWeights` naming the tensors that the table does not know.
    """
    rules = [(re.compile(re.escape(theirs).replace(r"\{\}", r"(\d+)")), ours) for theirs, ours in table.items()]
    renamed, unknown = {}, []
    for name in names:
        matches = [(match, ours) for rule, ours in rules if (match := rule.fullmatch(name))]
        if not matches:
            unknown.append(name)
        elif matches[0][1] is not None:
            renamed[name] = matches[0][1].format(*matches[0][0].groups())
    if unknown:
        raise DamagedWeights(f"The checkpoint has tensors that this family does not know: {_listed(unknown)}.")
    return renamed


def check_complete(found: Mapping[str, tuple[int, ...]], expected: Mapping[str, tuple[int, ...]]) -> None:
    """Raises `DamagedWeights` unless names and shapes of the two are the same."""
    missing, extra = sorted(set(expected) - set(found)), sorted(set(found) - set(expected))
    wrong = sorted(name for name in set(found) & set(expected) if found[name] != expected[name])
    if missing:
        raise DamagedWeights(f"The checkpoint lacks {_listed(missing)}.")
    if extra:
        raise DamagedWeights(f"The configuration has no place for {_listed(extra)}.")
    if wrong:
        shapes = [f"{name} {found[name]} instead of {expected[name]}" for name in wrong]
        raise DamagedWeights(f"Tensors of another shape than the configuration says: {_listed(shapes)}.")


def _listed(names: list[str]) -> str:
    return ", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")
