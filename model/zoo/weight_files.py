"""The files of a checkpoint: `config.json` and safetensors, in one file or in several that an index lists."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path, PurePath
from typing import Any, TypeVar

import torch
from safetensors import SafetensorError, safe_open
from torch import Tensor

from model.errors import DamagedWeights
from model.zoo.files import check_complete, damaged, read_object

Part = TypeVar("Part")
WEIGHTS, INDEX = "model.safetensors", "model.safetensors.index.json"
READABLE = ("F64", "F32", "F16", "BF16")  # number types that become float32
PICKLES = (".bin", ".pt", ".pth", ".ckpt", ".pkl")  # files whose opening can run code
MAX_SHARDS = 1000
SMALL = 4_000_000  # bytes: a file with fewer is read before threads have begun


@dataclass(frozen=True)
class Stored:
    """One tensor of a file, as the file's header describes it."""

    path: Path
    shape: tuple[int, ...]
    dtype: str

    @property
    def nbytes(self) -> int:
        """Bytes in float32."""
        return 4 * math.prod(self.shape)


@dataclass(frozen=True)
class WeightFiles:
    """The values of `config.json`, and the headers of all tensors. No weight is in memory yet."""

    folder: Path
    values: dict[str, Any]
    tensors: dict[str, Stored]

    def read(self, names: Iterable[str], use: Callable[[str, Tensor], Part]) -> Iterator[Part]:
        """What `use` makes of each of these tensors in float32, file by file. Raises `DamagedWeights`.

        `use` must copy what it keeps: a mapped file that somebody writes anew, as training does, would take the process
        down. For a large file it runs in several threads, since torch releases Python's lock while it copies.
        """
        wanted = list(names)
        for path in dict.fromkeys(self.tensors[name].path for name in wanted):
            here = [name for name in wanted if self.tensors[name].path == path]
            with opened(path) as file, ThreadPoolExecutor(os.cpu_count()) as pool:
                each = map if sum(self.tensors[name].nbytes for name in here) < SMALL else pool.map
                yield from each(partial(_open_one, file, use), here)

    def has_equal(self, one: str, other: str) -> bool:
        """Whether two tensors have the same shape and the same numbers. Raises `DamagedWeights`."""
        first, second = self.tensors[one], self.tensors[other]
        if (first.shape, first.dtype) != (second.shape, second.dtype):
            return False
        with opened(first.path) as here, opened(second.path) as there:
            return bool(here.get_tensor(one).equal(there.get_tensor(other)))

    def check_types(self, names: Iterable[str]) -> None:
        """Raises `DamagedWeights` if one of these tensors is quantised, or holds whole numbers."""
        for name in names:
            if (dtype := self.tensors[name].dtype) not in READABLE:
                raise DamagedWeights(
                    f"{name[:100]} is stored as {dtype[:20]}. Only {', '.join(READABLE)} are read from safetensors: "
                    "take a version of this model that is not quantised, or a GGUF file."
                )


def open_files(folder: Path) -> WeightFiles:
    """The files of a checkpoint. Raises `DamagedWeights` where they are missing, damaged or only pickles."""
    if not (folder / "config.json").is_file():
        raise DamagedWeights(f"{folder.name} has no config.json, so it is no folder of a model.")
    values = read_object(folder / "config.json")
    return WeightFiles(folder, values, read_headers(folder))


def read_headers(folder: Path) -> dict[str, Stored]:
    """What the headers of the weight files say of each tensor, by its name. Raises `DamagedWeights`."""
    if (folder / WEIGHTS).is_file():
        return read_header(folder / WEIGHTS)
    if not (folder / INDEX).is_file():
        raise DamagedWeights(say_no_weights(folder))
    place_of = read_index(folder / INDEX)
    found: dict[str, Stored] = {}
    for name in dict.fromkeys(place_of.values()):
        if not (folder / name).is_file():
            raise damaged(folder / INDEX, "names a file that is not here", name)
        found |= read_header(folder / name)
    check_complete(dict.fromkeys(found, ()), dict.fromkeys(place_of, ()))
    return found


def read_index(path: Path) -> dict[str, str]:
    """Tensor name -> file name, of the index of a sharded checkpoint. Raises `DamagedWeights`."""
    place_of = read_object(path).get("weight_map")
    if not isinstance(place_of, dict) or not place_of:
        raise damaged(path, "cannot be used", "it has no weight_map")
    files = set(map(str, place_of.values()))
    wrong = [name for name in files if PurePath(name).name != name or not name.endswith(".safetensors")]
    if wrong or len(files) > MAX_SHARDS:
        raise damaged(
            path, "cannot be used", f"it names {wrong[0][:60]!r}" if wrong else f"it names {len(files)} files"
        )
    return {str(tensor): str(file) for tensor, file in place_of.items()}


def read_header(path: Path) -> dict[str, Stored]:
    """Every tensor of one file with its shape and number type, without its numbers. Raises `DamagedWeights`."""
    with opened(path) as file:
        slices = {name: file.get_slice(name) for name in file.keys()}  # noqa: SIM118 (no mapping)
        return {name: Stored(path, tuple(each.get_shape()), each.get_dtype()) for name, each in slices.items()}


def _open_one(file: Any, use: Callable[[str, Tensor], Part], name: str) -> Part:
    return use(name, check_numbers(name, file.get_tensor(name).to(torch.float32)))


def check_numbers(name: str, tensor: Tensor) -> Tensor:
    """The tensor, all of whose numbers are finite. Raises `DamagedWeights` for any other."""
    # The two tell in one pass and without memory: both are NaN if a number is.
    if tensor.numel() and not all(end.isfinite() for end in tensor.aminmax()):
        raise DamagedWeights(f"{name[:100]} has entries that are not a number or infinite. Get its file again.")
    return tensor


@contextmanager
def opened(path: Path) -> Iterator[Any]:
    """A safetensors file, open. Raises `DamagedWeights`."""
    try:
        with safe_open(path, framework="pt") as file:
            yield file
    except (OSError, ValueError, KeyError, RuntimeError, SafetensorError) as error:
        if isinstance(error, DamagedWeights):
            raise
        raise damaged(path, "cannot be read", error) from error


def say_no_weights(folder: Path) -> str:
    """Why a folder without safetensors cannot be used, and what to do."""
    pickles = sorted(path.name for path in folder.iterdir() if path.suffix in PICKLES)
    if not pickles:
        return f"{folder.name} has no {WEIGHTS} and no {INDEX}."
    return (
        f"{folder.name} has its weights only as pickles ({pickles[0][:60]}). Opening a pickle can run code, so "
        f"they are never read. Take a version with {WEIGHTS}, or a GGUF file."
    )
