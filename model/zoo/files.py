"""Files of models: a check of each against its SHA-256, what JSON files hold, and the errors for damaged ones."""

from __future__ import annotations

import hashlib
import json
import os
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

from model.errors import DamagedWeights
from model.regular_file import open_regular, read_regular

Result = TypeVar("Result")
Values = TypeVar("Values")
MAX_JSON_BYTES = 16_000_000  # the largest here has 19 kB
MAX_JSON_VALUES = 4_000_000  # in a file: each takes up to a hundred bytes, in two of text. XLM-V's 2.7 million
MAX_ERROR_CHARACTERS = 300  # of a library's own words, which may quote the file
Progress = Callable[[str, float], None]  # the current step in words, and its share that is done, 0..1


def no_progress(step: str, share: float) -> None:
    """For callers that show no progress."""


def cache_folder() -> Path:
    """The folder for downloads and for the record of checked files on this machine."""
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", Path.home())) / "glassformer"
    return Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "glassformer"


def data_folder() -> Path:
    """The folder for what this user's app must find again after a restart."""
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", Path.home())) / "glassformer" / "data"
    return Path(os.environ.get("XDG_DATA_HOME", Path.home() / ".local" / "share")) / "glassformer"


def verify(path: Path, sha256: str, progress: Progress = no_progress) -> None:
    """Raises `DamagedWeights` unless the file has this SHA-256. A checked file is read again only if it changed."""
    if not sha256:
        return
    stat = path.stat()
    mark = f"{sha256}:{stat.st_size}:{stat.st_mtime_ns}"
    record = cache_folder() / "verified.json"
    marks = _read_json(record)
    if marks.get(str(path)) == mark:
        return
    actual = _sha256(path, stat.st_size, progress)
    if actual != sha256:
        raise DamagedWeights(
            f"{path.name} is damaged or is another file: its SHA-256 begins {actual[:12]}, expected {sha256[:12]}. "
            "Install the model again."
        )
    _remember(record, marks | {str(path): mark})


def _sha256(path: Path, size: int, progress: Progress) -> str:
    digest, done = hashlib.sha256(), 0
    with open_regular(path) as file:
        while chunk := file.read(1 << 22):
            digest.update(chunk)
            done += len(chunk)
            progress("Checking the file", done / size)
    return digest.hexdigest()


def _read_json(path: Path) -> dict[str, str]:
    try:
        return read_object(path)
    except DamagedWeights:
        return {}


def read_object(path: Path, most: int = MAX_JSON_BYTES) -> dict[str, Any]:
    """The values of a JSON file that holds one object. Raises `DamagedWeights` for any other file."""
    values = read_json(path, most)
    if not isinstance(values, dict):
        raise damaged(path, "cannot be read", "it holds no values by name")
    return values


def read_json(path: Path, most: int = MAX_JSON_BYTES) -> Any:
    """What a JSON file of at most `most` bytes holds. Raises `DamagedWeights` for a file that is none, or too large."""
    try:
        data = read_regular(path, most)
        if sum(map(data.count, (b",", b"[", b"{"))) > MAX_JSON_VALUES:
            raise ValueError(f"it has more than {MAX_JSON_VALUES:,} values")
        return json.loads(data.decode("utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise damaged(path, "cannot be read", error) from error


def build_from(
    path: Path, make: Callable[[Values], Result], values: Values, fault: str = "describes no model"
) -> Result:
    """Calls `make(values)` with values of an untrusted file. Raises `DamagedWeights`, which names the file."""
    try:
        return make(values)
    except DamagedWeights:
        raise
    except KeyError as error:
        raise damaged(path, f"lacks {error}") from error
    except Exception as error:  # the libraries raise bare Exception, and a wrong value may raise anything
        raise damaged(path, fault, error) from error


def damaged(path: Path, fault: str, why: object = "") -> DamagedWeights:
    """The error for a damaged file: which file, its fault, and what to do."""
    words = str(why).rstrip(".")[:MAX_ERROR_CHARACTERS].encode("utf-8", "replace").decode()  # no half of a character
    reason = f": {words}" if words else ""
    return DamagedWeights(
        f"{path.parent.name}/{path.name} {fault}{reason}. Install the model again, or get the repository's files again."
    )


def _remember(path: Path, values: dict[str, str]) -> None:
    """Writes the record. If that fails, the next start only has to check the files again."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        partial = path.with_suffix(f".{os.getpid()}")
        partial.write_text(json.dumps(values), encoding="utf-8")
        partial.replace(path)
    except OSError:
        return


def check_complete(
    found: Mapping[str, tuple[int, ...]],
    expected: Mapping[str, tuple[int, ...]],
    say: Callable[[str], str] = str,
) -> None:
    """Raises `DamagedWeights` unless the names and shapes of the two are the same. `say` names a tensor in words."""
    missing, extra = sorted(set(expected) - set(found)), sorted(set(found) - set(expected))
    wrong = sorted(name for name in set(found) & set(expected) if found[name] != expected[name])
    if missing:
        raise DamagedWeights(
            f"The checkpoint lacks {list_some([say(name) for name in missing])}. Either a part of its files is not "
            "here, or config.json is that of another model: get all files of one revision."
        )
    if extra:
        raise DamagedWeights(
            f"The configuration has no place for {list_some([say(name) for name in extra])}. Take the config.json of "
            "the same revision as the weights."
        )
    if wrong:
        shapes = [f"{say(name)} {found[name]} instead of {expected[name]}" for name in wrong]
        raise DamagedWeights(
            f"Tensors of another shape than the configuration says: {list_some(shapes)}. Take the config.json of the "
            "same revision as the weights."
        )


def list_some(names: list[str]) -> str:
    """The first of these names: "a, b, c and 4 more"."""
    return ", ".join(name[:200] for name in names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")
