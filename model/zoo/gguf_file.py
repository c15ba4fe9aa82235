"""The file format GGUF: the header of a file, or of the parts of one, and its tensors, which become float32."""

from __future__ import annotations

import os
import struct
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import torch
from gguf import GGML_QUANT_SIZES, GGUFEndian, GGUFReader, GGUFValueType, ReaderField, ReaderTensor, dequantize
from torch import Tensor

from model.errors import DamagedWeights
from model.regular_file import check_regular
from model.zoo.files import build_from, damaged
from model.zoo.weight_files import Result, Stored, check_numbers
from model.zoo.which_files import parts_beside

MAX_FIELDS = 100_000  # values by name, and tensors; Llama 405B has 1,137
MAX_ITEMS = 2_000_000  # of all lists of a header; a vocabulary of 262,000 pieces has each with its score and type
MAX_TEXT_BYTES = 64_000_000  # of all texts of a header


class QuickReader(GGUFReader):
    """The library's reader, in a tenth of its time.

    The library slices a memmap for every number and every word of the vocabulary: a hundred thousand times. This one
    reads through the buffer, and reads an array of numbers whole. It takes no more of a header than a model has.
    """

    _items = _text_bytes = 0

    @staticmethod
    def _at_most(what: str, count: int, most: int) -> int:
        if count > most:
            raise ValueError(f"its header has {count:,} {what}. At most {most:,} are read")
        return count

    def _text_of(self, length: int) -> int:
        self._text_bytes = self._at_most("bytes of texts", self._text_bytes + length, MAX_TEXT_BYTES)
        return length

    def _get_str(self, offset: int) -> tuple[np.ndarray, np.ndarray]:
        self._text_of(int(self._get(offset, np.uint64)[0]))
        return super()._get_str(offset)

    def _build_fields(self, offs: int, count: int) -> int:
        return super()._build_fields(offs, self._at_most("values", int(count), MAX_FIELDS))

    def _build_tensor_info(self, offs: int, count: int) -> tuple[int, list[ReaderField]]:
        return super()._build_tensor_info(offs, self._at_most("tensors", int(count), MAX_FIELDS))

    def _get(self, offset: int, dtype: Any, count: Any = 1, override_order: Any = None) -> np.ndarray:
        ordered = np.dtype(dtype).newbyteorder(override_order or self.byte_order)
        return np.frombuffer(self.data, ordered, int(count), int(offset))

    def _get_field_parts(self, orig_offs: int, raw_type: int) -> tuple[int, list[Any], list[int], list[GGUFValueType]]:
        if raw_type != GGUFValueType.ARRAY:
            return super()._get_field_parts(orig_offs, raw_type)
        kind = GGUFValueType(int(self._get(orig_offs, np.uint32)[0]))
        count, start = int(self._get(orig_offs + 4, np.uint64)[0]), orig_offs + 12
        self._items = self._at_most("items of lists", self._items + count, MAX_ITEMS)
        if kind == GGUFValueType.STRING:
            items, end = self._strings(start, count)
        else:
            numbers = self._get(start, self.gguf_scalar_to_np[kind], count)
            items, end = list(numbers[:, None]), start + numbers.nbytes
        return end - orig_offs, items, list(range(len(items))), [GGUFValueType.ARRAY, kind]

    def _strings(self, at: int, count: int) -> tuple[list[Any], int]:
        """`count` strings, each stored after its length, and the offset after the last one."""
        length = struct.Struct("<Q" if self.endianess == GGUFEndian.LITTLE else ">Q")
        buffer, strings = self.data.data, []
        for _ in range(count):
            start = at + length.size
            at = start + self._text_of(length.unpack_from(buffer, at)[0])
            strings.append(buffer[start:at])
        return strings, at


class GgufFile:
    """A GGUF file, or all parts of one, opened. `values` are those of the header of the first part.

    Raises `DamagedWeights` for a file that is not whole, and for parts that are not of one model; `UnusableFiles` for a
    part without the others.
    """

    def __init__(self, path: Path) -> None:
        self.path, self.paths = path, parts_beside(path)
        self._readers: list[tuple[Path, GGUFReader]] = []
        self.values: dict[str, Any] = {}
        for number, part in enumerate(self.paths):
            values = self._open(part)
            self._check_part(part, number, values)
            self.values = self.values or values

    def _check_part(self, path: Path, number: int, values: dict[str, Any]) -> None:
        """Raises `DamagedWeights` for a part that is not the one that its name says. `number` counts from 0."""
        held, count, said = values.get("split.no", 0), values.get("split.count") or 1, len(self.paths)
        if said == 1 and count != 1:
            raise DamagedWeights(
                f"{path.name} is one of {count} parts of a model. Give each part the name that it had, such as "
                "model-00001-of-00003.gguf, and put all of them into one folder."
            )
        if (held, count) != (number, said):
            raise DamagedWeights(
                f"{path.name} is not part {number + 1} of {said} of a model, as its name says. Get all parts of one "
                "model again."
            )

    def _open(self, path: Path) -> dict[str, Any]:
        """The values of a header."""
        try:
            check_regular(path)
            reader = QuickReader(path)
            values = {name: field.contents() for name, field in reader.fields.items()}
        except Exception as error:  # the library raises ValueError, IndexError and others on a damaged file
            raise damaged(path, "is not a whole GGUF file", error) from error
        self._readers.append((path, reader))
        return values

    def tensors(self) -> GgufTensors:
        """The tensors of all parts. Raises `DamagedWeights` for a kind of numbers that cannot be read."""
        for path, reader in self._readers:
            if sum(tensor.n_bytes for tensor in reader.tensors) > path.stat().st_size:
                raise damaged(path, "is not a whole GGUF file", "its tensors have more bytes than the file")
            _check_kinds(path, reader)
        found = [(path, tensor) for path, reader in self._readers for tensor in reader.tensors]
        if len({tensor.name for _, tensor in found}) < len(found):
            raise damaged(self.path, "cannot be used", "its parts hold a tensor twice")
        return GgufTensors(found)


def _check_kinds(path: Path, reader: GGUFReader) -> None:
    """Raises `DamagedWeights` for a kind of numbers that the library cannot read."""
    for kind in {tensor.tensor_type for tensor in reader.tensors}:
        try:
            dequantize(np.zeros((1, GGML_QUANT_SIZES[kind][1]), np.uint8), kind)
        except NotImplementedError:
            raise DamagedWeights(
                f"{path.name} holds numbers of the kind {kind.name}, which cannot be read. Take another file of the "
                "same model, such as Q8_0 or F16."
            ) from None


class GgufTensors:
    """The tensors of a GGUF file, whose quantised numbers become float32."""

    def __init__(self, found: Sequence[tuple[Path, ReaderTensor]]) -> None:
        self._stored = {tensor.name: tensor for _, tensor in found}
        # GGUF has the axes from the last to the first.
        self.tensors = {
            each.name: Stored(path, tuple(map(int, reversed(each.shape))), each.tensor_type.name)
            for path, each in found
        }

    def read(self, names: Iterable[str], use: Callable[[str, Tensor], Result]) -> Iterator[Result]:
        """What `use` makes of each of these tensors. Raises `DamagedWeights`."""
        with ThreadPoolExecutor(os.cpu_count()) as pool:  # NumPy and torch release Python's lock while they work
            yield from pool.map(lambda name: use(name, self.read_one(name)), names)

    def read_one(self, name: str) -> Tensor:
        """A tensor in float32. Raises `DamagedWeights`."""
        return check_numbers(name, build_from(self.tensors[name].path, dequantise, self._stored[name]))


def dequantise(tensor: ReaderTensor) -> Tensor:
    """The quantised numbers as float32, in new memory."""
    return torch.from_numpy(np.require(dequantize(tensor.data, tensor.tensor_type), np.float32, "W"))
