"""T5 beside `transformers`, from the same tiny checkpoints: both stacks, padding, tokens, and beams."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import load_file, save_file
from transformers import T5Tokenizer

from model import adopt
from model.adopted import release
from model.errors import DamagedWeights
from model.generation.beam import beam_search
from model.loading import read_checkpoint
from model.network.relative_positions import bucket
from model.run import ids_of
from model.tape import Tape
from model.tokens.padding import pad_rows, real_places
from model.zoo.hub_folder import tokenizers_of
from tests.model.zoo import tiny_t5
from tests.model.zoo.test_families import random_texts
from tests.model.zoo.tiny_t5 import VARIATIONS

TEXT, TARGET = "What time is it at the bank?", "the dog is a robot and the fox swam across"
CLOSE = {"atol": 1e-4, "rtol": 1e-4}


def stack_outputs(theirs: Any, source: torch.Tensor, ids: torch.Tensor, **more: Any) -> Any:
    with torch.inference_mode():
        return theirs(
            input_ids=source, decoder_input_ids=ids, output_attentions=True, output_hidden_states=True, **more
        )


@pytest.mark.parametrize("name", VARIATIONS)
def test_every_number_is_that_of_transformers(name: str, tmp_path: Path) -> None:
    theirs = tiny_t5.make(name, tmp_path)
    model = read_checkpoint(tmp_path)
    trace = model.trace(TEXT, target=TARGET)
    assert len(trace.tokens) > 2 * VARIATIONS[name]["relative_attention_max_distance"] or "usual" in name
    expected = stack_outputs(theirs, ids_of(trace.source_tokens)[None], ids_of(trace.tokens)[None])
    for stack, states in (("encoder", expected.encoder_hidden_states), ("decoder", expected.decoder_hidden_states)):
        layers = model.config.n_layers(stack)
        assert len(states) == layers + 1
        for layer in range(layers):
            torch.testing.assert_close(trace[f"{stack}.{layer}.resid_in"], states[layer][0], **CLOSE)
        torch.testing.assert_close(trace[f"{stack}.final_norm"], states[-1][0], **CLOSE)
    for part, attentions in (
        ("encoder.{}.self_attn", expected.encoder_attentions),
        ("decoder.{}.self_attn", expected.decoder_attentions),
        ("decoder.{}.cross_attn", expected.cross_attentions),
    ):
        assert attentions
        for layer, weights in enumerate(attentions):
            torch.testing.assert_close(trace[f"{part.format(layer)}.weights"], weights[0], **CLOSE)
    torch.testing.assert_close(trace.logits, expected.logits[0], **CLOSE)


@pytest.mark.slow
@pytest.mark.parametrize("name", VARIATIONS)
def test_greedy_search_writes_the_same_with_the_cache_and_without(name: str, tmp_path: Path) -> None:
    theirs, model = tiny_t5.make(name, tmp_path), read_checkpoint(tmp_path)
    for text in ("I am a robot", "The weather is cool", "What time is it?"):
        ids = ids_of(model.tokens_of(text))[None]
        written = theirs.generate(
            ids, attention_mask=torch.ones_like(ids), do_sample=False, num_beams=1, max_new_tokens=16,
            use_cache=False,  # theirs fails where the decoder has more layers than the encoder
        )  # fmt: skip
        for cache in (True, False):
            steps = model.generate(text, max_new_tokens=16, cache=cache)
            assert [step.chosen for step in steps] == written[0, 1:].tolist(), text


@pytest.mark.parametrize("name", ["t5", "t5, v1.1"])
def test_beams_find_the_same_text(name: str, tmp_path: Path) -> None:
    theirs, model = tiny_t5.make(name, tmp_path), read_checkpoint(tmp_path)
    source, writer = ids_of(model.tokens_of(TEXT)), model.output_tokenizer
    assert writer.end is not None
    start = torch.tensor([writer.sequence_start])
    tree = beam_search(model.network, start, 8, writer.ends, source=source, width=3)
    expected = theirs.generate(
        source[None], attention_mask=torch.ones(1, len(source), dtype=torch.long), do_sample=False, num_beams=3,
        max_new_tokens=8, length_penalty=1.0, early_stopping=True,
    )  # fmt: skip
    assert list(tree.best.ids) == expected[0, 1:].tolist()


@pytest.mark.parametrize("name", ["t5", "t5, wide heads"])
@pytest.mark.parametrize("watched", [True, False])
def test_a_padded_batch_has_the_numbers_of_transformers(name: str, watched: bool, tmp_path: Path) -> None:
    theirs, model = tiny_t5.make(name, tmp_path), read_checkpoint(tmp_path)
    sources = [[token.id for token in model.tokens_of(text)] for text in ("I am a robot", TEXT, "the dog")]
    written = [[0, 5, 9], [0, 7, 8, 9, 10, 11], [0]]
    read, real = pad_rows(sources, 0), real_places(sources)
    ids, ids_real = pad_rows(written, 0), real_places(written)
    expected = stack_outputs(theirs, read, ids, attention_mask=real.long(), decoder_attention_mask=ids_real.long())
    tape = Tape("*.weights" if watched else "logits")
    with torch.inference_mode():
        logits = model.network(ids, read, tape, ids_real, real)
    for row, tokens in enumerate(written):
        torch.testing.assert_close(logits[row, : len(tokens)], expected.logits[row, : len(tokens)], **CLOSE)
    for layer, weights in enumerate(expected.encoder_attentions if watched else ()):
        ours = tape.records[f"encoder.{layer}.self_attn.weights"]
        for row, tokens in enumerate(sources):
            n = len(tokens)
            torch.testing.assert_close(ours[row, :, :n, :n], weights[row, :, :n, :n], **CLOSE)


def test_the_buckets_are_those_of_transformers() -> None:
    from transformers.models.t5.modeling_t5 import T5Attention

    distances = torch.arange(-3000, 3001)
    for n_buckets, reach in ((32, 128), (8, 10), (4, 3), (10, 20), (64, 1000)):
        for both_ways in (True, False):
            expected = T5Attention._relative_position_bucket(distances, both_ways, n_buckets, reach)
            assert bucket(distances, n_buckets, reach, both_ways).equal(expected), (n_buckets, reach, both_ways)


def test_a_score_is_the_product_and_the_bias(tmp_path: Path) -> None:
    """No division by sqrt(d_k). The first layer's table serves all layers, but no cross-attention."""
    tiny_t5.make("t5", tmp_path)
    stored, model = load_file(tmp_path / "model.safetensors"), read_checkpoint(tmp_path)
    trace = model.trace(TEXT, target=TARGET)
    for stack in ("encoder", "decoder"):
        table = stored[f"{stack}.block.0.layer.0.SelfAttention.relative_attention_bias.weight"]
        for layer in range(3):
            here = f"{stack}.{layer}.self_attn."
            assert trace[here + "scores_unbiased"].equal(trace[here + "raw_scores"])
            bias = trace[here + "position_bias"]
            assert bias[2, 4, 4] == table[0, 2]
            assert bias[1, 4, 3] == table[1, 1]
            assert bias[:, 5, 4].equal(bias[:, 2, 1])
            assert trace[here + "scores"].equal(trace[here + "scores_unbiased"] + bias)
    assert "decoder.0.cross_attn.position_bias" not in trace
    assert trace["decoder.0.cross_attn.scores"].equal(trace["decoder.0.cross_attn.raw_scores"])


@pytest.mark.parametrize("name", ["t5", "mt5"])
def test_tokens_are_those_of_transformers(name: str, tmp_path: Path) -> None:
    tiny_t5.make(name, tmp_path)
    theirs = T5Tokenizer.from_pretrained(tmp_path)
    ours, written = tokenizers_of(tmp_path)
    assert written is None
    assert (ours.start, ours.end, ours.pad) == (0, 1, 0)
    texts = [*random_texts(), "I am <extra_id_0> a robot", "<extra_id_1>", "a </s> b", *tiny_t5.TEXTS]
    for text in texts:
        ids = [token.id for token in ours.encode(text)]
        assert ids == theirs(text)["input_ids"], text
        assert ours.decode(ids) == theirs.decode(ids, skip_special_tokens=True), text
    assert len({len(ours.encode(text)) for text in texts}) > 10


@pytest.mark.slow
def test_the_sentence_piece_file_of_mt5_has_all_its_tokens(tmp_path: Path) -> None:
    tiny_t5.make("mt5", tmp_path)
    theirs = tiny_t5.tokenizer_of(tmp_path, extra=0)
    (tmp_path / "tokenizer.json").unlink()
    ours = read_checkpoint(tmp_path).tokenizer
    assert ours.size == len(theirs)
    for text in random_texts():
        assert [token.id for token in ours.encode(text)] == theirs(text)["input_ids"], text


@pytest.mark.slow
def test_a_sentence_piece_file_alone_cuts_as_transformers_does(tmp_path: Path) -> None:
    tiny_t5.make("t5", tmp_path)
    theirs = tiny_t5.tokenizer_of(tmp_path)
    (tmp_path / "tokenizer.json").unlink()
    model = read_checkpoint(tmp_path)
    ours = model.tokenizer
    assert model.target_tokenizer is None
    assert (ours.start, ours.end, ours.pad, ours.size) == (0, 1, 0, len(theirs))
    texts = [*random_texts(), "I am <extra_id_0> a robot", "a<extra_id_99>b", "a </s> b", ">>fra<< a", *tiny_t5.TEXTS]
    for text in texts:
        ids = [token.id for token in ours.encode(text)]
        assert ids == theirs(text)["input_ids"], text
        assert ours.decode(ids) == theirs.decode(ids, skip_special_tokens=True), text
    assert ours.token(len(theirs) - 1).special
    assert ours.token(len(theirs) - 1).text == "<extra_id_0>"


@pytest.mark.parametrize("name", ["t5", "t5, v1.1", "t5, v1.1 with one table", "mt5"])
def test_a_network_in_memory_is_adopted(name: str, tmp_path: Path) -> None:
    network = tiny_t5.make(name, tmp_path)
    model = adopt(network, T5Tokenizer.from_pretrained(tmp_path))
    try:
        trace = model.trace(TEXT, target=TARGET)
        expected = stack_outputs(network, ids_of(trace.source_tokens)[None], ids_of(trace.tokens)[None])
        torch.testing.assert_close(trace.logits, expected.logits[0], **CLOSE)
    finally:
        release(model)


# -- other files -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", VARIATIONS)
def test_a_checkpoint_that_the_library_read_and_saved_again_gives_the_same_logits(name: str, tmp_path: Path) -> None:
    """It writes of each that the table is shared, also where the output layer is one of its own."""
    theirs, before = tiny_t5.make(name, tmp_path), read_checkpoint(tmp_path)
    again = type(theirs).from_pretrained(tmp_path).eval()
    again.save_pretrained(tmp_path)
    assert json.loads((tmp_path / "config.json").read_text())["tie_word_embeddings"]
    model = read_checkpoint(tmp_path)
    assert model.config.shares_output_table == (tiny_t5.OWN_LAYER not in VARIATIONS[name])
    trace = model.trace(TEXT, target=TARGET)
    expected = stack_outputs(again, ids_of(trace.source_tokens)[None], ids_of(trace.tokens)[None])
    torch.testing.assert_close(trace.logits, expected.logits[0], **CLOSE)
    assert trace.logits.equal(before.trace(TEXT, target=TARGET).logits)


@pytest.mark.slow
@pytest.mark.parametrize("spare", [("encoder",), ("encoder", "decoder"), ("encoder", "decoder", "lm_head")])
def test_files_with_copies_of_the_table_are_read(spare: tuple[str, ...], tmp_path: Path) -> None:
    tiny_t5.make("t5", tmp_path)
    before, stored = read_checkpoint(tmp_path).trace(TEXT).logits, load_file(tmp_path / "model.safetensors")
    for name in spare:
        key = "lm_head.weight" if name == "lm_head" else f"{name}.embed_tokens.weight"
        stored[key] = stored["shared.weight"].clone()
    save_file(stored, tmp_path / "model.safetensors")
    model = read_checkpoint(tmp_path)
    assert model.config.shares_output_table
    assert model.trace(TEXT).logits.equal(before)
    del stored["shared.weight"]
    save_file(stored, tmp_path / "model.safetensors")
    assert read_checkpoint(tmp_path).trace(TEXT).logits.equal(before)


@pytest.mark.slow
def test_the_first_files_have_a_table_of_cross_attention_that_nothing_reads(tmp_path: Path) -> None:
    tiny_t5.make("t5", tmp_path)
    before, stored = read_checkpoint(tmp_path).trace(TEXT).logits, load_file(tmp_path / "model.safetensors")
    stored["decoder.block.0.layer.1.EncDecAttention.relative_attention_bias.weight"] = torch.ones(8, 4)
    save_file(stored, tmp_path / "model.safetensors")
    assert read_checkpoint(tmp_path).trace(TEXT).logits.equal(before)


TABLE = "decoder.block.0.layer.0.SelfAttention.relative_attention_bias.weight"


@pytest.mark.parametrize(
    ("lacking", "ours"),
    [
        (TABLE, r"decoder\.relative_bias\.weight"),
        ("shared.weight", r"encoder\.embed\.tokens\.weight"),
        ("encoder.block.1.layer.1.DenseReluDense.wi.weight", r"encoder\.blocks\.1\.ffn\.expand\.weight"),
        ("decoder.block.2.layer.1.EncDecAttention.k.weight", r"decoder\.blocks\.2\.cross_attn\.key\.weight"),
    ],
)
def test_a_missing_tensor_is_named(lacking: str, ours: str, tmp_path: Path) -> None:
    tiny_t5.make("t5", tmp_path)
    stored = load_file(tmp_path / "model.safetensors")
    del stored[lacking]
    save_file(stored, tmp_path / "model.safetensors")
    with pytest.raises(DamagedWeights, match=f"lacks .*{ours}"):
        read_checkpoint(tmp_path)


@pytest.mark.parametrize(
    "name", ["decoder.extra.weight", "encoder.block.1.layer.0.SelfAttention.relative_attention_bias.weight"]
)
def test_a_left_over_tensor_is_named(name: str, tmp_path: Path) -> None:
    tiny_t5.make("t5", tmp_path)
    stored = load_file(tmp_path / "model.safetensors")
    save_file({**stored, name: torch.ones(8, 4)}, tmp_path / "model.safetensors")
    with pytest.raises(DamagedWeights, match=f"does not know: {name}"):
        read_checkpoint(tmp_path)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"decoder_start_token_id": 5}, "starts to write after its padding token"),
        ({"feed_forward_proj": "gated-mish"}, "is none of"),
        ({"feed_forward_proj": "double-gelu"}, "an activation, or gated-activation"),
        ({"relative_attention_num_buckets": 2}, "at least 4"),
        ({"relative_attention_max_distance": 4}, "must be greater than 4"),
        ({"relative_attention_num_buckets": 10**8, "relative_attention_max_distance": 10**9}, "no tensor has more"),
        ({"num_layers": 10**6}, "layers, but the file has"),
    ],
)
def test_another_configuration_is_refused(changes: dict[str, Any], message: str, tmp_path: Path) -> None:
    tiny_t5.make("t5", tmp_path)
    path = tmp_path / "config.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | changes))
    with pytest.raises(DamagedWeights, match=message):
        read_checkpoint(tmp_path)
