"""A look at a model of the hub, before anything of size is fetched.

Only `config.json` is downloaded, and the headers of its weight files are read. The revision that was asked for becomes
a commit, so that what is added stays the same. No code of a repository is ever fetched.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from huggingface_hub import HfApi, constants
from huggingface_hub.errors import SafetensorsParsingError
from huggingface_hub.file_download import repo_folder_name
from huggingface_hub.hf_api import ModelInfo

from model.adding.download import fetch_file, held_file
from model.adding.found import CONFIG, Found, HubFile, choose_files, list_ggufs
from model.adding.hub_errors import NoConnection, told
from model.errors import GlassformerError, UnusableFiles
from model.zoo.families import GGUF, family_of, open_checkpoint
from model.zoo.files import MAX_JSON_BYTES, read_object
from model.zoo.hub_names import HubName
from model.zoo.memory import free_memory

MAIN = "main"
UNKNOWN_LICENCE = "not stated"
BYTES = 4  # of a number in float32


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
    commit = str(info.sha)
    listed = [HubFile(each.rfilename, each.size or 0, _digest(each)) for each in info.siblings or ()]
    files = choose_files(str(name), listed, name.file)
    family = _family(name.repository, commit, files, info)
    held = {file.path for file in files if held_file(name.repository, commit, file.path) is not None}
    return Found(
        family=family,
        size=sum(file.size for file in files),
        memory=_memory(name.repository, commit, files, info),
        free=free_memory(),
        licence=_licence(info),
        repository=name.repository,
        commit=commit,
        files=files,
        missing=sum(file.size for file in files if file.path not in held),
        file=name.file,
        others=_others(files, listed),
    )


def _others(files: tuple[HubFile, ...], listed: list[HubFile]) -> tuple[str, ...]:
    """The GGUF files that are left where one is taken."""
    taken = files[0].path
    return tuple(path for path in list_ggufs(each.path for each in listed) if path != taken and taken.endswith(GGUF))


def _digest(sibling: Any) -> str:
    """The hash under which the hub, and so the cache, keeps a file."""
    return str(sibling.lfs.sha256 if sibling.lfs else sibling.blob_id or "")


def _family(repository: str, commit: str, files: tuple[HubFile, ...], info: ModelInfo) -> str:
    """The family in words. Raises `UnsupportedFamily` before any weight is fetched."""
    if files[0].path.endswith(GGUF):
        stated = (info.gguf or {}).get("architecture")  # the header of the file is checked when it is here
        return family_of({"model_type": stated}).name if stated else "to be seen in the file"
    if files[0].size > MAX_JSON_BYTES:
        raise UnusableFiles(f"The {CONFIG} of {repository} has {files[0].size / 1e6:,.0f} MB, which none can have.")
    return family_of(read_object(fetch_file(repository, commit, files[0], lambda held: None))).name


def _memory(repository: str, commit: str, files: tuple[HubFile, ...], info: ModelInfo) -> int | None:
    """Bytes of the weights in float32, as the hub counts their numbers, or by the headers of the files."""
    if files[0].path.endswith(GGUF):
        counted = info.gguf or {}
        return BYTES * int(counted["total"]) if isinstance(counted.get("total"), int) else None
    if info.safetensors is not None and isinstance(info.safetensors.total, int):
        return BYTES * info.safetensors.total
    api, numbers = HfApi(), 0
    for file in files:
        if file.path.endswith(".safetensors"):
            try:
                header = api.parse_safetensors_file_metadata(
                    repository, file.path, revision=commit, timeout=constants.HF_HUB_DOWNLOAD_TIMEOUT
                )
            except SafetensorsParsingError:
                raise UnusableFiles(f"{file.path} of {repository} is no safetensors file.") from None
            numbers += sum(header.parameter_count.values())
    return BYTES * numbers


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
        files = choose_files(str(name), held, name.file)
        place = snapshot / files[0].path if files[0].path.endswith(GGUF) else snapshot
        checkpoint = open_checkpoint(place)
    except GlassformerError:  # a part of it is missing
        return None
    return Found(
        family=checkpoint.family.name,
        size=sum(file.size for file in files),
        memory=checkpoint.nbytes,
        free=free_memory(),
        licence=UNKNOWN_LICENCE,
        repository=name.repository,
        commit=snapshot.name,
        files=files,
        file=name.file,
        others=_others(files, held),
    )


def _snapshot(folder: Path, revision: str) -> Path | None:
    """The folder of a commit in the cache, by a branch, a tag, the commit or the beginning of it."""
    ref = folder / "refs" / revision
    commit = ref.read_text(encoding="utf-8").strip() if ref.is_file() else revision.removeprefix(MAIN)
    found = sorted((folder / "snapshots").glob(f"{commit}*")) if commit.isalnum() or not commit else []
    return found[0] if len(found) == 1 else None
