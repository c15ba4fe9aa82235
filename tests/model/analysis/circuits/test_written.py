from __future__ import annotations

import pytest
import torch
from torch import Tensor

from model.analysis.attribution import NORM_OF
from model.analysis.circuits.direct_path import key_reader, token_inputs
from model.analysis.circuits.written import Copying, copying, written
from model.analysis.head_steps import Attention
from model.errors import ModelMismatch
from model.loading import read_checkpoint
from model.run import Model
from tests.model.analysis.circuits import dense
from tests.model.networks import VARIANTS, small_model
from tests.model.zoo import tiny_families

DECODERS = [name for name, (kind, _) in VARIANTS.items() if kind != "encoder"]
LAYER, HEAD = 1, 2


def dense_circuit(model: Model, at: Attention, head: int) -> Tensor:
    """What each token of the vocabulary makes of each logit: (read, written), float64."""
    config, network = model.config, model.network
    _, _, w_v, w_o = dense.matrices(model, at, head)
    reader = key_reader(model, at)
    x = token_inputs(reader, torch.arange(len(reader.stack.embed.tokens.weight))).double()
    out, decoder = x @ w_v @ w_o, network.decoder
    if not config.norms_sums:
        out = out @ dense.of_norm(decoder.final_norm, config.d_model)
    else:
        parts = (*config.attentions("decoder"), "ffn")
        for layer, block in enumerate(decoder.blocks):
            for part in parts:
                if (layer, parts.index(part)) >= (at.layer, parts.index(at.part)):
                    out = out @ dense.of_norm(block.get_submodule(NORM_OF[part]), config.d_model)
    table = decoder.embed.tokens.weight if network.unembed is None else network.unembed.weight
    return out @ table.double().mT * config.logit_factor


@pytest.mark.parametrize("name", DECODERS)
def test_what_is_written_is_that_of_the_dense_matrix(name: str) -> None:
    model = small_model(name)
    for part in model.config.attentions("decoder"):
        at = Attention("decoder", LAYER, part)
        expected = dense_circuit(model, at, HEAD)
        ids = [3, 11, 3, 18]
        made = written(model, at, HEAD, ids, 4)
        scale = float(expected.abs().max())
        most, least = expected[ids].topk(4), (-expected[ids]).topk(4)
        torch.testing.assert_close(made.ends.most.double(), most.values, atol=1e-5 * scale, rtol=1e-4)
        torch.testing.assert_close(made.ends.least.double(), -least.values, atol=1e-5 * scale, rtol=1e-4)
        assert made.ends.most_ids.tolist() == most.indices.tolist()
        if part == "cross_attn" and model.config.target_vocab_size:
            assert made.own is None
            assert made.ranks is None
        else:
            assert made.own is not None
            assert made.ranks is not None
            own = expected[ids, ids]
            torch.testing.assert_close(made.own.double(), own, atol=1e-5 * scale, rtol=1e-4)
            assert made.ranks.tolist() == (1 + (expected[ids] > own[:, None]).sum(-1)).tolist()


@pytest.mark.parametrize("name", DECODERS)
def test_the_eigenvalues_are_those_of_the_dense_matrix(name: str) -> None:
    model, at = small_model(name), Attention("decoder", LAYER, "self_attn")
    found = copying(model, at, HEAD)
    expected = torch.linalg.eigvals(dense_circuit(model, at, HEAD))
    expected = expected[expected.abs().argsort(descending=True)]
    kept = len(found.eigenvalues)
    assert kept == model.config.head_width
    scale = float(expected.abs().max())
    assert found.eigenvalues.abs().tolist() == pytest.approx(expected[:kept].abs().tolist(), abs=1e-3 * scale)
    score = float(expected.real.sum() / expected.abs().sum())
    assert found.score == pytest.approx(score, abs=1e-3)


def test_a_head_that_copies_scores_one_and_one_that_forbids_minus_one() -> None:
    model, at = small_model("plain decoder"), Attention("decoder", 1, "self_attn")
    network = model.network
    for block in network.decoder.blocks:
        for norm in (block.attn_norm, block.ffn_norm):
            norm.gain.fill_(1)
            norm.bias.zero_()
    attention = network.decoder.blocks[1].self_attn
    attention.out.weight.copy_(attention.value.weight.mT)  # W_O is the transpose of W_V
    made = copying(model, at, HEAD)
    assert made.score > 0.9
    attention.out.weight.neg_()
    assert copying(model, at, HEAD).score == pytest.approx(-made.score)


def test_the_score_weighs_eigenvalues_by_their_size() -> None:
    assert Copying(torch.tensor([3 + 0j, -1 + 0j])).score == pytest.approx(0.5)
    assert Copying(torch.tensor([1j, -1j])).score == 0
    assert Copying(torch.zeros(2, dtype=torch.complex64)).score == 0


@pytest.mark.parametrize("name", ["llama", "gpt2"])
def test_the_circuit_is_that_of_the_weights_of_transformers(name: str, tmp_path: object) -> None:
    theirs = tiny_families.make(name, tmp_path)  # type: ignore[arg-type]
    weights = {key: value.detach() for key, value in theirs.state_dict().items()}
    own, shared = slice(16, 24), slice(8, 16)
    if name == "gpt2":
        e, place = weights["transformer.wte.weight"], "transformer.h.1"
        x = torch.nn.functional.layer_norm(
            e, (32,), weights[f"{place}.ln_1.weight"], weights[f"{place}.ln_1.bias"], 1e-5
        )
        out = x @ weights[f"{place}.attn.c_attn.weight"][:, 64:][:, own] @ weights[f"{place}.attn.c_proj.weight"][own]
        out, gain, table = out - out.mean(-1, keepdim=True), weights["transformer.ln_f.weight"], e
    else:
        e, place = weights["model.embed_tokens.weight"], "model.layers.1"
        x = torch.nn.functional.rms_norm(e, (32,), weights[f"{place}.input_layernorm.weight"], 1e-5)
        w_v, w_o = (weights[f"{place}.self_attn.{kind}_proj.weight"] for kind in "vo")
        out = x @ w_v[shared].mT @ w_o[:, own].mT
        gain, table = weights["model.norm.weight"], weights["lm_head.weight"]
    expected = (out * gain) @ table.mT  # (300, 300)
    model, at = read_checkpoint(tmp_path), Attention("decoder", 1, "self_attn")  # type: ignore[arg-type]
    made = written(model, at, 2, range(300), 5)
    torch.testing.assert_close(made.ends.most, expected.topk(5).values, atol=1e-4, rtol=1e-4)
    torch.testing.assert_close(made.own, expected.diagonal(), atol=1e-4, rtol=1e-4)
    eigenvalues = torch.linalg.eigvals(expected.double())
    assert copying(model, at, 2).score == pytest.approx(
        float(eigenvalues.real.sum() / eigenvalues.abs().sum()), abs=1e-3
    )


def test_what_cannot_be_written_is_told() -> None:
    translator = small_model("paper")
    with pytest.raises(ModelMismatch, match="in an encoder"):
        written(translator, Attention("encoder", 0, "self_attn"), 0, [1], 3)
    with pytest.raises(ModelMismatch, match="cannot copy"):
        copying(translator, Attention("decoder", 0, "cross_attn"), 0)
    with pytest.raises(ModelMismatch, match="no output layer"):
        copying(small_model("BERT"), Attention("encoder", 0, "self_attn"), 0)
