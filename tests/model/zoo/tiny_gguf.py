"""The tiny Llama checkpoint of `tests.model.zoo.tiny` as a GGUF file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from gguf import GGMLQuantizationType, GGUFWriter, quantize
from safetensors.torch import load_file


def write_gguf(path: Path, kind: GGMLQuantizationType = GGMLQuantizationType.F32, **changes: Any) -> Path:
    """The tiny checkpoint as GGUF, its query and key rows in the order that llama.cpp writes. `changes` are tensors to
    add, or None to leave out, and `architecture`, `pre`, `end`, `turn_end`, and `metadata`: more values, by
    the key without the architecture. None leaves one out."""
    values, stored = json.loads((path.parent / "config.json").read_text()), load_file(path)
    written = path.with_suffix(".gguf")
    architecture, metadata = changes.pop("architecture", "llama"), changes.pop("metadata", {})
    writer = GGUFWriter(written, architecture)
    writer.add_context_length(64)
    writer.add_embedding_length(32)
    writer.add_feed_forward_length(48)
    writer.add_block_count(3)
    writer.add_head_count(4)
    writer.add_head_count_kv(2)
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_rope_freq_base(values["rope_parameters"]["rope_theta"])
    writer.add_rope_dimension_count(values.get("head_dim") or 8)
    writer.add_key_length(values.get("head_dim") or 8)
    for key, value in metadata.items():
        add_value(writer, key if key.startswith(("split.", "general.")) else f"{architecture}.{key}", value)
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre(changes.pop("pre", "smollm"))
    pieces, merges = [*"abcdefghijklmnopqrs0", "Ġ", "ab", "<end>"], ["a b"]
    if values["vocab_size"] != len(pieces):
        pieces, merges = byte_level_pieces(path.parent)
    end = changes.pop("end", len(pieces) - 1)
    writer.add_token_list(pieces)
    writer.add_token_types([3 if id == end else 1 for id in range(len(pieces))])
    writer.add_token_merges(merges)
    writer.add_eos_token_id(end)
    if (turn_end := changes.pop("turn_end", None)) is not None:
        writer.add_eot_token_id(turn_end)
    if (start := changes.pop("start", None)) is not None:
        writer.add_bos_token_id(start)
    theirs = {hub: name for name, hub in gguf_to_hub(3).items()}
    tensors = {theirs[name]: tensor for name, tensor in stored.items() if name in theirs}
    for name, tensor in {**tensors, **changes}.items():
        if tensor is None:
            continue
        if architecture == "llama" and ("attn_q" in name or "attn_k" in name):
            tensor = tensor.unflatten(0, (-1, 2, 4)).transpose(1, 2).flatten(0, 2)
        narrow = kind if tensor.dim() > 1 and tensor.shape[1] % 32 == 0 else GGMLQuantizationType.F32
        writer.add_tensor(name, quantize(tensor.contiguous().numpy(), narrow), raw_dtype=narrow)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return written


def add_value(writer: GGUFWriter, name: str, value: Any) -> None:
    """A value under any key, in the place of one that is there; None takes it out."""
    writer.kv_data[0].pop(name, None)
    if value is not None:
        kinds = {bool: writer.add_bool, int: writer.add_uint32, float: writer.add_float32, str: writer.add_string}
        kinds.get(type(value), writer.add_array)(name, value)


def gguf_to_hub(layers: int) -> dict[str, str]:
    """The names of llama.cpp's conversion -> those of the Hugging Face hub."""
    parts = {
        "attn_norm": "input_layernorm",
        "attn_q": "self_attn.q_proj",
        "attn_k": "self_attn.k_proj",
        "attn_q_norm": "self_attn.q_norm",
        "attn_k_norm": "self_attn.k_norm",
        "attn_v": "self_attn.v_proj",
        "attn_output": "self_attn.o_proj",
        "ffn_norm": "post_attention_layernorm",
        "ffn_gate": "mlp.gate_proj",
        "ffn_up": "mlp.up_proj",
        "ffn_down": "mlp.down_proj",
    }
    names = {"token_embd": "model.embed_tokens", "output_norm": "model.norm", "output": "lm_head"}
    names |= {f"blk.{l}.{part}": f"model.layers.{l}.{hub}" for l in range(layers) for part, hub in parts.items()}
    return {f"{name}.{end}": f"{hub}.{end}" for name, hub in names.items() for end in ("weight", "bias")}


def byte_level_pieces(folder: Path) -> tuple[list[str], list[str]]:
    """The pieces by their ids, and the merges, of a tokenizer.json."""
    model = json.loads((folder / "tokenizer.json").read_text(encoding="utf-8"))["model"]
    pieces = sorted(model["vocab"], key=model["vocab"].get)
    return pieces, [" ".join(merge) for merge in model["merges"]]
