"""The Llama family (SmolLM2, TinyLlama): pre-norm decoders, RMSNorm, rotary positions, a gated feed-forward network.

Read from a GGUF file, whose quantised weights become float32, or from a folder with `model.safetensors`.
"""

from __future__ import annotations

import struct
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import torch
from gguf import GGUFEndian, GGUFReader, GGUFValueType, ReaderTensor, dequantize
from tokenizers import AddedToken, decoders, models, pre_tokenizers
from tokenizers import Tokenizer as Backend
from torch import Tensor

from model.config import TransformerConfig
from model.errors import DamagedWeights
from model.tokens.tokenizer import Tokenizer
from model.zoo.bundled import read_weights
from model.zoo.files import Progress, build_from, damaged, no_progress, read_object, rename

GGUF_NAMES = {
    "token_embd.weight": "decoder.embed.tokens.weight",
    "blk.{}.attn_norm.weight": "decoder.blocks.{}.attn_norm.gain",
    "blk.{}.attn_q.weight": "decoder.blocks.{}.self_attn.query.weight",
    "blk.{}.attn_k.weight": "decoder.blocks.{}.self_attn.key.weight",
    "blk.{}.attn_v.weight": "decoder.blocks.{}.self_attn.value.weight",
    "blk.{}.attn_output.weight": "decoder.blocks.{}.self_attn.out.weight",
    "blk.{}.ffn_norm.weight": "decoder.blocks.{}.ffn_norm.gain",
    "blk.{}.ffn_gate.weight": "decoder.blocks.{}.ffn.expand.weight",
    "blk.{}.ffn_up.weight": "decoder.blocks.{}.ffn.up.weight",
    "blk.{}.ffn_down.weight": "decoder.blocks.{}.ffn.contract.weight",
    "output_norm.weight": "decoder.final_norm.gain",
    "output.weight": "unembed.weight",
}

SAFETENSORS_NAMES = {
    "model.embed_tokens.weight": "decoder.embed.tokens.weight",
    "model.layers.{}.input_layernorm.weight": "decoder.blocks.{}.attn_norm.gain",
    "model.layers.{}.self_attn.q_proj.weight": "decoder.blocks.{}.self_attn.query.weight",
    "model.layers.{}.self_attn.k_proj.weight": "decoder.blocks.{}.self_attn.key.weight",
    "model.layers.{}.self_attn.v_proj.weight": "decoder.blocks.{}.self_attn.value.weight",
    "model.layers.{}.self_attn.o_proj.weight": "decoder.blocks.{}.self_attn.out.weight",
    "model.layers.{}.self_attn.rotary_emb.inv_freq": None,  # our network computes it from the base
    "model.layers.{}.post_attention_layernorm.weight": "decoder.blocks.{}.ffn_norm.gain",
    "model.layers.{}.mlp.gate_proj.weight": "decoder.blocks.{}.ffn.expand.weight",
    "model.layers.{}.mlp.up_proj.weight": "decoder.blocks.{}.ffn.up.weight",
    "model.layers.{}.mlp.down_proj.weight": "decoder.blocks.{}.ffn.contract.weight",
    "model.norm.weight": "decoder.final_norm.gain",
    "lm_head.weight": "unembed.weight",
}

FAMILY: dict[str, Any] = {
    "bias": False,
    "norm": "rms",
    "norm_position": "pre",
    "positions": "rotary",
    "embed_scale": False,
    "activation": "silu",
    "gated": True,
}


def read(path: Path, progress: Progress = no_progress) -> tuple[TransformerConfig, dict[str, Tensor], Tokenizer]:
    """Configuration, weights and tokenizer of a GGUF file, or of the folder of a `model.safetensors`.

    Raises `DamagedWeights` if the file is truncated or not of this family.
    """
    return read_gguf(path, progress) if path.suffix == ".gguf" else read_folder(path.parent)


def read_tokenizer(path: Path) -> Tokenizer:
    """The tokenizer of the same files, without the weights. Raises `DamagedWeights`."""
    if path.suffix == ".gguf":
        return build_from(path, gguf_tokenizer, open_gguf(path)[1])
    return folder_tokenizer(path.parent, folder_values(path.parent))


class QuickReader(GGUFReader):
    """The library's reader, in a tenth of its time.

    The library slices a memmap for every number and every word of the vocabulary: a hundred thousand times. This one
    reads through the buffer, and reads an array of numbers whole.
    """

    def _get(self, offset: int, dtype: Any, count: Any = 1, override_order: Any = None) -> np.ndarray:
        ordered = np.dtype(dtype).newbyteorder(override_order or self.byte_order)
        return np.frombuffer(self.data, ordered, int(count), int(offset))

    def _get_field_parts(self, orig_offs: int, raw_type: int) -> tuple[int, list[Any], list[int], list[GGUFValueType]]:
        if raw_type != GGUFValueType.ARRAY:
            return super()._get_field_parts(orig_offs, raw_type)
        kind = GGUFValueType(int(self._get(orig_offs, np.uint32)[0]))
        count, start = int(self._get(orig_offs + 4, np.uint64)[0]), orig_offs + 12
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
            at = start + length.unpack_from(buffer, at)[0]
            strings.append(buffer[start:at])
        return strings, at


def open_gguf(path: Path) -> tuple[GGUFReader, dict[str, Any]]:
    """The reader of a GGUF file of this family, and the values of its header. Raises `DamagedWeights`."""
    try:
        reader = QuickReader(path)
        values = {name: field.contents() for name, field in reader.fields.items()}
    except Exception as error:  # the library raises ValueError, IndexError and others on a damaged file
        raise damaged(path, "is not a whole GGUF file", error) from error
    if values.get("general.architecture") != "llama":
        raise DamagedWeights(
            f"{path.name} holds a {repr(values.get('general.architecture'))[:60]} model, not a Llama one."
        )
    return reader, values


def read_gguf(path: Path, progress: Progress) -> tuple[TransformerConfig, dict[str, Tensor], Tokenizer]:
    """Configuration, weights (as float32) and tokenizer of a GGUF file. Raises `DamagedWeights`."""
    reader, values = open_gguf(path)
    if sum(tensor.n_bytes for tensor in reader.tensors) > path.stat().st_size:
        raise damaged(path, "is not a whole GGUF file", "its tensors have more bytes than the file")
    names = rename((tensor.name for tensor in reader.tensors), GGUF_NAMES)
    config = build_from(path, partial(gguf_config, tied="output.weight" not in names), values)
    tokenizer = build_from(path, gguf_tokenizer, values)
    weights = build_from(path, partial(_open_all, names=names, progress=progress), reader)
    return config, weights, tokenizer


def _open_all(reader: GGUFReader, names: dict[str, str], progress: Progress) -> dict[str, Tensor]:
    weights = {}
    with ThreadPoolExecutor() as pool:  # NumPy releases Python's lock, so the threads run in parallel
        opened = pool.map(dequantise, reader.tensors)
        for done, (tensor, weight) in enumerate(zip(reader.tensors, opened, strict=True), start=1):
            weights[names[tensor.name]] = weight
            progress("Reading the weights", done / len(reader.tensors))
    return weights


def dequantise(tensor: ReaderTensor) -> Tensor:
    """The quantised numbers as float32, in new memory."""
    return torch.from_numpy(np.require(dequantize(tensor.data, tensor.tensor_type), np.float32, "W"))


def gguf_config(values: dict[str, Any], tied: bool) -> TransformerConfig:
    """The configuration in GGUF metadata. Raises `DamagedWeights`, or `KeyError` for a missing value."""
    if values.get("llama.rope.scaling.type", "none") != "none":
        raise DamagedWeights(
            f"Rotary scaling of the type {repr(values['llama.rope.scaling.type'])[:60]} is not supported."
        )
    heads = values["llama.attention.head_count"]
    width = values["llama.embedding_length"]
    return TransformerConfig(
        **FAMILY,
        vocab_size=len(values["tokenizer.ggml.tokens"]),
        d_model=width,
        n_heads=heads,
        n_kv_heads=values.get("llama.attention.head_count_kv", heads),
        d_head=values.get("llama.rope.dimension_count", width // heads),
        d_ff=values["llama.feed_forward_length"],
        n_decoder_layers=values["llama.block_count"],
        max_length=values["llama.context_length"],
        norm_eps=values["llama.attention.layer_norm_rms_epsilon"],
        position_base=values.get("llama.rope.freq_base", 10000.0),
        tied_embeddings=tied,
    )


def gguf_tokenizer(values: dict[str, Any]) -> Tokenizer:
    """Byte-level BPE from GGUF metadata. SmolLM2's tokenizer ("smollm") splits every digit off, GPT-2's does not.

    Raises `DamagedWeights` for any other tokenizer, `KeyError` for a missing value.
    """
    splitting = values.get("tokenizer.ggml.pre", "gpt-2")
    if values.get("tokenizer.ggml.model") != "gpt2" or splitting not in ("smollm", "gpt-2"):
        raise DamagedWeights(
            f"From GGUF only the tokenizers of GPT-2 and SmolLM can be rebuilt, not {repr(splitting)[:60]}."
        )
    pieces = values["tokenizer.ggml.tokens"]
    merges = [tuple(merge.split(" ")) for merge in values["tokenizer.ggml.merges"]]
    backend = Backend(models.BPE(vocab={piece: id for id, piece in enumerate(pieces)}, merges=merges))
    byte_level = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=True)
    splits = [pre_tokenizers.Digits(individual_digits=True)] if splitting == "smollm" else []
    backend.pre_tokenizer = pre_tokenizers.Sequence([*splits, byte_level])
    backend.decoder = decoders.ByteLevel()
    control = 3  # token_type of tokens that stand for no text
    types = values["tokenizer.ggml.token_type"]
    backend.add_special_tokens(
        [AddedToken(piece, special=True) for piece, type in zip(pieces, types, strict=True) if type == control]
    )
    end = values.get("tokenizer.ggml.eos_token_id")
    if end is not None and not 0 <= end < len(pieces):
        raise ValueError(f"the end token has the id {end}, and there are {len(pieces):,} tokens")
    return Tokenizer(backend, start=None, end=None if end is None else pieces[end], pad=None)


def read_folder(folder: Path) -> tuple[TransformerConfig, dict[str, Tensor], Tokenizer]:
    """A folder with config.json, tokenizer.json and model.safetensors, as on the Hugging Face hub."""
    values = folder_values(folder)
    config = build_from(folder / "config.json", folder_config, values)
    path = folder / "model.safetensors"
    stored = read_weights(path)
    weights = {ours: stored[theirs] for theirs, ours in rename(stored, SAFETENSORS_NAMES).items()}
    if config.tied_embeddings:
        weights.pop("unembed.weight", None)  # a second copy of the embedding table
    for name in weights:
        if name.endswith(("query.weight", "key.weight")):
            weights[name] = build_from(path, partial(pair_up, d_head=config.head_width), weights[name])
    return config, weights, folder_tokenizer(folder, values)


def folder_values(folder: Path) -> dict[str, Any]:
    """The values of the folder's config.json. Raises `DamagedWeights` if it is unreadable or of another family."""
    values = read_object(folder / "config.json")
    if values.get("model_type") != "llama":
        raise DamagedWeights(f"{folder.name} holds a {repr(values.get('model_type'))[:60]} model, not a Llama one.")
    return values


def folder_tokenizer(folder: Path, values: dict[str, Any]) -> Tokenizer:
    """The tokenizer of the folder's tokenizer.json, with the end token that config.json names."""
    tokenizer = Tokenizer.from_file(folder / "tokenizer.json", start=None, end=None, pad=None)
    ends = values.get("eos_token_id")
    end = ends[0] if isinstance(ends, list) and ends else ends
    if end is not None and not (type(end) is int and 0 <= end < tokenizer.size):
        raise damaged(folder / "config.json", "describes no model", f"eos_token_id is {repr(ends)[:60]}")
    tokenizer.end = end
    return tokenizer


def folder_config(values: dict[str, Any]) -> TransformerConfig:
    """The configuration in the values of a config.json. Raises `DamagedWeights`, or `KeyError` for a missing value."""
    rope = values.get("rope_parameters") or values.get("rope_scaling") or {}
    if rope.get("rope_type", rope.get("type", "default")) != "default":
        raise DamagedWeights(
            f"Rotary scaling of the type {repr(rope.get('rope_type', rope.get('type')))[:60]} is not supported."
        )
    if values.get("attention_bias") or values.get("mlp_bias") or values.get("hidden_act", "silu") != "silu":
        raise DamagedWeights("This Llama variant has biases or another activation, which this family does not.")
    return TransformerConfig(
        **FAMILY,
        vocab_size=values["vocab_size"],
        d_model=values["hidden_size"],
        n_heads=values["num_attention_heads"],
        n_kv_heads=values.get("num_key_value_heads"),
        d_head=values.get("head_dim"),
        d_ff=values["intermediate_size"],
        n_decoder_layers=values["num_hidden_layers"],
        max_length=values["max_position_embeddings"],
        norm_eps=values["rms_norm_eps"],
        position_base=rope.get("rope_theta", values.get("rope_theta", 10000.0)),
        tied_embeddings=values.get("tie_word_embeddings", False),
    )


def pair_up(weight: Tensor, d_head: int) -> Tensor:
    """Reorders the rows of each head for our rotary positions.

    Checkpoints of the hub turn feature k together with feature k + d/2. Ours turn neighbours, and so does GGUF.
    """
    rows = weight.unflatten(0, (-1, 2, d_head // 2))  # (heads, half, pair, d_model)
    return rows.transpose(1, 2).flatten(0, 2).contiguous()
