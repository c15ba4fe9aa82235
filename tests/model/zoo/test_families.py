"""Every family and variation beside `transformers`, from the same tiny checkpoint; and checkpoints that do not fit."""

from __future__ import annotations

import json
import random
import tracemalloc
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import load_file, save_file
from transformers import PreTrainedTokenizerFast, Qwen2Tokenizer

from model.analysis.head_steps import final_name
from model.errors import DamagedWeights, TextTooLong, UnsupportedFamily
from model.loading import read_checkpoint
from model.network.linear import store_transposed
from model.run import Model
from model.tape import Trace
from model.zoo.build import build
from model.zoo.opening import open_checkpoint
from tests.model.zoo import tiny_families
from tests.model.zoo.opened import read, read_gguf_tokenizer, read_tokenizer
from tests.model.zoo.reference import outputs
from tests.model.zoo.tiny_families import ENCODERS, VARIATIONS
from tests.model.zoo.tiny_gguf import byte_level_pieces, write_gguf

TEXT = "I am a robot"  # more tokens than the smallest window
ALPHABETS = ("abcdefg hij", "The quick brown\n\t ", "éß漢字かな", "سلام دنیا", "👩‍👩‍👧🏽 🇵🇰", "0123456789 .,!?'s")


def random_texts() -> list[str]:
    """A thousand texts of several scripts, the same ones each time."""
    chance = random.Random(0)
    return ["".join(chance.choices(chance.choice(ALPHABETS), k=chance.randrange(40))) for _ in range(1000)]


def assert_same_numbers(model: Model, theirs: Any) -> None:
    """Every layer's hidden state and attention, the logits, and the words that are written."""
    trace = model.trace(TEXT)
    ids = torch.tensor([token.id for token in trace.tokens])
    expected, layers = outputs(theirs, ids), model.config.n_decoder_layers
    close = {"atol": 1e-4, "rtol": 1e-4}
    for layer in range(layers):
        here = f"decoder.{layer}."
        torch.testing.assert_close(trace[here + "self_attn.weights"], expected.attentions[layer][0], **close)
        torch.testing.assert_close(trace[here + "resid_in"], expected.hidden_states[layer][0], **close)
    last = trace[final_name(model.config, "decoder")]
    torch.testing.assert_close(last, expected.hidden_states[layers][0], **close)
    torch.testing.assert_close(trace["logits"], expected.logits[0], **close)
    if model.config.n_experts:
        assert_same_experts(model, trace, theirs, ids)
    written = theirs.generate(
        ids[None], attention_mask=torch.ones_like(ids[None]), do_sample=False, max_new_tokens=5, eos_token_id=None,
        pad_token_id=0,
    )  # fmt: skip
    model.tokenizer.ends = ()
    assert [step.chosen for step in model.generate(TEXT, max_new_tokens=5)] == written[0, len(ids) :].tolist()


def assert_same_experts(model: Model, trace: Trace, theirs: Any, ids: torch.Tensor) -> None:
    """The logits of every router, and the experts and weights that `transformers` takes of them."""
    with torch.inference_mode():
        routers = theirs(ids[None], output_router_logits=True, use_cache=False).router_logits
    for layer, router in enumerate(routers):
        at = f"decoder.{layer}.ffn."
        torch.testing.assert_close(trace[at + "router"], router, atol=1e-4, rtol=1e-4)
        values, taken = router.softmax(-1).topk(model.config.n_taken)
        if model.config.normalise_taken:
            values /= values.sum(-1, keepdim=True)
        assert trace[at + "chosen"].equal(taken.float())
        torch.testing.assert_close(trace[at + "gates"].gather(-1, taken), values, atol=1e-4, rtol=1e-4)
        assert int((trace[at + "gates"] > 0).sum()) == taken.numel()


@pytest.mark.parametrize("name", VARIATIONS)
def test_the_numbers_are_those_of_transformers(name: str, tmp_path: Path) -> None:
    theirs = tiny_families.make(name, tmp_path)
    assert_same_numbers(read_checkpoint(tmp_path), theirs)


MASKED, CLASSES = "ForMaskedLM", "ForSequenceClassification"


@pytest.mark.parametrize("head", ["Model", MASKED, CLASSES])
@pytest.mark.parametrize("name", ENCODERS)
def test_the_numbers_of_encoders_are_those_of_transformers(name: str, head: str, tmp_path: Path) -> None:
    whole, close = tiny_families.make_encoder(name, tmp_path, head), {"atol": 1e-4, "rtol": 1e-4}
    model = read_checkpoint(tmp_path)
    trace = model.trace(TEXT)
    ids = torch.tensor([token.id for token in trace.tokens])
    expected = outputs(whole.base_model, ids)
    for layer in range(3):
        here = f"encoder.{layer}."
        torch.testing.assert_close(trace[here + "self_attn.weights"], expected.attentions[layer][0], **close)
        torch.testing.assert_close(trace[here + "resid_in"], expected.hidden_states[layer][0], **close)
    torch.testing.assert_close(trace[final_name(model.config, "encoder")], expected.last_hidden_state[0], **close)
    assert (model.config.masked_words, bool(model.config.text_labels)) == (head == MASKED, head == CLASSES)
    if model.config.has_answer:
        with torch.inference_mode():
            logits = whole(ids[None]).logits[0]
        torch.testing.assert_close(trace["logits" if head == MASKED else "text_logits"], logits, **close)
    assert model.config.max_length == (62 if "roberta" in name or name == "camembert" else 64)


@pytest.mark.parametrize("name", ENCODERS)
def test_the_table_of_masked_words_may_be_one_of_its_own(name: str, tmp_path: Path) -> None:
    whole = tiny_families.make_encoder(name, tmp_path, MASKED, tie_word_embeddings=False)
    model = read_checkpoint(tmp_path)
    assert not model.config.shares_output_table
    trace = model.trace(TEXT)
    with torch.inference_mode():
        expected = whole(torch.tensor([[token.id for token in trace.tokens]])).logits[0]
    torch.testing.assert_close(trace["logits"], expected, atol=1e-4, rtol=1e-4)


@pytest.mark.parametrize("name", ENCODERS)
def test_labels_are_those_of_the_configuration(name: str, tmp_path: Path) -> None:
    labels = {0: "angry", 1: "calm", 2: "glad"}
    tiny_families.make_encoder(name, tmp_path, CLASSES, id2label=labels, num_labels=3)
    model = read_checkpoint(tmp_path)
    assert model.config.text_labels == ("angry", "calm", "glad")
    assert model.trace(TEXT)["text_logits"].shape == (3,)


@pytest.mark.parametrize("name", ENCODERS)
def test_an_encoder_without_the_head_that_its_configuration_names_has_no_answer(name: str, tmp_path: Path) -> None:
    tiny_families.make_encoder(name, tmp_path, "Model")
    change_config(tmp_path, architectures=[ENCODERS[name][0] + MASKED])
    assert not read_checkpoint(tmp_path).config.has_answer


def test_a_bert_as_it_was_trained_has_masked_words_beside_a_pooler_that_is_left(tmp_path: Path) -> None:
    whole = tiny_families.make_encoder("bert", tmp_path, "ForPreTraining")
    trace = read_checkpoint(tmp_path).trace(TEXT)
    with torch.inference_mode():
        expected = whole(torch.tensor([[token.id for token in trace.tokens]])).prediction_logits[0]
    torch.testing.assert_close(trace["logits"], expected, atol=1e-4, rtol=1e-4)


def test_the_first_checkpoints_call_gains_gamma(tmp_path: Path) -> None:
    tiny_families.make_encoder("bert", tmp_path)
    plain = dict(read_checkpoint(tmp_path).network.named_parameters())
    stored = load_file(tmp_path / "model.safetensors")
    old = {
        name.replace("LayerNorm.weight", "LayerNorm.gamma").replace("LayerNorm.bias", "LayerNorm.beta"): tensor
        for name, tensor in stored.items()
    }
    save_file(old, tmp_path / "model.safetensors")
    assert all(plain[name].equal(each) for name, each in read_checkpoint(tmp_path).network.named_parameters())


@pytest.mark.parametrize("name", ["llama, tied", "gpt2", "gpt_neox", "qwen3"])
@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16])
def test_half_width_files_become_float32(name: str, dtype: torch.dtype, tmp_path: Path) -> None:
    theirs = tiny_families.make(name, tmp_path, dtype)
    model = read_checkpoint(tmp_path)
    assert {weights.dtype for weights in model.network.parameters()} == {torch.float32}
    assert_same_numbers(model, theirs)


@pytest.mark.parametrize("name", ["llama", "gpt2", "gpt_neox"])
def test_sharded_files_are_one_checkpoint(name: str, tmp_path: Path) -> None:
    theirs = tiny_families.make(name, tmp_path, shard="40KB")
    assert len(list(tmp_path.glob("model-*.safetensors"))) > 1
    assert not (tmp_path / "model.safetensors").exists()
    assert_same_numbers(read_checkpoint(tmp_path), theirs)


def test_older_files_have_buffers_and_no_prefix(tmp_path: Path) -> None:
    """openai-community/gpt2: "h.0.attn.bias" is the causal mask, and no name begins with "transformer."."""
    theirs = tiny_families.make("gpt2", tmp_path)
    stored = load_file(tmp_path / "model.safetensors")
    bare = {name.removeprefix("transformer."): tensor for name, tensor in stored.items()}
    masks = {f"h.{layer}.attn.bias": torch.ones(1, 1, 64, 64, dtype=torch.bool) for layer in range(3)}
    save_file(bare | masks, tmp_path / "model.safetensors")
    assert_same_numbers(read_checkpoint(tmp_path), theirs)


@pytest.mark.parametrize("name", ["llama", "llama, tied", "qwen2", "qwen3"])
def test_gguf_files_hold_the_same_model(name: str, tmp_path: Path) -> None:
    theirs = tiny_families.make(name, tmp_path)
    kind, pre = name.partition(",")[0], "qwen2" if "qwen" in name else "gpt-2"
    path = write_gguf(tmp_path / "model.safetensors", architecture=kind, pre=pre, end=0)
    model = read_checkpoint(path)
    assert_same_numbers(model, theirs)
    assert open_checkpoint(path).nbytes == model.nbytes


def test_qwens_tokenizer_is_rebuilt_from_gguf(tmp_path: Path) -> None:
    tiny_families.make("qwen2", tmp_path)
    pieces, merges = byte_level_pieces(tmp_path)
    vocabulary = {piece: id for id, piece in enumerate(pieces)}
    theirs = Qwen2Tokenizer(vocab=vocabulary, merges=[tuple(each.split(" ")) for each in merges])
    path = write_gguf(tmp_path / "model.safetensors", architecture="qwen2", pre="qwen2", end=0)
    ours = read_gguf_tokenizer(path)
    for text in random_texts():
        assert [token.id for token in ours.encode(text)] == theirs.encode(text), text


def test_llama_3s_tokenizer_keeps_three_digits_together_and_starts_a_text(tmp_path: Path) -> None:
    tiny_families.make("llama", tmp_path)
    path = write_gguf(tmp_path / "model.safetensors", pre="llama-bpe", end=0, start=0)
    backend = read_gguf_tokenizer(path).backend
    assert backend.encode("a").ids[0] == 0
    cut = [piece for piece, _ in backend.pre_tokenizer.pre_tokenize_str("it's 12345")]
    assert cut == ["it", "'s", "Ġ", "123", "45"]


def test_a_text_longer_than_its_positions_is_refused(tmp_path: Path) -> None:
    tiny_families.make("mistral, window", tmp_path, max_position_embeddings=12)
    model = read_checkpoint(tmp_path)
    assert (model.config.window, model.config.max_length) == (5, 12)
    with pytest.raises(TextTooLong, match="takes at most 12"):
        model.trace("a b c d e f g h i j k l m")


def test_a_checkpoint_that_is_written_anew_leaves_the_open_model_as_it_is(tmp_path: Path) -> None:
    tiny_families.make("gpt2", tmp_path)
    model = read_checkpoint(tmp_path)
    before = model.trace(TEXT)["logits"]
    (tmp_path / "model.safetensors").write_bytes(b"")
    assert model.trace(TEXT)["logits"].equal(before)


@pytest.mark.parametrize("name", ["gpt2", "gpt_neox", "llama"])
def test_weights_are_stored_at_once_as_the_network_multiplies_by_them(name: str, tmp_path: Path) -> None:
    tiny_families.make(name, tmp_path)
    config, weights = read(tmp_path)
    network = build(config, weights)
    before = {name: weight.data_ptr() for name, weight in network.named_parameters()}
    assert before == {name: weight.data_ptr() for name, weight in store_transposed(network).named_parameters()}


@pytest.mark.slow
def test_the_size_is_told_before_the_weights_are_read(tmp_path: Path) -> None:
    for name in ("llama, tied", "gpt_neox", "gpt2"):
        folder = tmp_path / name
        tiny_families.make(name, folder, torch.float16)
        assert open_checkpoint(folder).nbytes == read_checkpoint(folder).nbytes
    card = read_checkpoint(tmp_path / "gpt2").card
    assert (card.name, card.kind, card.layers, card.heads) == ("gpt2", "decoder", "3", 4)
    assert card.parameters == open_checkpoint(tmp_path / "gpt2").nbytes // 4


def test_tokens_are_those_of_transformers(tmp_path: Path) -> None:
    tiny_families.make("gpt2", tmp_path)
    ours = read_tokenizer(tmp_path)
    theirs = PreTrainedTokenizerFast(tokenizer_file=str(tmp_path / "tokenizer.json"))
    for text in random_texts():
        tokens = ours.encode(text)
        assert [token.id for token in tokens] == theirs.encode(text)
        assert b"".join(token.bytes for token in tokens).decode() == text == ours.decode(token.id for token in tokens)


def test_added_tokens_are_spelled_as_they_are_read(tmp_path: Path) -> None:
    """Pythia's tokenizer has runs of spaces as added tokens, which are no pieces of bytes."""
    tiny_families.make("gpt_neox", tmp_path, vocab_size=tiny_families.VOCABULARY + 2)
    backend = tiny_families.byte_level_tokenizer()
    backend.add_tokens(["    ", "ünder"])
    backend.save(str(tmp_path / "tokenizer.json"))
    tokens = read_checkpoint(tmp_path).tokenizer.encode("I    am ünder")
    assert [token.text for token in tokens if token.id >= tiny_families.VOCABULARY] == ["    ", "ünder"]
    assert b"".join(token.bytes for token in tokens).decode() == "I    am ünder"


def test_pieces_with_a_bar_for_the_space_fall_back_to_bytes(tmp_path: Path) -> None:
    """Llama 2, TinyLlama and Mistral: SentencePiece's pieces in a tokenizer.json, behind a start token."""
    tiny_families.make("llama", tmp_path)
    tiny_families.sentence_piece_tokenizer().save(str(tmp_path / "tokenizer.json"))
    tokens = read_checkpoint(tmp_path).tokenizer.encode("I am é")
    assert tokens[0].special
    assert [token.text for token in tokens[1:4]] == [" I", " am", " "]
    assert b"".join(token.bytes for token in tokens).decode() == " I am é"


# -- checkpoints that do not fit ---------------------------------------------------------------------------------------


def change_config(folder: Path, **changes: Any) -> None:
    path = folder / "config.json"
    values = json.loads(path.read_text()) | changes
    path.write_text(json.dumps({name: value for name, value in values.items() if value is not None}))


@pytest.mark.parametrize("kind", ["mamba", "", None, 7, ["llama"], "cohere2"])
def test_a_family_that_is_not_here_is_named_with_those_that_are(kind: Any, tmp_path: Path) -> None:
    tiny_families.make("llama", tmp_path)
    change_config(tmp_path, model_type=kind)
    with pytest.raises(UnsupportedFamily, match=r"model_type .* cannot be read\. These can: Llama, .*GPT-2"):
        read_checkpoint(tmp_path)


TENSORS: dict[str, tuple[str, str]] = {  # a tensor of the file, and our name of what it becomes
    "llama": ("model.layers.1.self_attn.k_proj.weight", r"decoder\.blocks\.1\.self_attn\.key\.weight"),
    "qwen2": ("model.layers.1.self_attn.q_proj.bias", r"decoder\.blocks\.1\.self_attn\.query\.bias"),
    "qwen3": ("model.layers.2.self_attn.k_norm.weight", r"decoder\.blocks\.2\.self_attn\.key_norm\.gain"),
    "gpt2": ("transformer.h.1.attn.c_attn.weight", r"decoder\.blocks\.1\.self_attn\.key\.weight"),
    "gpt_neox": ("gpt_neox.layers.1.attention.query_key_value.bias", r"decoder\.blocks\.1\.self_attn\.key\.bias"),
}


@pytest.mark.parametrize("name", TENSORS)
def test_a_missing_tensor_is_named(name: str, tmp_path: Path) -> None:
    tiny_families.make(name, tmp_path)
    stored = load_file(tmp_path / "model.safetensors")
    del stored[TENSORS[name][0]]
    save_file(stored, tmp_path / "model.safetensors")
    with pytest.raises(DamagedWeights, match=f"lacks .*{TENSORS[name][1]}"):
        read_checkpoint(tmp_path)


@pytest.mark.parametrize("name", TENSORS)
def test_a_left_over_tensor_is_named(name: str, tmp_path: Path) -> None:
    tiny_families.make(name, tmp_path)
    stored = load_file(tmp_path / "model.safetensors")
    save_file({**stored, "model.extra.weight": torch.ones(2)}, tmp_path / "model.safetensors")
    with pytest.raises(DamagedWeights, match=r"does not know: model\.extra\.weight"):
        read_checkpoint(tmp_path)


@pytest.mark.parametrize("name", TENSORS)
def test_a_tensor_of_another_shape_is_damage(name: str, tmp_path: Path) -> None:
    tiny_families.make(name, tmp_path)
    stored = load_file(tmp_path / "model.safetensors")
    stored[TENSORS[name][0]] = torch.ones(5, 7)
    save_file(stored, tmp_path / "model.safetensors")
    with pytest.raises(DamagedWeights):
        read_checkpoint(tmp_path)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"num_hidden_layers": 1_000_000}, "1,000,000 layers, but the file has"),
        ({"intermediate_size": 10**9}, "d_ff = 1,000,000,000, but no tensor"),
        ({"hidden_size": 64}, "Tensors of another shape|describes no model"),
        ({"num_hidden_layers": 2}, r"no place for .*decoder\.blocks\.2"),
    ],
)
def test_a_config_that_lies_takes_no_memory(changes: dict[str, Any], message: str, tmp_path: Path) -> None:
    tiny_families.make("llama", tmp_path)
    change_config(tmp_path, **changes)
    tracemalloc.start()
    with pytest.raises(DamagedWeights, match=message):
        read_checkpoint(tmp_path)
    assert tracemalloc.get_traced_memory()[1] < 20_000_000
    tracemalloc.stop()


def test_a_tokenizer_that_is_larger_than_the_vocabulary_is_named(tmp_path: Path) -> None:
    tiny_families.make("llama", tmp_path, vocab_size=280)
    with pytest.raises(DamagedWeights, match="does not fit the model: it has a token with the id 299"):
        read_checkpoint(tmp_path)


@pytest.mark.parametrize("places", [None, {}, {"a": "../x.safetensors"}, {"a": "x.bin"}, {"a": "none.safetensors"}])
def test_an_index_that_leads_elsewhere_is_damage(places: dict[str, str] | None, tmp_path: Path) -> None:
    tiny_families.make("llama", tmp_path)
    (tmp_path / "model.safetensors").unlink()
    (tmp_path / "model.safetensors.index.json").write_text(json.dumps({"weight_map": places}))
    with pytest.raises(DamagedWeights, match=r"index\.json"):
        read_checkpoint(tmp_path)


def test_pickles_alone_are_refused(tmp_path: Path) -> None:
    tiny_families.make("llama", tmp_path)
    (tmp_path / "model.safetensors").rename(tmp_path / "pytorch_model.bin")
    with pytest.raises(DamagedWeights, match=r"only as pytorch_model\.bin.*can run code"):
        read_checkpoint(tmp_path)


def test_quantised_weights_are_refused(tmp_path: Path) -> None:
    tiny_families.make("llama", tmp_path)
    stored = load_file(tmp_path / "model.safetensors")
    stored["model.layers.0.mlp.up_proj.weight"] = torch.ones(48, 32, dtype=torch.int8)
    save_file(stored, tmp_path / "model.safetensors")
    with pytest.raises(DamagedWeights, match="stored as I8"):
        read_checkpoint(tmp_path)


def test_weights_that_are_no_numbers_are_named(tmp_path: Path) -> None:
    tiny_families.make("gpt2", tmp_path)
    stored = load_file(tmp_path / "model.safetensors")
    stored["transformer.h.1.mlp.c_fc.bias"][3] = float("nan")
    save_file(stored, tmp_path / "model.safetensors")
    with pytest.raises(DamagedWeights, match=r"transformer\.h\.1\.mlp\.c_fc\.bias.*not a number"):
        read_checkpoint(tmp_path)
