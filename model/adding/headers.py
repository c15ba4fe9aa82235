"""The headers of safetensors files on the hub: what each says of its tensors, read without the numbers.

A file begins with 8 bytes, the length of its header, little-endian; then comes the header, a JSON object. What it says
is checked as the library does that reads the whole file: the numbers of the tensors fill the rest of the file.
"""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeGuard

from model.adding.asking import Budget, WrongAnswer, ask
from model.adding.found import HubFile
from model.adding.listing import MAX_BYTES, file_url, read_values
from model.errors import UnusableFiles
from model.zoo.weight_files import MAX_HEADER_BYTES, Stored

AT_ONCE = 4  # questions
LENGTH_BYTES = 8
FIRST_BYTES = 100_001  # that are asked for: most headers are shorter
MAX_DIMENSIONS = 8
BITS = re.compile(r"(?:F|BF|I|U|C)(\d{1,2})(?:_\w{1,12})?")  # of a number, in the name of its type: F32, BF16, F8_E4M3


def read_headers(
    repository: str, commit: str, files: Sequence[HubFile], folder: Path, budget: Budget
) -> dict[str, Stored]:
    """Every tensor of these files, as if they were in `folder`. Raises `UnusableFiles`, and what `ask` raises."""

    def read(file: HubFile) -> dict[str, Stored]:
        tensors = _read(file_url(repository, commit, file.path), file.size, budget)
        if tensors is None:
            raise UnusableFiles(f"{file.path} of {repository} is no safetensors file.")
        return {name: Stored(folder / file.path, tuple(e["shape"]), e["dtype"]) for name, e in tensors.items()}

    with ThreadPoolExecutor(AT_ONCE) as pool:
        return {name: stored for header in pool.map(read, files) for name, stored in header.items()}


def _read(url: str, size: int, budget: Budget) -> dict[str, Any] | None:
    """The entry of each tensor in a file of so many bytes; None if the file is of another kind."""
    first = ask(url, budget, FIRST_BYTES, first=0)
    length = int.from_bytes(first[:LENGTH_BYTES], "little")
    if len(first) < LENGTH_BYTES or length > min(size - LENGTH_BYTES, MAX_HEADER_BYTES):
        return None
    header = first[LENGTH_BYTES : LENGTH_BYTES + length]
    if (held := len(header)) < length:
        header += ask(url, budget, length - held, first=LENGTH_BYTES + held)
    try:
        values = read_values(header)
    except WrongAnswer:
        return None
    values.pop("__metadata__", None)
    return values if len(header) == length and _fill(values.values(), size - LENGTH_BYTES - length) else None


def _fill(tensors: Collection[Any], size: int) -> bool:
    """Whether the numbers of these tensors stand one after the other in so many bytes, and fill them."""
    if not all(isinstance(each, dict) and _is_sound(each) for each in tensors):
        return False
    places = sorted(tuple(each["data_offsets"]) for each in tensors)
    ends = [0, *(end for _, end in places)]
    return [begin for begin, _ in places] == ends[:-1] and ends[-1] == size


def _is_sound(tensor: dict[str, Any]) -> bool:
    """Whether shape and number type of a tensor say how many bytes it has."""
    shape, place, kind = tensor.get("shape"), tensor.get("data_offsets"), tensor.get("dtype")
    if not _are_counts(shape) or not _are_counts(place) or len(place) != 2 or not isinstance(kind, str):
        return False
    bits = 8 if kind == "BOOL" else int(found[1]) if (found := BITS.fullmatch(kind)) else 0
    return bits > 0 and math.prod(shape) * bits == 8 * (place[1] - place[0])


def _are_counts(values: Any) -> TypeGuard[list[int]]:
    return (
        isinstance(values, list)
        and len(values) <= MAX_DIMENSIONS
        and all(type(each) is int and 0 <= each <= MAX_BYTES for each in values)
    )
