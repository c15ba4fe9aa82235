"""What the hub says of a model: its commit, its files, its licence. Each value is checked, since a hub may lie.

A commit and a digest become parts of paths, and so does the name of a file. So the first two are hexadecimal of the
right length, and the last stays in its folder.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote

from huggingface_hub import constants

from model.adding.asking import Budget, WrongAnswer, ask
from model.adding.found import MAIN, HubFile
from model.zoo.hub_names import COMMIT, FILE_NAME, SHA256, HubName

UNKNOWN_LICENCE = "not stated"
MAX_LISTING_BYTES = 4_000_000  # that of a repository with 20,000 files
MAX_FILES = 20_000
MAX_BYTES = 1 << 50  # of a file
MAX_NAME_CHARACTERS = 1000  # of a file with its folders
MAX_SHOWN = 200  # characters of a text that is shown


@dataclass(frozen=True)
class Listing:
    """A model at one commit. `gguf` is what the hub has read of a GGUF file: `architecture` and `total`."""

    commit: str
    files: tuple[HubFile, ...]
    licence: str
    gguf: dict[str, Any] = field(default_factory=dict)


def read_listing(name: HubName, budget: Budget) -> Listing:
    """Ask the hub what it has under a name. Raises `WrongAnswer`, and what `ask` raises."""
    revision = quote(name.revision or MAIN, safe="")
    url = f"{constants.ENDPOINT}/api/models/{name.repository}/revision/{revision}?blobs=true"
    values = read_values(ask(url, budget, MAX_LISTING_BYTES))
    commit = values.get("sha")
    if not isinstance(commit, str) or not COMMIT.fullmatch(commit):
        raise WrongAnswer(f"{_shown(commit)} is no commit")
    gguf = values.get("gguf")
    return Listing(commit, _files(values.get("siblings")), _licence(values), gguf if isinstance(gguf, dict) else {})


def read_values(content: bytes) -> dict[str, Any]:
    """The values of an answer by name. Raises `WrongAnswer` for an answer of another kind."""
    try:
        values = json.loads(content)
    except (ValueError, RecursionError) as error:
        raise WrongAnswer("it is no JSON") from error
    if not isinstance(values, dict):
        raise WrongAnswer("it holds no values by name")
    return values


def file_url(repository: str, commit: str, path: str) -> str:
    """The address of a file of the hub."""
    return f"{constants.ENDPOINT}/{repository}/resolve/{commit}/{quote(path)}"


def _files(siblings: object) -> tuple[HubFile, ...]:
    """The files that may be fetched. Those in folders, and those without a size or a hash, are left out."""
    if not isinstance(siblings, list) or len(siblings) > MAX_FILES:
        raise WrongAnswer("it does not list the files of a model")
    found: dict[str, HubFile] = {}
    for entry in siblings:
        path = entry.get("rfilename") if isinstance(entry, dict) else None
        if not isinstance(path, str) or not _may_be_listed(path):
            raise WrongAnswer(f"{_shown(path)} is no name of a file")
        if path in found:
            raise WrongAnswer(f"it lists {_shown(path)} twice")
        if FILE_NAME.fullmatch(path) and path.isprintable():
            found[path] = _file(path, entry)
    return tuple(found.values())


def _may_be_listed(path: str) -> bool:
    """Whether a name, with its folders, is one that git can have, and that leads nowhere else."""
    parts = path.split("/")
    return len(path) <= MAX_NAME_CHARACTERS and "\0" not in path and not {"", ".", "..", ".git"} & set(parts)


def _file(path: str, entry: dict[str, Any]) -> HubFile:
    """A file of the list, with its size in bytes and its hash. Raises `WrongAnswer`."""
    large = entry.get("lfs")
    if large is not None and not isinstance(large, dict):
        raise WrongAnswer(f"it says nothing sound of {_shown(path)}")
    size = entry.get("size")
    if type(size) is not int or not 0 <= size <= MAX_BYTES:
        raise WrongAnswer(f"it says no possible size of {_shown(path)}")
    digest = large.get("sha256") if large else entry.get("blobId")
    if not isinstance(digest, str) or not (SHA256 if large else COMMIT).fullmatch(digest):
        raise WrongAnswer(f"it says no possible hash of {_shown(path)}")
    return HubFile(path, size, digest)


def _licence(values: dict[str, Any]) -> str:
    """The licence that the card of a repository states. Its author may have written anything."""
    stated = values.get("cardData")
    stated = stated if isinstance(stated, dict) else {}
    licence = stated.get("license")
    if licence == "other":
        licence = stated.get("license_name", licence)
    names = licence if isinstance(licence, list) else [licence]
    return sound(", ".join(name for name in names[:20] if isinstance(name, str))) or UNKNOWN_LICENCE


def sound(text: str) -> str:
    """The beginning of a text of a stranger, without what a browser cannot be sent: halves of characters, controls."""
    return "".join(each for each in text[:MAX_SHOWN] if each.isprintable())


def _shown(value: object) -> str:
    return ascii(value)[:80]
