"""Files that make no model of ours: each is refused with what in it is the reason, and what to take instead."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import torch

from model.adding.add import look
from model.errors import DamagedWeights, UnsupportedFamily
from model.loading import load, read_checkpoint
from tests.model.zoo import raw_checkpoint, tiny
from tests.model.zoo.as_people_have_them.test_files import store, stored
from tests.model.zoo.tiny_gguf import write_gguf

EXTRA: dict[str, tuple[str, str]] = {  # a tensor more in a Llama -> the reason, and the way out
    "model.layers.0.block_sparse_moe.experts.0.w1.weight": ("a mixture of experts", "take a model without experts"),
    "model.layers.0.mlp.experts.3.up_proj.weight": ("a mixture of experts", "take a model without experts"),
    "model.layers.0.self_attn.q_proj.qweight": ("quantised by GPTQ or AWQ", "Take the model that it was made from"),
    "model.layers.0.self_attn.q_proj.weight.absmax": ("quantised by bitsandbytes", "or a GGUF file of it"),
    "model.layers.0.self_attn.q_proj.weight_scale": ("quantised weights with their scales", "or a GGUF file"),
    "model.layers.0.self_attn.q_proj.lora_A.weight": ("an adapter", "merge_and_unload"),
    "_fsdp_wrapped_module._flat_param": ("several machines", "Save the whole model"),
    "vision_tower.encoder.weight": ("reads pictures and texts", "Take the model of text"),
    "model.layers.0.mixer.A_log": ("another kind of attention, or none", "None of its files"),
    "model.layers.0.self_attn.sinks": ("the family Llama does not know", "Another file of the same model would"),
}


@pytest.mark.parametrize("name", EXTRA)
def test_tensors_that_tell_what_the_file_is(name: str, tmp_path: Path) -> None:
    raw_checkpoint.write(tmp_path)
    store(tmp_path, {**stored(tmp_path), name: torch.ones(1)})
    reason, way_out = EXTRA[name]
    with pytest.raises(DamagedWeights, match=f"{reason}.*{way_out}"):
        read_checkpoint(tmp_path)


def test_a_missing_tensor_has_the_name_of_the_file_too(tmp_path: Path) -> None:
    raw_checkpoint.write(tmp_path)
    tensors = stored(tmp_path)
    del tensors["model.layers.1.mlp.up_proj.weight"]
    store(tmp_path, tensors)
    words = r"lacks model\.layers\.1\.mlp\.up_proj\.weight \(decoder\.blocks\.1\.ffn\.up\.weight\)\..*get all files"
    with pytest.raises(DamagedWeights, match=words):
        read_checkpoint(tmp_path)


@pytest.mark.parametrize("dtype", [torch.float8_e4m3fn, torch.float8_e5m2, torch.uint8])
def test_numbers_of_eight_bits_are_refused(dtype: torch.dtype, tmp_path: Path) -> None:
    raw_checkpoint.write(tmp_path)
    store(tmp_path, {name: tensor.to(dtype) for name, tensor in stored(tmp_path).items()})
    with pytest.raises(
        DamagedWeights, match=r"model\.safetensors is quantised: .* is stored as .*or a GGUF file of it"
    ):
        read_checkpoint(tmp_path)


OTHERS: dict[str, tuple[tuple[str, ...], str]] = {
    "an adapter": (("adapter_config.json", "adapter_model.safetensors"), "is an adapter .*merge the two"),
    "pickles": (
        ("config.json", "pytorch_model.bin"),
        r"only as pytorch_model\.bin.*model\.safetensors, or a GGUF file",
    ),
    "of TensorFlow": (("config.json", "tf_model.h5"), r"only as tf_model\.h5"),
    "of Mistral": (("params.json", "consolidated.safetensors"), "names of its own. Take a revision"),
    "parts of a GGUF": (
        ("m-00001-of-00003.gguf", "m-00002-of-00003.gguf"),
        r"of 3 parts .*such as m-00003-of-00003",
    ),
    "the eyes of a GGUF": (("mmproj-m-f16.gguf",), "stands beside one"),
    "statistics of a GGUF": (("m.imatrix.gguf",), "stands beside one"),
    "no config": (("model.safetensors",), r"has no config\.json"),
    "nothing": ((), "no model to read"),
}


@pytest.mark.parametrize("name", OTHERS)
def test_files_that_make_no_model(name: str, tmp_path: Path) -> None:
    files, why = OTHERS[name]
    for file in files:
        (tmp_path / file).write_bytes(b"{}")
    for ask in (look, load):
        with pytest.raises(DamagedWeights, match=why):
            ask(str(tmp_path))


def test_a_part_of_a_gguf_is_refused_by_its_own_name(tmp_path: Path) -> None:
    (tmp_path / "m-00002-of-00003.gguf").write_bytes(b"GGUF")
    with pytest.raises(DamagedWeights, match="one of 3 parts"):
        load(str(tmp_path / "m-00002-of-00003.gguf"))


GGUFS: dict[str, tuple[dict[str, Any], str]] = {  # metadata, or tensors more -> the reason, and the way out
    "an adapter": ({"metadata": {"general.type": "adapter"}}, r"holds an adapter \(LoRA\), and no whole model"),
    "statistics": ({"metadata": {"general.type": "imatrix"}}, "holds statistics for the making of smaller files"),
    "eyes": ({"metadata": {"general.type": "mmproj"}}, "holds the part of a model that reads pictures"),
    "a part": ({"metadata": {"split.count": 3}}, "is one of 3 parts of a model.*Give each part the name"),
    "experts": ({"blk.0.ffn_gate_exps.weight": torch.ones(2)}, r"has the shape \(2,\); there are 0 experts"),
}


@pytest.mark.parametrize("name", GGUFS)
def test_a_gguf_file_that_is_no_model_of_ours(name: str, tmp_path: Path) -> None:
    changes, why = GGUFS[name]
    path = write_gguf(tiny.llama(tmp_path)[1], **changes)
    with pytest.raises(DamagedWeights, match=why):
        load(str(path))


KINDS = {
    "gpt_oss": "It is a mixture of experts",
    "cohere2": "Its norms, caps and scales are of their own kind",
    "llava": "It reads pictures and texts together",
    "mamba": "have no attention",
    "whisper": "It reads sound",
    "deberta-v2": r"These can: Llama, [^:]*\.$",
}


@pytest.mark.parametrize("kind", KINDS)
def test_a_kind_of_model_that_is_not_read_is_described(kind: str, tmp_path: Path) -> None:
    raw_checkpoint.write(tmp_path)
    raw_checkpoint.change(tmp_path, model_type=kind)
    with pytest.raises(UnsupportedFamily, match=f"model_type '{kind}', which cannot be read.*{KINDS[kind]}"):
        read_checkpoint(tmp_path)
