"""A look at a model of the hub, before anything of size is fetched.

Its small files are downloaded, such as `config.json` and the tokenizer, and the headers of its weight files are read:
so the answer is that of `load`. The revision that was asked for becomes
a commit, so that what is added stays the same. No code of a repository is ever fetched.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from huggingface_hub import HfApi, constants
from huggingface_hub.errors import SafetensorsParsingError
from huggingface_hub.file_download import repo_folder_name
from huggingface_hub.hf_api import ModelInfo

from model.adding.download import fetch_file, held_file
from model.adding.found import Found, HubFile, choose_files, read_of
from model.adding.hub_errors import NoConnection, told
from model.errors import GlassformerError, UnusableFiles
from model.zoo.families import GGUF, checkpoint_of, family_of, open_checkpoint
from model.zoo.files import read_object
from model.zoo.hub_names import HubName
from model.zoo.memory import free_memory
from model.zoo.weight_files import Stored, WeightFiles, read_index
from model.zoo.which_files import CONFIG, INDEX, SAFETENSORS, list_ggufs

MAIN = "main"
UNKNOWN_LICENCE = "not stated"
BYTES = 4  # of a number in float32
SMALL_BYTES = 32_000_000  # the most of a file that a look fetches: tokenizers of many languages have 17 MB
AT_ONCE = 4  # headers that are asked for


def look(name: HubName) -> Found:
    """What the hub has under a name; without a connection, what its cache has.

    Raises `HubError`, `UnusableFiles`, `UnsupportedFamily`, `DamagedWeights`.
    """
    try:
        with told(str(name)):
            info = HfApi().model_info(
                name.repository,
                revision=name.revision or MAIN,
                files_metadata=True,
                timeout=constants.HF_HUB_ETAG_TIMEOUT,
            )
            return _from_hub(info, name)
    except NoConnection:
        held = _look_in_cache(name)
        if held is None:
            raise
        return held


def _from_hub(info: ModelInfo, name: HubName) -> Found:
    repository, commit = name.repository, str(info.sha)
    listed = [HubFile(each.rfilename, each.size or 0, _digest(each)) for each in info.siblings or ()]

    def fetch_small(path: str) -> Path:
        file = next(each for each in listed if each.path == path)
        if file.size > SMALL_BYTES:
            raise UnusableFiles(f"The {path} of {repository} has {file.size / 1e6:,.0f} MB, which none can have.")
        return fetch_file(repository, commit, file, lambda held: None)

    files = choose_files(str(name), listed, name.file, lambda: read_index(fetch_small(INDEX)).values())
    weights = [file.path for file in files if file.path.endswith((SAFETENSORS, GGUF))]
    read = _look_at_gguf(info)
    if not files[0].path.endswith(GGUF):
        family_of(read_object(fetch_small(CONFIG)))  # before more is fetched
        for file in files:
            if file.path not in weights:
                folder = fetch_small(file.path).parent
        opened = WeightFiles(folder, read_object(folder / CONFIG), _headers(repository, commit, weights, folder))
        read = read_of(checkpoint_of(folder, opened))
    held = {file.path for file in files if held_file(repository, commit, file.path) is not None}
    return Found(
        **read,
        size=sum(file.size for file in files),
        free=free_memory(),
        licence=_licence(info),
        repository=repository,
        commit=commit,
        files=files,
        missing=sum(file.size for file in files if file.path not in held),
        file=files[0].path if name.file else "",
        others=_others(files, listed),
        weights=tuple(weights),
    )


def _others(files: tuple[HubFile, ...], listed: list[HubFile]) -> tuple[str, ...]:
    """The GGUF files that are left where one is taken."""
    taken = files[0].path
    return tuple(path for path in list_ggufs(each.path for each in listed) if path != taken and taken.endswith(GGUF))


def _digest(sibling: Any) -> str:
    """The hash under which the hub, and so the cache, keeps a file."""
    return str(sibling.lfs.sha256 if sibling.lfs else sibling.blob_id or "")


def _look_at_gguf(info: ModelInfo) -> dict[str, Any]:
    """The family in words, and bytes of the weights in float32, as the hub says them of a GGUF file.

    Raises `UnsupportedFamily`. The header of the file is checked when it is here.
    """
    stated = info.gguf or {}
    kind, total = stated.get("architecture"), stated.get("total")
    family = family_of({"model_type": kind}).name if kind else "to be seen in the file"
    return {"family": family, "memory": BYTES * total if isinstance(total, int) else None}


def _headers(repository: str, commit: str, names: Sequence[str], folder: Path) -> dict[str, Stored]:
    """What the headers of weight files say of each tensor. A hundred kilobytes of each are asked for."""
    api = HfApi()

    def read(file: str) -> dict[str, Stored]:
        try:
            header = api.parse_safetensors_file_metadata(
                repository, file, revision=commit, timeout=constants.HF_HUB_DOWNLOAD_TIMEOUT
            )
        except SafetensorsParsingError:
            raise UnusableFiles(f"{file} of {repository} is no safetensors file.") from None
        return {name: Stored(folder / file, tuple(each.shape), each.dtype) for name, each in header.tensors.items()}

    with ThreadPoolExecutor(AT_ONCE) as pool:
        return {name: stored for header in pool.map(read, names) for name, stored in header.items()}


def _licence(info: ModelInfo) -> str:
    """The licence that the card of a repository states. Its author may have written anything."""
    stated = info.card_data.to_dict() if info.card_data else {}
    licence = stated.get("license")
    if licence == "other":
        licence = stated.get("license_name", licence)
    names = licence if isinstance(licence, list) else [licence]
    return ", ".join(name for name in names if isinstance(name, str))[:200] or UNKNOWN_LICENCE


def _look_in_cache(name: HubName) -> Found | None:
    """The model as an earlier download, by whatever program, has left it; None unless all of it is here."""
    folder = Path(constants.HF_HUB_CACHE) / repo_folder_name(repo_id=name.repository, repo_type="model")
    snapshot = _snapshot(folder, name.revision or MAIN)
    if snapshot is None:
        return None
    held = [HubFile(path.name, path.stat().st_size) for path in snapshot.iterdir() if path.is_file()]
    try:
        files = choose_files(str(name), held, name.file, lambda: read_index(snapshot / INDEX).values())
        place = snapshot / files[0].path if files[0].path.endswith(GGUF) else snapshot
        checkpoint = open_checkpoint(place)
    except GlassformerError:  # a part of it is missing
        return None
    return Found(
        **read_of(checkpoint),
        size=sum(file.size for file in files),
        free=free_memory(),
        licence=UNKNOWN_LICENCE,
        repository=name.repository,
        commit=snapshot.name,
        files=files,
        file=files[0].path if name.file else "",
        others=_others(files, held),
        weights=tuple(file.name for file in checkpoint.files),
    )


def _snapshot(folder: Path, revision: str) -> Path | None:
    """The folder of a commit in the cache, by a branch, a tag, the commit or the beginning of it."""
    ref = folder / "refs" / revision
    commit = ref.read_text(encoding="utf-8").strip() if ref.is_file() else revision.removeprefix(MAIN)
    found = sorted((folder / "snapshots").glob(f"{commit}*")) if commit.isalnum() or not commit else []
    return found[0] if len(found) == 1 else None
