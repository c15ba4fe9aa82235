"""Llama, Qwen2 and Qwen3 from a GGUF file, whose quantised weights become float32."""

from __future__ import annotations

import os
import struct
from collections.abc import Callable, Collection, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import torch
from gguf import GGML_QUANT_SIZES, GGUFEndian, GGUFReader, GGUFValueType, ReaderField, ReaderTensor, dequantize
from torch import Tensor

from model.config import TransformerConfig
from model.errors import DamagedWeights
from model.regular_file import check_regular
from model.zoo.checkpoint import Checkpoint
from model.zoo.family import keep
from model.zoo.files import build_from, damaged
from model.zoo.gguf_values import ARCHITECTURES, check, gguf_config
from model.zoo.llama import LLAMA, QWEN2, QWEN3
from model.zoo.other_families import say_other
from model.zoo.plan import Plan
from model.zoo.stored_names import rename
from model.zoo.tokenizers.gguf_tokenizer import gguf_tokenizer
from model.zoo.weight_files import Result, Stored, check_numbers

NAMES = {
    "token_embd.weight": "decoder.embed.tokens.weight",
    "blk.{}.attn_norm.weight": "decoder.blocks.{}.attn_norm.gain",
    "blk.{}.attn_q.weight": "decoder.blocks.{}.self_attn.query.weight",
    "blk.{}.attn_k.weight": "decoder.blocks.{}.self_attn.key.weight",
    "blk.{}.attn_v.weight": "decoder.blocks.{}.self_attn.value.weight",
    "blk.{}.attn_output.weight": "decoder.blocks.{}.self_attn.out.weight",
    "blk.{}.attn_q.bias": "decoder.blocks.{}.self_attn.query.bias",
    "blk.{}.attn_k.bias": "decoder.blocks.{}.self_attn.key.bias",
    "blk.{}.attn_v.bias": "decoder.blocks.{}.self_attn.value.bias",
    "blk.{}.attn_output.bias": "decoder.blocks.{}.self_attn.out.bias",
    "blk.{}.attn_q_norm.weight": "decoder.blocks.{}.self_attn.query_norm.gain",
    "blk.{}.attn_k_norm.weight": "decoder.blocks.{}.self_attn.key_norm.gain",
    "blk.{}.ffn_norm.weight": "decoder.blocks.{}.ffn_norm.gain",
    "blk.{}.ffn_gate.weight": "decoder.blocks.{}.ffn.expand.weight",
    "blk.{}.ffn_up.weight": "decoder.blocks.{}.ffn.up.weight",
    "blk.{}.ffn_down.weight": "decoder.blocks.{}.ffn.contract.weight",
    "output_norm.weight": "decoder.final_norm.gain",
    "output.weight": "unembed.weight",
    "rope_freqs.weight": None,  # it is a value of the configuration
}
FAMILIES = {  # by `general.architecture`; the rows of a Llama's heads already have the order of our rotary positions
    "llama": replace(LLAMA, names=NAMES, fit=keep),
    "qwen2": replace(QWEN2, names=NAMES),
    "qwen3": replace(QWEN3, names=NAMES),
}
NO_MODELS = {  # by `general.type`
    "mmproj": "the part of a model that reads pictures",
    "adapter": "an adapter (LoRA)",
    "imatrix": "statistics for the making of smaller files",
}
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


def read_gguf(path: Path) -> tuple[GGUFReader, dict[str, Any]]:
    """The reader of a GGUF file of this family, and the values of its header. Raises `DamagedWeights`."""
    try:
        check_regular(path)
        reader = QuickReader(path)
        values = {name: field.contents() for name, field in reader.fields.items()}
    except Exception as error:  # the library raises ValueError, IndexError and others on a damaged file
        raise damaged(path, "is not a whole GGUF file", error) from error
    _check_is_model(path, values)
    return reader, values


def _check_is_model(path: Path, values: dict[str, Any]) -> None:
    """Raises `DamagedWeights` unless a GGUF file holds a whole model of an architecture that is read."""
    kind, what = values.get("general.architecture"), values.get("general.type", "model")
    if kind == "clip" or what != "model":
        words = NO_MODELS.get("mmproj" if kind == "clip" else str(what), repr(what))
        raise DamagedWeights(
            f"{path.name} holds {words[:60]}, and no whole model. Take the file that it stands beside."
        )
    if kind not in ARCHITECTURES:
        raise DamagedWeights(
            f"{path.name} holds a {repr(kind)[:60]} model. From GGUF only these are read: {', '.join(ARCHITECTURES)}."
            + say_other(kind)
        )
    if isinstance(count := values.get("split.count"), int) and count > 1:
        raise DamagedWeights(
            f"{path.name} is one of {count} parts of a model. Join them with llama-gguf-split --merge of llama.cpp, or "
            "take a smaller file of the same model, which has one part."
        )


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


def open_gguf(path: Path) -> Checkpoint:
    """A GGUF file, opened: all of its tensors fit, by its header. Raises `DamagedWeights`."""
    reader, values = read_gguf(path)
    if sum(tensor.n_bytes for tensor in reader.tensors) > path.stat().st_size:
        raise damaged(path, "is not a whole GGUF file", "its tensors have more bytes than the file")
    check(path, values)
    _check_kinds(path, reader)
    family = FAMILIES[values["general.architecture"]]
    names = rename(family.name, NAMES, (tensor.name for tensor in reader.tensors))
    tied, slower = "output.weight" not in names, _slower_turns(reader)
    config = _with_biases(build_from(path, partial(gguf_config, tied=tied, slower=slower), values), names.values())
    planned = Plan(GgufTensors(path, reader), family, config, {theirs: (ours,) for theirs, ours in names.items()})
    planned.check(path)
    tokenizer = build_from(path, gguf_tokenizer, values)
    return Checkpoint(path, family.name, config, (path,), planned.nbytes, planned.weights, tokenizer)


class GgufTensors:
    """The tensors of a GGUF file, whose quantised numbers become float32."""

    def __init__(self, path: Path, reader: GGUFReader) -> None:
        self._path, self._stored = path, {tensor.name: tensor for tensor in reader.tensors}
        # GGUF has the axes from the last to the first.
        self.tensors = {
            name: Stored(path, tuple(map(int, reversed(each.shape))), each.tensor_type.name)
            for name, each in self._stored.items()
        }

    def read(self, names: Iterable[str], use: Callable[[str, Tensor], Result]) -> Iterator[Result]:
        """What `use` makes of each of these tensors. Raises `DamagedWeights`."""

        def open_one(name: str) -> Result:
            return use(name, check_numbers(name, build_from(self._path, dequantise, self._stored[name])))

        with ThreadPoolExecutor(os.cpu_count()) as pool:  # NumPy and torch release Python's lock while they work
            yield from pool.map(open_one, names)


def _with_biases(config: TransformerConfig, ours: Collection[str]) -> TransformerConfig:
    """The configuration with the biases of attention that the file has: only its tensors tell of a Llama's."""
    biased = {name.split(".")[-2] for name in ours if name.endswith(".bias")}
    return replace(
        config, qkv_bias=config.has_qkv_bias or "query" in biased, out_bias=config.has_out_bias or "out" in biased
    )


def _slower_turns(reader: GGUFReader) -> tuple[float, ...]:
    """What the speeds of the pairs are divided by, as Llama 3.1's and 3.2's files have it; () where they do not."""
    found = [tensor for tensor in reader.tensors if tensor.name == "rope_freqs.weight"]
    return tuple(check_numbers(found[0].name, dequantise(found[0])).flatten().tolist()) if found else ()


def dequantise(tensor: ReaderTensor) -> Tensor:
    """The quantised numbers as float32, in new memory."""
    return torch.from_numpy(np.require(dequantize(tensor.data, tensor.tensor_type), np.float32, "W"))
