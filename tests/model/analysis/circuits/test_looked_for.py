from __future__ import annotations

import pytest
import torch

from model.analysis.circuits.looked_for import looked_for
from model.analysis.head_steps import Attention, kinds
from model.errors import ModelMismatch
from model.loading import read_checkpoint
from model.network.transformer import Transformer
from model.run import Model, ids_of
from tests.model.analysis.circuits.dense import silence
from tests.model.networks import VARIANTS, VISION, network, small_model
from tests.model.zoo import tiny_families

TEXT, TARGET = "the dog is cool", "I am a"
WITH_STREAM = [name for name, (_, values) in VARIANTS.items() if values.get("residual", True)]


@pytest.mark.parametrize("name", WITH_STREAM)
def test_the_scores_are_those_of_a_run_in_which_no_sublayer_writes(name: str) -> None:
    model = small_model(name)
    two = model.config.kind == "encoder-decoder"
    whole = small_model(name)
    silence(model.network)
    trace = model.trace(TEXT, keep="*", target=TARGET if two else None)
    written, read = ids_of(trace.tokens), ids_of(trace.source_tokens) if two else ids_of(trace.tokens)
    for stack, part in kinds(model.config):
        for layer in range(model.config.n_layers(stack)):
            at = Attention(stack, layer, part)
            unturned = "_unrotated" if f"{at.path}.q_unrotated" in trace else ""
            q, k = trace[f"{at.path}.q{unturned}"], trace[f"{at.path}.k{unturned}"]
            queries = read if stack == "encoder" else written
            keys = read if stack == "encoder" or at.is_cross else written
            for head in range(model.config.n_heads):
                made = looked_for(whole, at, head, queries.tolist(), keys.tolist(), 3)
                scale = 1 / model.config.of_layer(at.stack, at.layer).score_divisor
                expected = scale * q[head] @ k[model.config.kv_head_of(head)].mT
                torch.testing.assert_close(made.scores, expected, atol=1e-4, rtol=1e-4)
                torch.testing.assert_close(made.scale * made.queries @ made.keys.mT, made.scores)


@pytest.mark.parametrize("at_once", [1, 5, 23, 100])
def test_the_ends_are_those_of_the_whole_vocabulary(at_once: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("model.analysis.circuits.direct_path.AT_ONCE", at_once)
    model, every = small_model("Llama"), range(23)
    made = looked_for(model, Attention("decoder", 1, "self_attn"), 3, [2, 7], every, 4)
    most, least = made.scores.topk(4), (-made.scores).topk(4)
    assert made.ends.most_ids.tolist() == most.indices.tolist()
    assert made.ends.least_ids.tolist() == least.indices.tolist()
    torch.testing.assert_close(made.ends.most, most.values)
    torch.testing.assert_close(made.ends.least, -least.values)


def test_there_are_no_more_ends_than_tokens() -> None:
    made = looked_for(small_model("GPT-2"), Attention("decoder", 0, "self_attn"), 0, [1], [1], 100)
    assert made.ends.most_ids.shape == (1, 23)


@pytest.mark.parametrize("name", ["llama", "llama, tied", "gpt2"])
def test_the_circuit_is_that_of_the_weights_of_transformers(name: str, tmp_path: object) -> None:
    theirs = tiny_families.make(name, tmp_path)  # type: ignore[arg-type]
    weights = {key: value.detach() for key, value in theirs.state_dict().items()}
    layer, head, wide = 1, 2, 8
    own, shared = slice(head * wide, (head + 1) * wide), slice(wide, 2 * wide)  # four heads, two of keys
    if name == "gpt2":
        e, place = weights["transformer.wte.weight"], f"transformer.h.{layer}"
        x = torch.nn.functional.layer_norm(
            e, (32,), weights[f"{place}.ln_1.weight"], weights[f"{place}.ln_1.bias"], 1e-5
        )
        q, k, _ = (x @ weights[f"{place}.attn.c_attn.weight"] + weights[f"{place}.attn.c_attn.bias"]).split(32, -1)
        expected = q[:, own] @ k[:, own].mT / wide**0.5
    else:
        e, place = weights["model.embed_tokens.weight"], f"model.layers.{layer}"
        x = torch.nn.functional.rms_norm(e, (32,), weights[f"{place}.input_layernorm.weight"], 1e-5)
        q, k = (x @ weights[f"{place}.self_attn.{kind}_proj.weight"].mT for kind in "qk")
        expected = q[:, own] @ k[:, shared].mT / wide**0.5
    ids = range(0, 300, 7)
    made = looked_for(read_checkpoint(tmp_path), Attention("decoder", layer, "self_attn"), head, ids, ids, 5)  # type: ignore[arg-type]
    torch.testing.assert_close(made.scores, expected[::7, ::7], atol=1e-4, rtol=1e-4)
    assert made.ends.most_ids.tolist() == expected[::7].topk(5).indices.tolist()


def test_a_model_of_pictures_has_no_vocabulary() -> None:
    made: Transformer = network("encoder", **VISION)
    model = Model(made, small_model("GPT-2").tokenizer, small_model("GPT-2").card)
    with pytest.raises(ModelMismatch, match="pictures"):
        looked_for(model, Attention("encoder", 0, "self_attn"), 0, [], [], 3)
