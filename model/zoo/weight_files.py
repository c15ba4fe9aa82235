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

from model.errors import DamagedWeights, UnusableFiles
from model.numerals import file_size
from model.regular_file import open_regular
from model.zoo.files import check_complete, damaged, read_object
from model.zoo.which_files import CONFIG, INDEX, choose_weights

Result = TypeVar("Result")
READABLE = ("F64", "F32", "F16", "BF16")  # number types that become float32
MAX_SHARDS = 1000
MAX_TENSORS = 500_000  # of all files
MAX_HEADER_BYTES = 16_000_000  # of safetensors: it takes a hundred bytes for each tensor
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

    def read(self, names: Iterable[str], use: Callable[[str, Tensor], Result]) -> Iterator[Result]:
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
        """Whether two tensors of files here have the same shape and the same numbers. Raises `DamagedWeights`."""
        first, second = self.tensors[one], self.tensors[other]
        if (first.shape, first.dtype) != (second.shape, second.dtype):
            return False
        if not (first.path.is_file() and second.path.is_file()):  # on the hub: only their headers are known
            return False
        with opened(first.path) as here, opened(second.path) as there:
            return bool(here.get_tensor(one).equal(there.get_tensor(other)))

    def check_types(self, names: Iterable[str]) -> None:
        """Raises `DamagedWeights` if one of these tensors is quantised, or holds whole numbers."""
        for name in names:
            if (dtype := self.tensors[name].dtype) not in READABLE:
                raise DamagedWeights(
                    f"{self.tensors[name].path.name} is quantised: {name[:100]} is stored as {dtype[:20]}. Only "
                    f"{', '.join(READABLE)} are read from safetensors. Take a version of this model that is not "
                    "quantised, or a GGUF file of it."
                )

    @property
    def paths(self) -> tuple[Path, ...]:
        """The files of the weights."""
        return tuple(dict.fromkeys(stored.path for stored in self.tensors.values()))


def open_files(path: Path) -> WeightFiles:
    """The files of a folder, or of a file of safetensors in it. Raises `DamagedWeights`, `UnusableFiles`."""
    if path.is_file():
        if not path.with_name(CONFIG).is_file():
            raise UnusableFiles(f"There is no {CONFIG} beside {path.name}, so nothing says what its weights are.")
        return WeightFiles(path.parent, read_object(path.with_name(CONFIG)), read_header(path))
    return _open_all(path)


def _open_all(folder: Path) -> WeightFiles:
    """The files of a folder that its names, or its index, say to be the weights."""
    names = {each.name for each in folder.iterdir() if each.is_file()}
    index: dict[str, str] = {}

    def listed() -> Iterable[str]:
        index.update(read_index(folder / INDEX))
        return index.values()

    files = [name for name in choose_weights(folder.name, names, listed) if name != INDEX]
    tensors: dict[str, Stored] = {}
    for name in files:
        tensors |= read_header(folder / name)
        if len(tensors) > MAX_TENSORS:
            raise damaged(folder / name, "cannot be used", f"the files have more than {MAX_TENSORS:,} tensors")
    if index:
        check_complete(dict.fromkeys(tensors, ()), dict.fromkeys(index, ()))
    return WeightFiles(folder, read_object(folder / CONFIG), tensors)


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


def _open_one(file: Any, use: Callable[[str, Tensor], Result], name: str) -> Result:
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
        _check_header(path)
        with safe_open(path, framework="pt") as file:
            yield file
    except (OSError, ValueError, KeyError, RuntimeError, SafetensorError) as error:
        if isinstance(error, DamagedWeights):
            raise
        raise damaged(path, "cannot be read", error) from error


def _check_header(path: Path) -> None:
    """Raises `ValueError` for a header that says that it is too large. The library reads all of it at once."""
    with open_regular(path) as file:
        size = int.from_bytes(file.read(8), "little")
    if size > MAX_HEADER_BYTES:
        raise ValueError(f"its header has more than {file_size(MAX_HEADER_BYTES)}")
