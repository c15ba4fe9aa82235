from __future__ import annotations

from typing import Any

import pytest
import torch
from torch import nn

from model.edits.edit import Change
from model.edits.parts import ablate
from model.network.masks import causal_mask
from model.network.transformer import Transformer
from model.tape import Tape
from tests.model.networks import VARIANTS, config, ids, inputs, network, variant

pytestmark = pytest.mark.usefixtures("inference")

CLOSE: dict[str, Any] = {"atol": 1e-5, "rtol": 1e-5}


@pytest.mark.parametrize("name", VARIANTS)
def test_shapes(name: str) -> None:
    made = variant(name)
    written, source = inputs(made)
    out = made(written, source)
    width = made.config.d_model if made.decoder is None else made.config.target_vocab_size or made.config.vocab_size
    assert out.shape == (7, width)
    assert out.isfinite().all()


@pytest.mark.parametrize("name", VARIANTS)
def test_recording_changes_nothing(name: str) -> None:
    made = variant(name)
    written, source = inputs(made)
    torch.testing.assert_close(made(written, source, Tape("*")), made(written, source), **CLOSE)


@pytest.mark.parametrize("name", VARIANTS)
def test_a_padded_batch_is_each_sentence_alone(name: str) -> None:
    made = variant(name).double()
    lengths, source_lengths = (7, 4), (3, 6)
    alone, padded = [], torch.zeros(2, 7, dtype=torch.long)
    sources = torch.zeros(2, 6, dtype=torch.long)
    two_stacks = made.config.kind == "encoder-decoder"
    for row, (n, s) in enumerate(zip(lengths, source_lengths, strict=True)):
        padded[row, :n], sources[row, :s] = ids(n, seed=row, vocab_size=19), ids(s, seed=row + 5)
        alone.append(made(padded[row, :n], sources[row, :s] if two_stacks else None))
    real = torch.arange(7) < torch.tensor(lengths)[:, None]
    source_real = torch.arange(6) < torch.tensor(source_lengths)[:, None]
    extra = {"source": sources, "source_is_real": source_real} if two_stacks else {}
    together = made(padded, ids_are_real=real, **extra)
    for row, n in enumerate(lengths):
        torch.testing.assert_close(together[row, :n], alone[row])


@pytest.mark.parametrize("name", VARIANTS)
def test_rows_of_weights_sum_to_one_and_the_decoder_sees_no_later_token(name: str) -> None:
    made, tape = variant(name), Tape("*.weights")
    written, source = inputs(made)
    made(written, source, tape)
    assert tape.records
    for path, weights in tape.records.items():
        torch.testing.assert_close(weights.sum(-1), torch.ones(weights.shape[:-1]), msg=path)
        if path.startswith("decoder") and "self_attn" in path:
            assert weights.triu(1).abs().max() == 0, path


@pytest.mark.parametrize("name", [name for name, (kind, _) in VARIANTS.items() if kind != "encoder"])
def test_a_later_token_leaves_earlier_rows_alone(name: str) -> None:
    """Bit for bit: the same kernels run on the same shapes, and the later keys have weight exactly 0.

    An expert has other rows where a later token takes it, too, and products of other shapes differ in the last bits.
    """
    made, before, after = variant(name), Tape("*"), Tape("*")
    written, source = inputs(made)
    changed = written.clone()
    changed[5:] = (changed[5:] + 1) % 19
    made(written, source, before)
    made(changed, source, after)
    rows = [path for path in before.records if path.endswith(("resid_in", "resid_out", "ffn_norm", "logits"))]
    assert rows
    for path in rows:
        if path.startswith("decoder") or path == "logits":
            rounding = 1e-5 if made.config.n_experts else 0.0
            torch.testing.assert_close(before.records[path][:5], after.records[path][:5], atol=rounding, rtol=rounding)
            assert not before.records[path][5:].equal(after.records[path][5:]), path


def test_an_encoder_sees_later_tokens() -> None:
    made, written = network("encoder"), ids(7)
    changed = written.clone()
    changed[6] = (changed[6] + 1) % 19
    assert not made(written)[0].equal(made(changed)[0])


def test_every_decoder_layer_reads_the_same_encoder_output() -> None:
    made = variant("paper")
    seen: list[torch.Tensor] = []

    def watch(x: torch.Tensor) -> torch.Tensor:
        seen.append(x)
        return x

    written, source = inputs(made)
    for block in made.decoder.blocks:
        block.cross_attn.key.register_forward_pre_hook(lambda _, args: watch(args[0]) if args else None)
    tape = Tape("*")
    made(written, source, tape)
    assert len(seen) == 3
    assert all(memory is seen[0] for memory in seen)
    assert seen[0].equal(tape.records["encoder.1.ffn_norm"])
    for layer, block in enumerate(made.decoder.blocks):
        values = block.cross_attn.split(block.cross_attn.value(seen[0]), 4)
        torch.testing.assert_close(tape.records[f"decoder.{layer}.cross_attn.v"], values)


@pytest.mark.parametrize("edited", ["decoder.1.self_attn.heads", "decoder.1.resid_mid", "decoder.2.ffn.activated"])
def test_an_edit_changes_only_what_follows(edited: str) -> None:
    made = variant("Llama", n_decoder_layers=4)
    before, after = Tape("*"), Tape("*", edits=[Change(edited, lambda x: x + 1)])
    made(ids(6), tape=before)
    made(ids(6), tape=after)
    order = list(before.records)
    assert order == list(after.records)
    place = order.index(edited)
    for path in order[:place]:
        assert before.records[path].equal(after.records[path]), path
    for path in (edited, "decoder.3.resid_out", "logits"):
        assert not before.records[path].allclose(after.records[path]), path


def test_an_ablated_head_adds_nothing() -> None:
    made = variant("Llama")
    tape = Tape("*", edits=[ablate("decoder.1.self_attn", head=3)])
    plain = Tape("*")
    made(ids(6), tape=tape)
    made(ids(6), tape=plain)
    block = made.decoder.blocks[1].self_attn
    lost = plain.records["decoder.1.self_attn.heads"][3] @ block.out.weight[:, 12:].mT
    difference = plain.records["decoder.1.self_attn.out"] - tape.records["decoder.1.self_attn.out"]
    torch.testing.assert_close(difference, lost, **CLOSE)


def test_an_edit_of_the_embedding_reaches_the_logits_of_an_encoder_decoder() -> None:
    made = variant("paper")
    written, source = inputs(made)
    changed = made(written, source, Tape(edits=[Change("encoder.embed.out", torch.zeros_like)]))
    assert not changed.allclose(made(written, source))


def test_the_run_can_start_from_any_layer() -> None:
    made, tape = variant("Llama", n_decoder_layers=4), Tape("*.resid_in")
    hidden = made.decode(ids(6), tape=tape)
    later = made.decoder.run(tape.records["decoder.2.resid_in"], Tape(), causal_mask(6, 6), first=2)
    torch.testing.assert_close(later, hidden, **CLOSE)


def test_text_class_reads_the_first_token_and_token_class_each() -> None:
    made, tape = variant("classifier"), Tape("*")
    hidden = made(ids(6), tape=tape)
    torch.testing.assert_close(tape.records["text_logits"], made.text_head(hidden[0]))
    torch.testing.assert_close(tape.records["token_logits"], made.token_head(hidden))


def test_tied_embeddings_score_by_the_embedding_table() -> None:
    made = network("decoder")
    hidden = made.decode(ids(6))
    assert made.unembed is None
    torch.testing.assert_close(made(ids(6)), hidden @ made.decoder.embed.tokens.weight.mT, **CLOSE)
    shared = network("encoder-decoder")
    assert shared.decoder.embed.tokens is shared.encoder.embed.tokens
    assert variant("paper").decoder.embed.tokens.weight.shape == (19, 16)


def test_starting_weights_give_embeddings_of_variance_one() -> None:
    torch.manual_seed(0)
    tape = Tape("embed.tokens")
    Transformer(config("decoder", vocab_size=500, d_model=64))(torch.arange(500)[:32], tape=tape)
    assert 0.9 < tape.records["embed.tokens"].var().item() < 1.1


def copied(layer: Any, block: Any) -> None:
    """Puts our block's weights into torch's layer."""
    pairs = [(layer.self_attn, block.self_attn)]
    pairs += [(layer.multihead_attn, block.cross_attn)] if block.cross_attn is not None else []
    for theirs, ours in pairs:
        theirs.in_proj_weight.copy_(torch.cat([ours.query.weight, ours.key.weight, ours.value.weight]))
        theirs.in_proj_bias.copy_(torch.cat([ours.query.bias, ours.key.bias, ours.value.bias]))
        theirs.out_proj.load_state_dict(ours.out.state_dict())
    layer.linear1.load_state_dict(block.ffn.expand.state_dict())
    layer.linear2.load_state_dict(block.ffn.contract.state_dict())
    norms = [block.attn_norm, block.cross_norm, block.ffn_norm]
    for number, norm in enumerate([norm for norm in norms if norm is not None], start=1):
        getattr(layer, f"norm{number}").load_state_dict({"weight": norm.gain, "bias": norm.bias})


@pytest.mark.parametrize("norm_position", ["post", "pre"])
def test_equals_torchs_transformer(norm_position: str) -> None:
    made = network("encoder-decoder", norm_position=norm_position, target_vocab_size=19)
    shape: dict[str, Any] = {"d_model": 16, "nhead": 4, "dim_feedforward": 24, "dropout": 0.0, "batch_first": True}
    shape["norm_first"] = norm_position == "pre"
    encoder = nn.TransformerEncoder(nn.TransformerEncoderLayer(**shape), 2, enable_nested_tensor=False)
    decoder = nn.TransformerDecoder(nn.TransformerDecoderLayer(**shape), 3)
    theirs = nn.Transformer(
        **shape, custom_encoder=encoder, custom_decoder=decoder
    ).eval().requires_grad_(False)  # fmt: skip
    for stack, ours in ((encoder, made.encoder), (decoder, made.decoder)):
        for layer, block in zip(stack.layers, ours.blocks, strict=True):
            copied(layer, block)
        if ours.final_norm is not None:
            stack.norm = nn.LayerNorm(16)
            stack.norm.load_state_dict({"weight": ours.final_norm.gain, "bias": ours.final_norm.bias})
            stack.norm.requires_grad_(False)
    tape = Tape("*")
    written, source = inputs(made)
    logits = made(written, source, tape)
    hidden = theirs(
        tape.records["encoder.embed.out"][None], tape.records["decoder.embed.out"][None], tgt_mask=causal_mask(7, 7)
    )[0]
    last = tape.records["decoder.final_norm" if norm_position == "pre" else "decoder.2.ffn_norm"]
    torch.testing.assert_close(last, hidden, atol=1e-5, rtol=1e-5)
    torch.testing.assert_close(logits, hidden @ made.decoder.embed.tokens.weight.mT, atol=1e-4, rtol=1e-5)


@pytest.mark.parametrize("name", VARIANTS)
def test_a_layer_alone_gives_what_it_gives_in_a_run(name: str) -> None:
    made, tape = variant(name), Tape("*")
    written, source = inputs(made)
    made(written, source, tape)
    output = "ffn_norm" if made.config.norms_sums else "resid_out"
    memory = tape.records.get("decoder.1.cross_attn.memory")
    for stack in made.config.stacks:
        x, wanted = tape.records[f"{stack}.1.resid_in"], tape.records[f"{stack}.1.{output}"]
        assert made.run_layer(stack, 1, x, Tape("*"), memory if stack == "decoder" else None).equal(wanted)
