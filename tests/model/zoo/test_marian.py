"""Marian beside `transformers`, from the same tiny checkpoints: both stacks, cross-attention, tokens, and beams."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import load_file, save_file
from transformers import MarianTokenizer

from model import adopt
from model.adopted import release
from model.errors import DamagedWeights
from model.generation.beam import beam_search
from model.loading import read_checkpoint
from model.run import ids_of
from model.zoo.hub_folder import tokenizers_of
from model.zoo.marian import UNWRITTEN
from tests.model.zoo import tiny_families
from tests.model.zoo.test_families import random_texts
from tests.model.zoo.tiny_families import TRANSLATORS

pytestmark = pytest.mark.filterwarnings("ignore:Recommended. pip install sacremoses")  # no part of what is compared
TEXT, TARGET = "I am a robot", "میں ایک روبوٹ ہوں"
CLOSE = {"atol": 1e-4, "rtol": 1e-4}


@pytest.mark.parametrize("name", TRANSLATORS)
def test_every_number_is_that_of_transformers(name: str, tmp_path: Path) -> None:
    theirs = tiny_families.make_translator(name, tmp_path)
    model = read_checkpoint(tmp_path)
    trace = model.trace(TEXT, target=TARGET)
    with torch.inference_mode():
        expected = theirs(
            input_ids=ids_of(trace.source_tokens)[None], decoder_input_ids=ids_of(trace.tokens)[None],
            output_attentions=True, output_hidden_states=True,
        )  # fmt: skip
    layers = {"encoder": 2, "decoder": 3}
    for stack, states in (("encoder", expected.encoder_hidden_states), ("decoder", expected.decoder_hidden_states)):
        for layer in range(layers[stack]):
            torch.testing.assert_close(trace[f"{stack}.{layer}.resid_in"], states[layer][0], **CLOSE)
        torch.testing.assert_close(trace[f"{stack}.{layers[stack] - 1}.ffn_norm"], states[-1][0], **CLOSE)
    for part, attentions in (
        ("encoder.{}.self_attn", expected.encoder_attentions),
        ("decoder.{}.self_attn", expected.decoder_attentions),
        ("decoder.{}.cross_attn", expected.cross_attentions),
    ):
        for layer, weights in enumerate(attentions):
            torch.testing.assert_close(trace[f"{part.format(layer)}.weights"], weights[0], **CLOSE)
    ours, logits = trace.logits, expected.logits[0].clone()
    lowered = theirs.final_logits_bias[0, -1] - UNWRITTEN
    logits[:, -1] -= lowered  # the padding, which they forbid by `bad_words_ids`
    torch.testing.assert_close(ours, logits, **CLOSE)


@pytest.mark.parametrize("name", TRANSLATORS)
@pytest.mark.parametrize("text", ["I am a robot", "The weather is cool", "What time is it?"])
def test_greedy_search_writes_the_same(name: str, text: str, tmp_path: Path) -> None:
    theirs, model = tiny_families.make_translator(name, tmp_path), read_checkpoint(tmp_path)
    ids = ids_of(model.tokens_of(text))[None]
    written = theirs.generate(
        ids, attention_mask=torch.ones_like(ids), do_sample=False, num_beams=1, max_new_tokens=12,
        bad_words_ids=[[theirs.config.pad_token_id]],
    )  # fmt: skip
    assert [step.chosen for step in model.generate(text, max_new_tokens=12)] == written[0, 1:].tolist()


@pytest.mark.parametrize("width", [1, 3])
def test_beams_find_the_same_translation(width: int, tmp_path: Path) -> None:
    theirs, model = tiny_families.make_translator("marian", tmp_path), read_checkpoint(tmp_path)
    source, writer = ids_of(model.tokens_of(TEXT)), model.output_tokenizer
    assert writer.end is not None
    start = torch.tensor([writer.sequence_start])
    tree = beam_search(model.network, start, 8, writer.ends, source=source, width=width)
    expected = theirs.generate(
        source[None], attention_mask=torch.ones(1, len(source), dtype=torch.long), do_sample=False, num_beams=width,
        max_new_tokens=8, length_penalty=1.0, early_stopping=True, bad_words_ids=[[theirs.config.pad_token_id]],
    )  # fmt: skip
    assert list(tree.best.ids) == expected[0, 1:].tolist()


@pytest.mark.slow
@pytest.mark.parametrize("name", ["marian", "marian, two vocabularies"])
def test_tokens_are_those_of_transformers(name: str, tmp_path: Path) -> None:
    tiny_families.make_translator(name, tmp_path)
    separate = "two" in name
    theirs = MarianTokenizer(
        **{f"{part}_spm": str(tmp_path / f"{part}.spm") for part in ("source", "target")},
        vocab=str(tmp_path / "vocab.json"), separate_vocabs=separate,
        target_vocab_file=str(tmp_path / "target_vocab.json") if separate else None,
    )  # fmt: skip
    read, written = tokenizers_of(tmp_path)
    assert written is not None
    texts = [*random_texts(), ">>urd<< I am a robot", ">>xyz<< I", ">>", *tiny_families.URDU]
    for text in texts:
        assert [token.id for token in read.encode(text)] == theirs(text)["input_ids"], text
    for text in texts:
        ids = [token.id for token in written.encode(text)]
        assert ids == theirs(text_target=text)["input_ids"], text
        assert written.decode(ids) == theirs.decode(ids, skip_special_tokens=True), text
    assert len({len(read.encode(text)) for text in texts}) > 10


def test_a_token_says_where_it_stands(tmp_path: Path) -> None:
    tiny_families.make_translator("marian", tmp_path)
    tokenizer, _ = tokenizers_of(tmp_path)
    text = ">>urd<< I am a robot"
    cut = tokenizer.backend.encode(text)
    for (start, end), piece in zip(cut.offsets, cut.tokens, strict=True):
        if piece != "</s>":
            assert piece.replace("▁", "") in text[start:end]
    tokens = tokenizer.encode(text)
    assert "".join(token.text for token in tokens if not token.special) == ">>urd<< I am a robot"


def test_the_padding_that_starts_a_text_is_never_written(tmp_path: Path) -> None:
    """As transformers stores it: a row of zeros and no bias, whose score of 0 wins here, where all others are lower."""
    tiny_families.make_translator("marian", tmp_path)
    stored = load_file(tmp_path / "model.safetensors")
    stored["model.shared.weight"][-1] = 0
    stored["final_logits_bias"] = torch.full_like(stored["final_logits_bias"], -30.0)
    stored["final_logits_bias"][0, -1] = 0
    save_file(stored, tmp_path / "model.safetensors")
    model = read_checkpoint(tmp_path)
    written = [step.chosen for step in model.generate(TEXT, max_new_tokens=6)]
    assert model.output_tokenizer.sequence_start not in written


def test_a_network_in_memory_is_adopted_with_both_tokenizers(tmp_path: Path) -> None:
    network = tiny_families.make_translator("marian", tmp_path)
    words = MarianTokenizer.from_pretrained(tmp_path)
    model = adopt(network, words)
    try:
        logits = model.trace(TEXT, target=TARGET).logits
        with torch.inference_mode():
            tokens = ids_of(model.trace(TEXT, target=TARGET).tokens)[None]
            expected = network(input_ids=ids_of(model.tokens_of(TEXT))[None], decoder_input_ids=tokens).logits[0]
        torch.testing.assert_close(logits[:, :-1], expected[:, :-1], **CLOSE)
        assert model.target_tokenizer is not None
    finally:
        release(model)


def change_config(folder: Path, **changes: Any) -> None:
    path = folder / "config.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | changes))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"decoder_attention_heads": 2}, "encoder_attention_heads and decoder_attention_heads differ"),
        ({"decoder_ffn_dim": 12}, "encoder_ffn_dim and decoder_ffn_dim differ"),
        ({"normalize_before": True}, "norms stand in other places"),
        ({"pad_token_id": 3}, "starts with its padding token, the last one"),
        ({"decoder_start_token_id": 0}, "starts with its padding token, the last one"),
        ({"encoder_layers": 10**6}, "layers, but the file has"),
        ({"activation_function": "mish"}, "is none of"),
    ],
)
def test_another_configuration_is_refused(changes: dict[str, Any], message: str, tmp_path: Path) -> None:
    tiny_families.make_translator("marian", tmp_path)
    change_config(tmp_path, **changes)
    with pytest.raises(DamagedWeights, match=message):
        read_checkpoint(tmp_path)


@pytest.mark.parametrize(
    ("file", "content", "message"),
    [
        ("source.spm", b"\x00\xffno model", r"source\.spm is no SentencePiece file"),
        ("target.spm", b"", r"target\.spm is no SentencePiece file"),
        ("source.spm", None, r"source\.spm is no SentencePiece file"),
        ("vocab.json", None, r"vocab\.json cannot be read"),
        ("vocab.json", b'{"a": 1, "b": 1}', "two pieces share an id"),
        ("vocab.json", b'{"a": "b"}', "'b' is no id"),
        ("vocab.json", b'{"a": 0}', "has no <pad>, </s>, <unk>"),
        ("vocab.json", b'{"</s>": 0, "<unk>": 1, "<pad>": 100000}', "a token with the id 100,000"),
    ],
)
def test_a_damaged_tokenizer_is_named(file: str, content: bytes | None, message: str, tmp_path: Path) -> None:
    tiny_families.make_translator("marian", tmp_path)
    if content is None:
        (tmp_path / file).unlink()
    else:
        (tmp_path / file).write_bytes(content)
    with pytest.raises(DamagedWeights, match=message):
        read_checkpoint(tmp_path)


def test_older_files_have_position_tables(tmp_path: Path) -> None:
    theirs = tiny_families.make_translator("marian", tmp_path)
    before = read_checkpoint(tmp_path).trace(TEXT, target=TARGET).logits
    stored = load_file(tmp_path / "model.safetensors")
    tables = {f"model.{stack}.embed_positions.weight": torch.zeros(64, 32) for stack in ("encoder", "decoder")}
    tables["lm_head.weight"] = theirs.lm_head.weight.clone()
    save_file(stored | tables, tmp_path / "model.safetensors")
    assert read_checkpoint(tmp_path).trace(TEXT, target=TARGET).logits.equal(before)
