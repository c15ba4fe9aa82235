"""A model of `transformers` as a GGUF file. The names of the tensors are those that the package `gguf` gives them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import gguf
import torch
from gguf import GGMLQuantizationType, GGUFWriter

from tests.model.zoo.as_people_have_them.tokenizer_folders import byte_level

# All matrices of a kind of a layer's experts are one tensor in `transformers`, too.
EXPERTS = re.compile(r"layers\.(\d+)\.\w+\.(?:experts\.)?(gate_up_proj|down_proj|(?:in|out)put_linear\.weight)$")
F32 = GGMLQuantizationType.F32
CONTROL = 3


@dataclass(frozen=True)
class Kind:
    """How llama.cpp's converter writes one architecture: its values, by keys without the name of the architecture."""

    name: str
    values: Mapping[str, Any]
    turned: bool = False  # the rows of queries and keys are in the order of neighbours that turn together
    gains: bool = False  # the file has 1 + g of each gain
    tensors: Mapping[str, torch.Tensor] = field(default_factory=dict)


def write_model(path: Path, model: Any, kind: Kind, narrow: GGMLQuantizationType = F32) -> Path:
    """The model as one GGUF file, its matrices in this kind of numbers."""
    writer = GGUFWriter(path, kind.name)
    write_values(writer, model, kind)
    for name, tensor in tensors_of(model, kind):
        here = narrow if tensor.dim() > 1 and tensor.shape[1] % 32 == 0 else F32
        writer.add_tensor(name, gguf.quantize(tensor.numpy(), here), raw_dtype=here)
    finish(writer)
    return path


def finish(writer: GGUFWriter) -> None:
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def write_values(writer: GGUFWriter, model: Any, kind: Kind) -> None:
    config = model.config
    usual = {
        "context_length": config.max_position_embeddings,
        "embedding_length": config.hidden_size,
        "feed_forward_length": config.intermediate_size,
        "block_count": config.num_hidden_layers,
        "attention.head_count": config.num_attention_heads,
        "attention.head_count_kv": getattr(config, "num_key_value_heads", config.num_attention_heads),
    }
    for key, value in {**usual, **kind.values}.items():
        kinds = {bool: writer.add_bool, int: writer.add_uint32, float: writer.add_float32, str: writer.add_string}
        kinds.get(type(value), writer.add_array)(f"{kind.name}.{key}", value)
    if kind.name == "bert":
        write_pieces(writer, config)
        return
    model_of = json.loads(byte_level().to_str())["model"]
    pieces = sorted(model_of["vocab"], key=model_of["vocab"].get)[: config.vocab_size]
    merges = [" ".join(pair) for pair in model_of["merges"] if "".join(pair) in pieces]
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre("gpt-2")
    writer.add_token_list(pieces)
    writer.add_token_merges(merges)


def write_pieces(writer: GGUFWriter, config: Any) -> None:
    """A vocabulary of words, with a bar before what begins one."""
    pieces = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *(f"▁{letter}" for letter in "abcdefghij"), *"abcdefgh"]
    writer.add_tokenizer_model("bert")
    writer.add_token_list(pieces[: config.vocab_size])
    writer.add_token_type_count(config.type_vocab_size)


def tensors_of(model: Any, kind: Kind) -> Iterable[tuple[str, torch.Tensor]]:
    """The tensors under the names of the package `gguf`, as the converter writes them."""
    (architecture,) = (each for each, name in gguf.MODEL_ARCH_NAMES.items() if name == kind.name)
    names = gguf.get_tensor_name_map(architecture, model.config.num_hidden_layers)
    tied = getattr(model.config, "tie_word_embeddings", False)
    for hub, tensor in model.state_dict().items():
        if tied and hub == "lm_head.weight":
            continue
        if of_experts := EXPERTS.search(hub):
            layer, pair = of_experts[1], of_experts[2] in ("gate_up_proj", "input_linear.weight")
            kinds = zip(("gate", "up"), tensor.chunk(2, 1), strict=True) if pair else [("down", tensor)]
            yield from ((f"blk.{layer}.ffn_{name}_exps.weight", each.contiguous()) for name, each in kinds)
            continue
        stem, _, end = hub.replace("moe.router.", "moe.router.layer.").rpartition(".")
        name = names.get_name(stem)
        assert name is not None, hub
        tensor = tensor.squeeze()  # the gate of a shared expert is one row
        if kind.turned and ("attn_q." in f"{name}." or "attn_k." in f"{name}."):
            width = getattr(model.config, "head_dim", None) or (
                model.config.hidden_size // model.config.num_attention_heads
            )
            tensor = tensor.unflatten(0, (-1, 2, width // 2)).transpose(1, 2).flatten(0, 2)
        yield f"{name}.{end}", (1 + tensor if kind.gains and "norm" in name else tensor).contiguous()
    yield from kind.tensors.items()
