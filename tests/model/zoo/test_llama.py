from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import torch
from gguf import GGMLQuantizationType, GGUFReader
from safetensors.torch import load_file, save_file

from model.errors import DamagedWeights
from model.tape import Tape
from model.zoo import weight_files
from model.zoo.build import build
from model.zoo.gguf_file import QuickReader
from model.zoo.opening import open_checkpoint
from tests.model.networks import ids
from tests.model.zoo import reference, tiny
from tests.model.zoo.opened import read
from tests.model.zoo.tiny_gguf import write_gguf

pytestmark = pytest.mark.usefixtures("inference")

VARIANTS: dict[str, dict[str, Any]] = {
    "grouped, tied": {},
    "one key head": {"num_key_value_heads": 1},
    "untied": {"tie_word_embeddings": False},
    "wide heads": {"head_dim": 12},
}


def assert_equal_layer_by_layer(network: Any, theirs: Any, words: torch.Tensor) -> None:
    expected, tape = reference.outputs(theirs, words), Tape("*")
    logits = network(words, tape=tape)
    layers = network.config.n_decoder_layers
    for layer in range(layers):
        torch.testing.assert_close(
            tape.records[f"decoder.{layer}.self_attn.weights"], expected.attentions[layer][0], atol=1e-5, rtol=1e-5
        )
        torch.testing.assert_close(
            tape.records[f"decoder.{layer}.resid_in"], expected.hidden_states[layer][0], atol=1e-4, rtol=1e-5
        )
    torch.testing.assert_close(tape.records["final_norm"], expected.hidden_states[layers][0], atol=1e-4, rtol=1e-5)
    torch.testing.assert_close(logits, expected.logits[0], atol=1e-4, rtol=1e-5)


@pytest.mark.parametrize("variant", VARIANTS)
def test_safetensors_equal_transformers_layer_by_layer(variant: str, tmp_path: Path) -> None:
    theirs, path = tiny.llama(tmp_path, **VARIANTS[variant])
    config, weights = read(path)
    assert_equal_layer_by_layer(build(config, weights), theirs, ids(9))
    tokenizer = open_checkpoint(path).words()
    assert tokenizer.end == 2
    assert [token.text for token in tokenizer.encode("I am a robot")] == ["I", "am", "a", "robot"]


def test_a_large_file_is_read_by_several_threads_to_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tiny.llama(tmp_path)[1]
    alone = read(path)[1]
    monkeypatch.setattr(weight_files, "SMALL", 0)
    together = read(path)[1]
    assert list(together) == list(alone)
    assert all(together[name].equal(alone[name]) for name in alone)


@pytest.mark.parametrize("variant", ["grouped, tied", "untied"])
def test_gguf_equals_transformers_layer_by_layer(variant: str, tmp_path: Path) -> None:
    theirs, path = tiny.llama(tmp_path, **VARIANTS[variant])
    config, weights = read(write_gguf(path))
    assert_equal_layer_by_layer(build(config, weights), theirs, ids(9))


def test_quantised_weights_are_opened(tmp_path: Path) -> None:
    _, path = tiny.llama(tmp_path)
    original = load_file(path)["model.layers.1.mlp.gate_proj.weight"]
    _, weights = read(write_gguf(path, GGMLQuantizationType.Q8_0))
    opened = weights["decoder.blocks.1.ffn.expand.weight"]
    assert opened.dtype == torch.float32
    step = (
        original.abs().unflatten(1, (-1, 32)).amax(-1, keepdim=True) / 127
    )  # Q8_0: blocks of 32, one float16 scale each
    assert ((opened - original).unflatten(1, (-1, 32)).abs() <= 0.6 * step).all()


def test_the_quick_reader_reads_the_same(tmp_path: Path) -> None:
    path = write_gguf(tiny.llama(tmp_path)[1], GGMLQuantizationType.Q8_0)
    quick, library = QuickReader(path), GGUFReader(path)
    assert {name: field.contents() for name, field in quick.fields.items()} == {
        name: field.contents() for name, field in library.fields.items()
    }
    for ours, theirs in zip(quick.tensors, library.tensors, strict=True):
        assert (ours.name, ours.tensor_type, ours.data_offset) == (theirs.name, theirs.tensor_type, theirs.data_offset)
        assert (ours.data == theirs.data).all()


def test_a_tokenizer_is_rebuilt_from_gguf(tmp_path: Path) -> None:
    tokenizer = open_checkpoint(write_gguf(tiny.llama(tmp_path)[1])).words()
    tokens = tokenizer.encode("abc ab00<end>")
    assert [token.text for token in tokens] == ["ab", "c", " ", "ab", "0", "0", "<end>"]
    assert tokens[-1].special
    assert tokenizer.end == 22


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"architecture": "mamba"}, "holds a 'mamba' model"),
        ({"pre": "deepseek-llm"}, "'deepseek-llm', which is not known here"),
        ({"blk.1.attn_k.weight": None}, r"lacks blk\.1\.attn_k\.weight \(decoder\.blocks\.1\.self_attn\.key\.weight\)"),
        ({"blk.7.attn_k.weight": torch.zeros(16, 32)}, r"no place for blk\.7\.attn_k\.weight \(decoder"),
        ({"blk.1.attn_q_norm.weight": torch.zeros(8)}, r"no place for blk\.1\.attn_q_norm\.weight \(decoder"),
        ({"rope_long.weight": torch.ones(4)}, r"does not know: rope_long\.weight"),
        ({"blk.2.ffn_up.weight": torch.zeros(47, 32)}, r"ffn\.up\.weight\) \(47, 32\) instead of \(48, 32\)"),
    ],
    ids=str,
)
def test_a_gguf_file_that_does_not_fit_is_named(changes: dict[str, Any], message: str, tmp_path: Path) -> None:
    path = write_gguf(tiny.llama(tmp_path)[1], **changes)
    with pytest.raises(DamagedWeights, match=message):
        build(*read(path))


@pytest.mark.parametrize("share", [0, 0.1, 0.5, 0.99])
def test_a_truncated_gguf_file_is_an_error(share: float, tmp_path: Path) -> None:
    path = write_gguf(tiny.llama(tmp_path)[1])
    whole = path.read_bytes()
    path.write_bytes(whole[: int(len(whole) * share)])
    with pytest.raises(DamagedWeights, match="is not a whole GGUF file"):
        read(path)


def test_a_truncated_safetensors_file_is_an_error(tmp_path: Path) -> None:
    _, path = tiny.llama(tmp_path)
    path.write_bytes(path.read_bytes()[:-100])
    with pytest.raises(DamagedWeights, match="cannot be read"):
        read(path)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"model_type": "mamba"}, "model_type 'mamba', which cannot be read"),
        ({"attention_bias": True}, r"lacks .*decoder\.blocks\.0\.self_attn\.key\.bias"),
        ({"hidden_act": "mish"}, "none of relu, gelu"),
        ({"rope_parameters": {"rope_type": "mrope", "rope_theta": 1e4}}, "'mrope' is not supported"),
        ({"hidden_size": None}, "d_model = 4,096, but no tensor has more"),
    ],
    ids=str,
)
def test_another_configuration_is_refused(changes: dict[str, Any], message: str, tmp_path: Path) -> None:
    _, path = tiny.llama(tmp_path)
    values = json.loads((tmp_path / "config.json").read_text()) | changes
    (tmp_path / "config.json").write_text(json.dumps({name: v for name, v in values.items() if v is not None}))
    with pytest.raises(DamagedWeights, match=message):
        read(path)


def test_left_over_tensors_of_a_folder_are_named(tmp_path: Path) -> None:
    _, path = tiny.llama(tmp_path)
    save_file({**load_file(path), "model.layers.0.self_attn.q_norm.weight": torch.ones(8)}, path)
    with pytest.raises(DamagedWeights, match=r"no place for .*decoder\.blocks\.0\.self_attn\.query_norm\.gain"):
        read(path)
