from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import load_file, save_file

from model import Model
from model.errors import DamagedWeights
from model.tape import Tape
from model.zoo.build import build
from tests.model.networks import SENTENCES, ids
from tests.model.zoo import reference, tiny
from tests.model.zoo.opened import read

pytestmark = pytest.mark.usefixtures("inference")


def assert_equal_layer_by_layer(network: Any, theirs: Any, words: torch.Tensor, tolerance: float) -> None:
    expected, tape = reference.outputs(theirs, words), Tape("*")
    hidden = network(words, tape=tape)
    layers = network.config.n_encoder_layers
    states = [tape.records["embed.out"], *(tape.records[f"encoder.{layer}.ffn_norm"] for layer in range(layers))]
    for ours, state in zip(states, expected.hidden_states, strict=True):
        torch.testing.assert_close(ours, state[0], atol=tolerance, rtol=0)
    for layer, attention in enumerate(expected.attentions):
        weights = tape.records[f"encoder.{layer}.self_attn.weights"]
        torch.testing.assert_close(weights, attention[0], atol=tolerance, rtol=0)
    assert hidden.equal(states[-1])


@pytest.mark.parametrize("activation", ["gelu", "relu"])
def test_equals_transformers_layer_by_layer(activation: str, tmp_path: Path) -> None:
    theirs, path = tiny.bert(tmp_path, hidden_act=activation)
    config, weights = read(path)
    assert_equal_layer_by_layer(build(config, weights), theirs, ids(9), 1e-5)


@pytest.fixture(scope="module")
def reference_minilm(minilm: Model) -> Any:
    return reference.minilm(minilm.card)


@pytest.mark.parametrize("sentence", SENTENCES)
def test_minilm_equals_transformers_in_every_layer_and_head(
    sentence: str, minilm: Model, reference_minilm: Any
) -> None:
    words = torch.tensor([token.id for token in minilm.tokens_of(sentence)])
    with torch.inference_mode():
        assert_equal_layer_by_layer(minilm.network, reference_minilm, words, 1e-4)


@pytest.mark.slow
def test_minilm_at_its_longest(minilm: Model, reference_minilm: Any) -> None:
    with torch.inference_mode():
        assert_equal_layer_by_layer(minilm.network, reference_minilm, ids(512, vocab_size=30_000), 1e-4)


def test_a_part_that_is_not_known_is_named(tmp_path: Path) -> None:
    _, path = tiny.bert(tmp_path)
    save_file({**load_file(path), "embeddings.more.weight": torch.ones(1)}, path)
    with pytest.raises(DamagedWeights, match=r"does not know: embeddings\.more\.weight"):
        read(path)


def test_a_missing_tensor_is_named(tmp_path: Path) -> None:
    _, path = tiny.bert(tmp_path)
    tensors = load_file(path)
    del tensors["encoder.layer.2.output.dense.bias"]
    save_file(tensors, path)
    with pytest.raises(DamagedWeights, match=r"lacks .*encoder\.blocks\.2\.ffn\.contract\.bias"):
        build(*read(path))


def test_a_prefix_of_larger_models_is_understood(tmp_path: Path) -> None:
    _, path = tiny.bert(tmp_path)
    plain = read(path)[1]
    save_file({f"bert.{name}": tensor for name, tensor in load_file(path).items()}, path)
    again = read(path)[1]
    assert plain.keys() == again.keys()
    assert all(plain[name].equal(again[name]) for name in plain)


@pytest.mark.parametrize(
    ("changes", "error", "message"),
    [
        ({"model_type": "deberta-v2"}, DamagedWeights, "'deberta-v2', which cannot be read. These can: Llama"),
        ({"position_embedding_type": "relative_key"}, DamagedWeights, "scores are told of distances"),
        ({"vocab_size": None}, DamagedWeights, "vocab_size = 30,522, but no tensor has more"),
        ({"hidden_act": "mish"}, DamagedWeights, "none of relu, gelu, gelu_new"),
    ],
)
def test_another_configuration_is_refused(changes: dict, error: type[Exception], message: str, tmp_path: Path) -> None:
    _, path = tiny.bert(tmp_path)
    values = json.loads((tmp_path / "config.json").read_text()) | changes
    (tmp_path / "config.json").write_text(json.dumps({name: v for name, v in values.items() if v is not None}))
    with pytest.raises(error, match=message):
        read(path)


@pytest.mark.parametrize("file", ["config.json", "tokenizer.json", "model.safetensors"])
def test_a_damaged_file_is_named(file: str, tmp_path: Path) -> None:
    _, path = tiny.bert(tmp_path)
    damaged = tmp_path / file
    damaged.write_bytes(damaged.read_bytes()[:-20])
    with pytest.raises(DamagedWeights, match=r"cannot be read|is not a tokenizer file"):
        read(path)
