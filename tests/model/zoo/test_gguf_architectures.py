"""GGUF files of every architecture, in every kind of numbers, and in parts: against `transformers` on the same weights.

The names of the tensors are those that the package `gguf` gives them, and the values those of llama.cpp's converter.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import gguf
import numpy as np
import pytest
import torch
import transformers
from gguf import GGMLQuantizationType as Numbers
from gguf import GGUFWriter

from model.errors import DamagedWeights, UnusableFiles
from model.loading import read_checkpoint
from model.tape import Tape
from model.zoo.gguf_architectures import ARCHITECTURES
from model.zoo.opening import open_checkpoint
from tests.model.zoo.hub_gguf import Kind, finish, tensors_of, write_model, write_values
from tests.model.zoo.opened import built
from tests.model.zoo.reference import outputs
from tests.model.zoo.tiny import randomised
from tests.model.zoo.tiny_families import GEMMA, HIDDEN, LLAMA, PADDED, SLIDING, STABLELM

RMS = {"attention.layer_norm_rms_epsilon": 1e-5}
USUAL = {**RMS, "rope.freq_base": 10000.0}
OF_GEMMA = {"attention.layer_norm_rms_epsilon": 1e-6, "attention.key_length": 12, "attention.value_length": 12}
LONGROPE = {
    "rope_type": "longrope", "rope_theta": 10000.0, "short_factor": [1.0, 1.5, 2.5, 3.0],
    "long_factor": [2.0, 3.0, 4.0, 5.0], "original_max_position_embeddings": 32, "factor": 2.0,
}  # fmt: skip
YARN = {"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 16, "rope_theta": 10000.0}
OLMO3 = {**PADDED, "sliding_window": 4, "layer_types": [*SLIDING, "full_attention"]}
BERT = {key: value for key, value in HIDDEN.items() if not key.endswith("_token_id")}
MOE = {**LLAMA, "num_experts_per_tok": 2, "num_experts": 5}
QWEN_MOE = {**MOE, "moe_intermediate_size": 20, "norm_topk_prob": False}
OF_EXPERTS = {"expert_count": 5, "expert_used_count": 2, "expert_feed_forward_length": 20}
# The name of the case -> the beginning of the names of its classes, its values, and how it is written.
CASES: dict[str, tuple[str, dict[str, Any], Kind]] = {
    "llama": ("Llama", LLAMA, Kind("llama", USUAL, turned=True)),
    "qwen2": ("Qwen2", LLAMA, Kind("qwen2", {**USUAL, "attention.layer_norm_rms_epsilon": 1e-5})),
    "qwen3": (
        "Qwen3", {**LLAMA, "head_dim": 12},
        Kind("qwen3", {**USUAL, "attention.key_length": 12, "attention.value_length": 12}),
    ),
    "smollm3": (
        "SmolLM3", {**PADDED, "num_hidden_layers": 5, "rope_parameters": {"rope_theta": 500.0, "rope_type": "default"}},
        Kind("smollm3", {**RMS, "rope.freq_base": 500.0}, turned=True),
    ),
    "granite": (
        "Granite",
        {**LLAMA, "embedding_multiplier": 3.5, "attention_multiplier": 0.2, "residual_multiplier": 0.3,
         "logits_scaling": 2.5},
        Kind("granite", {**USUAL, "attention.scale": 0.2, "embedding_scale": 3.5, "residual_scale": 0.3,
                         "logit_scale": 2.5, "rope.scaling.finetuned": True}, turned=True),
    ),
    "gemma2": (
        "Gemma2",
        {**GEMMA, "sliding_window": 4, "attn_logit_softcapping": 1.5, "final_logit_softcapping": 2.5,
         "query_pre_attn_scalar": 12},
        Kind("gemma2", {**OF_GEMMA, "attention.sliding_window": 4, "attn_logit_softcapping": 1.5,
                        "final_logit_softcapping": 2.5}, gains=True),
    ),
    "gemma3": (
        "Gemma3Text",
        {**GEMMA, "num_hidden_layers": 7, "query_pre_attn_scalar": 12, "sliding_window": 4,
         "rope_parameters": {"full_attention": {"rope_type": "linear", "rope_theta": 1e6, "factor": 8.0},
                             "sliding_attention": {"rope_type": "default", "rope_theta": 10000.0}}},
        Kind("gemma3", {**OF_GEMMA, "attention.sliding_window": 4, "rope.freq_base": 1e6,
                        "rope.scaling.type": "linear", "rope.scaling.factor": 8.0}, gains=True),
    ),
    "olmo2": ("Olmo2", PADDED, Kind("olmo2", USUAL)),
    "olmo3": (
        "Olmo3", {**OLMO3, "rope_parameters": {"full_attention": YARN, "sliding_attention": {
            "rope_type": "default", "rope_theta": 10000.0}}},
        Kind("olmo2", {**USUAL, "attention.sliding_window": 4, "attention.sliding_window_pattern": [True, True, False],
                       "rope.scaling.type": "yarn", "rope.scaling.factor": 4.0,
                       "rope.scaling.original_context_length": 16}),
    ),
    "phi3": (
        "Phi3",
        {**PADDED, "sliding_window": None, "original_max_position_embeddings": 32, "rope_parameters": LONGROPE},
        Kind("phi3", {**USUAL, "rope.dimension_count": 8, "rope.scaling.original_context_length": 32,
                      "rope.scaling.attn_factor": float(np.sqrt(1 + np.log(2) / np.log(32)))},
             tensors={"rope_factors_short.weight": torch.tensor(LONGROPE["short_factor"]),
                      "rope_factors_long.weight": torch.tensor(LONGROPE["long_factor"])}),
    ),
    "phi3, window": (
        "Phi3", {**PADDED, "sliding_window": 5},
        Kind("phi3", {**USUAL, "attention.sliding_window": 5}),
    ),
    "stablelm": (
        "StableLm", {**STABLELM, "use_qkv_bias": True, "partial_rotary_factor": 0.5},
        Kind("stablelm", {"attention.layer_norm_epsilon": 1e-5, "rope.freq_base": 10000.0, "rope.dimension_count": 4,
                          "use_parallel_residual": False}),
    ),
    "mixtral": (
        "Mixtral", MOE, Kind("llama", {**USUAL, "rope.freq_base": 1e6, "expert_count": 5, "expert_used_count": 2},
                             turned=True),
    ),
    "qwen2moe": (
        "Qwen2Moe", {**QWEN_MOE, "shared_expert_intermediate_size": 28},
        Kind("qwen2moe", {**USUAL, **OF_EXPERTS, "expert_shared_feed_forward_length": 28}),
    ),
    "qwen3moe": ("Qwen3Moe", {**QWEN_MOE, "norm_topk_prob": True}, Kind("qwen3moe", {**USUAL, **OF_EXPERTS})),
    "olmoe": ("Olmoe", MOE, Kind("olmoe", {**USUAL, "expert_count": 5, "expert_used_count": 2})),
    "granitemoe": (
        "GraniteMoe",
        {**LLAMA, "num_experts_per_tok": 2, "num_local_experts": 5, "embedding_multiplier": 3.5,
         "attention_multiplier": 0.2, "residual_multiplier": 0.3, "logits_scaling": 2.5},
        Kind("granitemoe", {**USUAL, "expert_count": 5, "expert_used_count": 2, "attention.scale": 0.2,
                            "embedding_scale": 3.5, "residual_scale": 0.3, "logit_scale": 2.5}, turned=True),
    ),
}  # fmt: skip
LENGTH = 20


@cache
def model_of(case: str) -> Any:
    name, values, _ = CASES[case]
    config = getattr(transformers, f"{name}Config")(**values)
    made = getattr(transformers, f"{name.removesuffix('Text')}ForCausalLM")._from_config(
        config, attn_implementation="eager"
    )
    return randomised(made)


def some_ids(vocabulary: int = HIDDEN["vocab_size"]) -> torch.Tensor:
    return torch.randint(0, vocabulary, (LENGTH,), generator=torch.Generator().manual_seed(1))


def compare(path: Path, theirs: Any) -> None:
    """Every layer's attention, and the logits, are those of the reference."""
    made, ids = built(open_checkpoint(path)), some_ids()
    expected, tape = outputs(theirs, ids), Tape("*.weights")
    logits = made(ids, tape=tape)
    for layer, attention in enumerate(expected.attentions):
        found = tape.records[f"decoder.{layer}.self_attn.weights"]
        torch.testing.assert_close(found, attention[0], atol=2e-5, rtol=1e-4)
    torch.testing.assert_close(logits, expected.logits[0], atol=1e-4, rtol=1e-4)


def test_every_architecture_has_a_case() -> None:
    assert {kind.name for _, _, kind in CASES.values()} | {"bert", "modern-bert"} == set(ARCHITECTURES)


@pytest.mark.parametrize("case", CASES)
def test_an_architecture_is_read_as_transformers_computes_it(case: str, tmp_path: Path) -> None:
    compare(write_model(tmp_path / "model.gguf", model_of(case), CASES[case][2]), model_of(case))


def test_a_bert_has_the_states_of_the_hubs(tmp_path: Path) -> None:
    config = transformers.BertConfig(**{**BERT, "vocab_size": 23, "type_vocab_size": 2})
    theirs = randomised(
        transformers.BertModel._from_config(config, attn_implementation="eager", add_pooling_layer=False)
    )
    kind = Kind("bert", {"attention.layer_norm_epsilon": 1e-12, "attention.causal": False, "pooling_type": 1})
    model = read_checkpoint(write_model(tmp_path / "model.gguf", theirs, kind))
    trace = model.trace("A badge", keep="encoder.2.ffn_norm")
    assert [token.text for token in trace.tokens] == ["[CLS]", "a", "b", "##a", "##d", "##g", "##e", "[SEP]"]
    ids = torch.tensor([token.id for token in trace.tokens])
    torch.testing.assert_close(
        trace["encoder.2.ffn_norm"], outputs(theirs, ids).last_hidden_state[0], atol=1e-5, rtol=1e-4
    )


def test_a_modernbert_has_the_states_of_the_hubs(tmp_path: Path) -> None:
    rope = {"full_attention": {"rope_type": "default", "rope_theta": 500.0},
            "sliding_attention": {"rope_type": "default", "rope_theta": 50.0}}  # fmt: skip
    values = {**BERT, "num_hidden_layers": 5, "local_attention": 6, "rope_parameters": rope, "pad_token_id": 0}
    config = transformers.ModernBertConfig(**values, cls_token_id=1, sep_token_id=2)
    theirs = randomised(transformers.ModernBertModel._from_config(config, attn_implementation="eager"))
    kind = Kind("modern-bert", {
        "attention.layer_norm_epsilon": 1e-5, "attention.causal": False, "attention.sliding_window": 6,
        "attention.sliding_window_pattern": 3, "rope.freq_base": 500.0, "rope.freq_base_swa": 50.0,
        "rope.scaling.type": "none",
    })  # fmt: skip
    made, ids = built(open_checkpoint(write_model(tmp_path / "model.gguf", theirs, kind))), some_ids()
    expected = outputs(theirs, ids).last_hidden_state[0]
    torch.testing.assert_close(made(ids), expected, atol=1e-4, rtol=1e-4)


def readable() -> list[Numbers]:
    """Every kind of numbers that the package can turn into floats."""
    found = []
    for kind, (_, size) in gguf.GGML_QUANT_SIZES.items():
        try:
            gguf.dequantize(np.zeros((1, size), np.uint8), kind)
        except NotImplementedError:
            continue
        found.append(kind)
    return found


@pytest.mark.slow
def test_every_kind_of_numbers_that_can_be_floats_is_read(tmp_path: Path) -> None:
    """A matrix of 256 columns in each kind, of random bits whose numbers are finite."""
    random = np.random.default_rng(0)
    kinds = readable()
    assert len(kinds) > 20
    config = transformers.LlamaConfig(**{**LLAMA, "hidden_size": 256, "intermediate_size": 256, "vocab_size": 300,
                                         "num_hidden_layers": len(kinds), "num_attention_heads": 4})  # fmt: skip
    theirs = transformers.LlamaForCausalLM._from_config(config)
    path = tmp_path / "model.gguf"
    writer, expected = GGUFWriter(path, "llama"), {}
    kind_of_file = Kind("llama", USUAL, turned=True)
    write_values(writer, theirs, kind_of_file)
    for name, tensor in tensors_of(theirs, kind_of_file):
        if not name.endswith("ffn_down.weight"):
            writer.add_tensor(name, tensor.numpy())
            continue
        layer = int(name.split(".")[1])
        stored = finite_bytes(random, kinds[layer], len(tensor))
        expected[layer] = gguf.dequantize(stored, kinds[layer])
        writer.add_tensor(name, stored, raw_dtype=kinds[layer])
    finish(writer)
    made = built(open_checkpoint(path))
    for layer, floats in expected.items():
        weight = made.decoder.blocks[layer].ffn.contract.weight  # type: ignore[union-attr]
        assert torch.equal(weight, torch.from_numpy(floats)), kinds[layer].name


def finite_bytes(random: np.random.Generator, kind: Numbers, rows: int) -> np.ndarray:
    """Rows of 256 numbers in a kind, as bytes."""
    values = random.standard_normal((rows, 256)).astype(np.float32)
    try:
        return np.atleast_2d(gguf.quantize(values, kind)).view(np.uint8)
    except NotImplementedError:
        block, size = gguf.GGML_QUANT_SIZES[kind]
        stored = random.integers(0, 60, (rows, 256 // block * size), dtype=np.uint8)  # scales that are finite halves
        assert np.isfinite(gguf.dequantize(stored, kind)).all(), kind.name
        return stored


def test_weights_in_half_width_and_in_8_bits_are_those_of_the_file(tmp_path: Path) -> None:
    theirs, kind = model_of("llama"), CASES["llama"][2]
    for narrow in (Numbers.F16, Numbers.Q8_0):
        path = write_model(tmp_path / f"{narrow.name}.gguf", theirs, kind, narrow)
        weight = built(open_checkpoint(path)).decoder.embed.tokens.weight  # type: ignore[union-attr]
        stored = gguf.dequantize(gguf.quantize(theirs.model.embed_tokens.weight.detach().numpy(), narrow), narrow)
        assert torch.equal(weight, torch.from_numpy(stored).float())


def write_parts(folder: Path, count: int = 3) -> list[Path]:
    """The tiny Llama in parts, as llama-gguf-split writes them: all values in the first one."""
    theirs, kind = model_of("llama"), CASES["llama"][2]
    paths = [folder / f"tiny-{number + 1:05}-of-{count:05}.gguf" for number in range(count)]
    tensors = list(tensors_of(theirs, kind))
    for number, path in enumerate(paths):
        writer = GGUFWriter(path, "llama")
        if number == 0:
            write_values(writer, theirs, kind)
        writer.add_uint16("split.no", number)
        writer.add_uint16("split.count", count)
        writer.add_int32("split.tensors.count", len(tensors))
        for name, tensor in tensors[number::count]:
            writer.add_tensor(name, tensor.numpy())
        finish(writer)
    return paths


def test_parts_are_one_model_whichever_is_named(tmp_path: Path) -> None:
    paths = write_parts(tmp_path)
    for named in (tmp_path, paths[0], paths[2]):
        checkpoint = open_checkpoint(named)
        assert checkpoint.path == paths[0]
        assert checkpoint.files == tuple(paths)
    compare(paths[1], model_of("llama"))


def test_a_missing_part_is_named(tmp_path: Path) -> None:
    paths = write_parts(tmp_path)
    paths[1].unlink()
    for named in (tmp_path, paths[0]):
        with pytest.raises(UnusableFiles, match=r"is one of 3 parts.*such as tiny-00002-of-00003\.gguf"):
            open_checkpoint(named)


def test_parts_of_another_model_are_refused(tmp_path: Path) -> None:
    paths = write_parts(tmp_path)
    paths[2].replace(paths[1].with_name("last"))
    paths[1].replace(paths[2])
    paths[1].with_name("last").replace(paths[1])
    with pytest.raises(DamagedWeights, match=r"tiny-00002-of-00003\.gguf is not part 2 of 3"):
        open_checkpoint(paths[0])


def test_the_part_that_reads_pictures_is_refused_by_name(tmp_path: Path) -> None:
    path = tmp_path / "mmproj-model.gguf"
    finish(GGUFWriter(path, "clip"))
    with pytest.raises(DamagedWeights, match="holds the part of a model that reads pictures, and no whole model"):
        open_checkpoint(path)


def test_a_granite_whose_layers_turn_nothing_is_refused(tmp_path: Path) -> None:
    kind = CASES["granite"][2]
    other = Kind("granite", {**kind.values, "rope.scaling.finetuned": False}, turned=True)
    with pytest.raises(
        DamagedWeights, match=r"rope\.scaling\.finetuned = false. With it, no layer would have positions"
    ):
        open_checkpoint(write_model(tmp_path / "model.gguf", model_of("granite"), other))
