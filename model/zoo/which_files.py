"""Which files of a folder or a repository make a model, by their names: safetensors beside config.json, or one GGUF."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Collection, Iterable
from pathlib import Path

from model.errors import DamagedWeights, UnusableFiles
from model.zoo.files import read_json
from model.zoo.hub_names import GGUF

CONFIG, WEIGHTS, INDEX = "config.json", "model.safetensors", "model.safetensors.index.json"
SAFETENSORS, ONNX = ".safetensors", ".onnx"
MODULES = "modules.json"  # of sentence-transformers: the parts of a model, each in a folder
PICKLES = (".bin", ".pt", ".pth", ".ckpt", ".pkl")  # files whose opening can run code
OTHER_PICKLES = (".h5", ".msgpack", ".pkl.gz", ".ot")  # of other libraries; they are not read either
PART = re.compile(r"(.*)-(\d{1,5})-of-(\d{1,5})\.gguf")
MAX_PARTS = 1000  # of a GGUF file
BESIDE = re.compile(r"mmproj|imatrix|(?:^|[._-])lora", re.IGNORECASE)  # in names of GGUF files that are no whole model
# Of several GGUF files one is taken: the one nearest to the numbers of the model that is not needlessly large.
GGUF_ORDER = ("q8_0", "f16", "bf16", "f32", "q6_k", "q5_k_m", "q5_1", "q5_0", "q4_k_m", "q4_1", "q4_0")


def choose_weights(where: str, names: Collection[str], listed: Callable[[], Iterable[str]]) -> tuple[str, ...]:
    """The weight files of a model: one or several of safetensors, with their index first; or a GGUF, or its parts.

    `names` are those of the files that are there; `listed` gives those that the index lists. Raises `UnusableFiles`,
    which says what there is instead, and whether another file of the same model would do.
    """
    if CONFIG in names and WEIGHTS in names:
        return (WEIGHTS,)
    if CONFIG in names and INDEX in names:
        shards = tuple(dict.fromkeys(listed()))
        if absent := [name for name in shards if name not in names]:
            raise UnusableFiles(
                f"{where} lacks {len(absent)} of the {len(shards)} files of its weights that {INDEX} names, "
                f"such as {absent[0][:80]}. Get the missing ones too."
            )
        return INDEX, *shards
    if ggufs := list_ggufs(names):
        return parts_of(min(ggufs, key=_gguf_rank), names)
    raise UnusableFiles(_say_unusable(where, names))


def model_at(path: Path) -> Path:
    """The folder or file of a model that a reader means by a path, in full. Raises `UnusableFiles`, `DamagedWeights`.

    It is a folder of safetensors, a file of safetensors in one, or a GGUF file. In a folder of sentence-transformers
    the model may stand in a folder of its own, such as 0_Transformer.
    """
    if not path.exists():
        raise UnusableFiles(f"There is nothing at {path} on the machine where the app runs.")
    path = Path(os.path.abspath(path))  # a link of the hub's cache keeps its name
    if path.is_dir():
        path = path / transformer_folder(path)
        names = {each.name for each in path.iterdir() if each.is_file()}
        first, *_ = choose_weights(path.name, names, lambda: ())
        return path / first if first.endswith(GGUF) else path
    if not path.is_file():
        raise UnusableFiles(f"{path.name} is a pipe or a device, and no file. Name a folder or a GGUF file.")
    if path.suffix not in (GGUF, SAFETENSORS):
        raise UnusableFiles(f"{path.name} is no GGUF file. Name the folder that holds config.json and safetensors.")
    return parts_beside(path)[0] if path.suffix == GGUF else path


def transformer_folder(folder: Path) -> str:
    """The folder inside a folder of sentence-transformers that has the transformer; "" for the folder itself."""
    if (folder / CONFIG).is_file() or not (folder / MODULES).is_file():
        return ""
    try:
        modules = read_json(folder / MODULES)
    except DamagedWeights:
        return ""
    first = modules[0] if isinstance(modules, list) and modules and isinstance(modules[0], dict) else {}
    name = str(first.get("path", ""))
    return name if re.fullmatch(r"[\w.-]+", name) and ".." not in name and (folder / name).is_dir() else ""


def list_ggufs(names: Iterable[str]) -> list[str]:
    """The GGUF files that hold a whole model, and the first ones of those that are here in several parts."""
    known = set(names)
    return sorted(name for name in known if name.endswith(GGUF) and not BESIDE.search(name) and _begins(name, known))


def _part(name: str) -> re.Match[str] | None:
    """The beginning, the number and the count of a part of a model, by its name; None for any other file."""
    found = PART.fullmatch(name)
    return found if found is not None and 1 <= int(found[2]) <= int(found[3]) else None


def _begins(name: str, names: Collection[str]) -> bool:
    """Whether a GGUF file is no part of a model, or the first one of parts that are all among these names."""
    part = _part(name)
    if part is None:
        return True
    return int(part[2]) == 1 and int(part[3]) <= len(names) and all(each in names for each in _all_parts(part))


def _all_parts(part: re.Match[str]) -> list[str]:
    """The names of all parts of a model, in order. Raises `UnusableFiles` for more than any model has."""
    count = int(part[3])
    if count > MAX_PARTS:
        raise UnusableFiles(f"{part[0]} is one of {count:,} parts. At most {MAX_PARTS:,} are read.")
    width, total = len(part[2]), part[3]
    return [f"{part[1]}-{number:0{width}}-of-{total}{GGUF}" for number in range(1, count + 1)]


def parts_of(name: str, names: Collection[str]) -> tuple[str, ...]:
    """A GGUF file, or all parts of the model of which it is one. Raises `UnusableFiles` where some are not there."""
    part = _part(name)
    if part is None:
        return (name,)
    parts = _all_parts(part)
    if absent := [each for each in parts if each not in names]:
        raise UnusableFiles(
            f"{name} is one of {len(parts)} parts of a model, and {len(absent)} of them are not beside it, such as "
            f"{absent[0][:80]}. Get these too, or take a smaller file of the same model, which has one part."
        )
    return tuple(parts)


def parts_beside(path: Path) -> tuple[Path, ...]:
    """As `parts_of`, of a file on this machine."""
    if _part(path.name) is None:
        return (path,)
    return tuple(path.with_name(name) for name in parts_of(path.name, os.listdir(path.parent)))


def _gguf_rank(path: str) -> tuple[int, str]:
    name = path.lower()
    return next((place for place, kind in enumerate(GGUF_ORDER) if kind in name), len(GGUF_ORDER)), name


def _say_unusable(where: str, names: Collection[str]) -> str:
    """Why these files make no model, and what to do."""
    own = sorted(name for name in names if name.endswith(SAFETENSORS))
    ggufs = sorted(name for name in names if name.endswith(GGUF))
    pickles = sorted(name for name in names if name.endswith((*PICKLES, *OTHER_PICKLES)))
    if any(name.startswith("adapter") for name in names):
        return (
            f"{where} is an adapter (LoRA), which changes another model. Add that model itself, or merge the two: "
            "merge_and_unload() of the library peft, then save_pretrained()."
        )
    if CONFIG not in names and (WEIGHTS in names or INDEX in names):
        return f"{where} has no {CONFIG}, so nothing says what its weights are. Get that small file of it too."
    if ggufs:
        for name in ggufs:
            parts_of(name, names)
        return f"{where} has no GGUF file of a whole model: {ggufs[0][:80]} stands beside one. Get that one."
    if own and all("consolidated" in name for name in own):
        return (
            f"{where} has {own[0][:80]}, in which Mistral publishes its models with names of its own. Take a revision "
            f"that has {WEIGHTS} too."
        )
    if own:
        return (
            f"{where} has {own[0][:80]}, but no {WEIGHTS} and no {INDEX}, which says what the files hold. Get the "
            f"index too; or, where the file holds all weights, call it {WEIGHTS}."
        )
    if pickles:
        return (
            f"{where} has its weights only as {pickles[0][:60]}. That is a pickle, or of another library. Opening "
            "it can run code, so it is never read. Take a revision with model.safetensors, or a GGUF file."
        )
    return f"{where} has no {WEIGHTS} and no GGUF file, so there is no model to read."
