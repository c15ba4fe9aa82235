"""A look at a model of the hub, before anything of size is fetched.

Its small files are read, such as `config.json` and the tokenizer, and the headers of its weight files: so the answer is
that of `load`. They are read in a folder that is gone after the look. The revision that was asked for becomes a
commit, so that what is added stays the same. No code of a repository is ever fetched.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from model.adding.asking import Budget, WrongAnswer, ask
from model.adding.cache import blob_path, find_commit, held_file, repository_folder, snapshot_folder
from model.adding.found import Found, HubFile, choose_files, read_of
from model.adding.headers import AT_ONCE, read_headers
from model.adding.hub_errors import NoConnection, told
from model.adding.listing import MAX_BYTES, UNKNOWN_LICENCE, Listing, file_url, read_listing, sound
from model.adding.small_files import SMALL_FILES, has_digest
from model.errors import GlassformerError, UnusableFiles
from model.numerals import file_size
from model.zoo.families import family_of
from model.zoo.files import read_object
from model.zoo.gguf_architectures import architecture_of
from model.zoo.hub_folder import open_folder
from model.zoo.hub_names import GGUF, HubName
from model.zoo.memory import free_memory
from model.zoo.opening import open_checkpoint
from model.zoo.weight_files import WeightFiles, read_index
from model.zoo.which_files import CONFIG, INDEX, SAFETENSORS, list_ggufs

BYTES = 4  # of a number in float32
SMALL_BYTES = 32_000_000  # the most of a file that a look reads: tokenizers of many languages have 17 MB


def look(name: HubName) -> Found:
    """What the hub has under a name; without a connection, what its cache has.

    Raises `HubError`, `UnusableFiles`, `UnsupportedFamily`, `DamagedWeights`.
    """
    repository_folder(name.repository)  # checks the name, which may be of an entry that somebody wrote
    try:
        with told(str(name)):
            budget = Budget()
            return _from_hub(read_listing(name, budget), name, budget)
    except NoConnection:
        held = _look_in_cache(name)
        if held is None:
            raise
        return held


def _from_hub(listing: Listing, name: HubName, budget: Budget) -> Found:
    repository, commit, listed = name.repository, listing.commit, list(listing.files)
    with TemporaryDirectory(prefix="glassformer-") as private:
        small = _SmallFilesOf(repository, listing, Path(private), budget)
        files = choose_files(str(name), listed, name.file, lambda: read_index(small.read(INDEX)).values())
        weights = [file for file in files if file.path.endswith((SAFETENSORS, GGUF))]
        read = {**_look_at_gguf(listing), "weights": (files[0].path,)}
        if not files[0].path.endswith(GGUF):
            values = read_object(small.read(CONFIG))
            family_of(values)  # before more is fetched
            small.read_all([file.path for file in files if file not in weights])
            headers = read_headers(repository, commit, weights, small.folder, budget)
            read = read_of(open_folder(small.folder, WeightFiles(small.folder, values, headers)))
    missing = [file for file in files if held_file(repository, commit, file.path) is None]
    to_fetch = sum(file.size for file in missing if SMALL_FILES.get(file.digest) is None)
    return _found(name, commit, files, listed, **read, licence=listing.licence, missing=to_fetch)


def _found(name: HubName, commit: str, files: tuple[HubFile, ...], listed: list[HubFile], **more: Any) -> Found:
    """What a look has found. `files`, of those that are listed, make the model; `more` are other fields of `Found`."""
    taken = files[0].path
    others = [path for path in list_ggufs(each.path for each in listed) if path != taken and taken.endswith(GGUF)]
    return Found(
        **more,
        size=sum(file.size for file in files),
        free=free_memory(),
        repository=name.repository,
        commit=commit,
        files=files,
        file=taken if name.file else "",
        others=tuple(others),
    )


class _SmallFilesOf:
    """The small files of a commit in a folder that is gone after the look. It has the commit's name."""

    def __init__(self, repository: str, listing: Listing, place: Path, budget: Budget) -> None:
        self._repository, self._commit, self._budget = repository, listing.commit, budget
        self._files = {file.path: file for file in listing.files}
        self.folder = place / listing.commit
        self.folder.mkdir()

    def read(self, path: str) -> Path:
        """The file of that name. Raises `WrongAnswer`, and what `ask` raises."""
        place, file = self.folder / path, self._files[path]
        if not place.exists():
            place.write_bytes(self._content(file))
        return place

    def read_all(self, paths: Sequence[str]) -> None:
        with ThreadPoolExecutor(AT_ONCE) as pool:
            list(pool.map(self.read, paths))

    def _content(self, file: HubFile) -> bytes:
        """What a file holds: from memory, from the cache, or from the hub."""
        if file.size > SMALL_BYTES:
            raise UnusableFiles(
                f"The {file.path} of {self._repository} has {file_size(file.size)}, which none can have."
            )
        content = SMALL_FILES.get(file.digest) or self._cached(file)
        if content is None:
            content = ask(file_url(self._repository, self._commit, file.path), self._budget, file.size)
            if not has_digest(content, file.digest):
                raise WrongAnswer(f"{file.path} has another hash than it states")
            SMALL_FILES.put(file.digest, content)
        return content

    def _cached(self, file: HubFile) -> bytes | None:
        blob = blob_path(self._repository, file.digest)
        content = blob.read_bytes() if blob.is_file() and blob.stat().st_size == file.size else b""
        return content if has_digest(content, file.digest) else None


def _look_at_gguf(listing: Listing) -> dict[str, Any]:
    """The family in words, and bytes of the weights in float32, as the hub says them of a GGUF file.

    Raises `UnsupportedFamily`. The header of the file is checked when it is here.
    """
    kind, total = listing.gguf.get("architecture"), listing.gguf.get("total")
    family = "to be seen in the file"
    if kind and isinstance(kind, str):
        family = architecture_of("Its GGUF file", sound(kind)).family.name
    return {"family": family, "memory": BYTES * total if type(total) is int and 0 <= total <= MAX_BYTES else None}


def _look_in_cache(name: HubName) -> Found | None:
    """The model as an earlier download, by whatever program, has left it; None unless all of it is here."""
    commit = find_commit(name.repository, name.revision)
    if not commit:
        return None
    snapshot = snapshot_folder(name.repository, commit)
    paths = [path.name for path in snapshot.iterdir()]
    here = [found for path in paths if (found := held_file(name.repository, commit, path)) is not None]
    held = [HubFile(path.name, path.stat().st_size) for path in here]
    try:
        files = choose_files(str(name), held, name.file, lambda: read_index(snapshot / INDEX).values())
        place = snapshot / files[0].path if files[0].path.endswith(GGUF) else snapshot
        checkpoint = open_checkpoint(place)
    except GlassformerError:  # a part of it is missing
        return None
    read = read_of(checkpoint)
    return _found(name, commit, files, held, **read, licence=UNKNOWN_LICENCE, checkpoint=checkpoint)
