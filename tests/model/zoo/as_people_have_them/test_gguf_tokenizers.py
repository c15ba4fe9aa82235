"""Tokenizers in the metadata of GGUF files: the ids of the same vocabulary in a folder, in `sentencepiece`, or those
that `transformers` reads from the file."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import sentencepiece
from gguf import GGUFWriter
from transformers import AutoTokenizer

from model.errors import DamagedWeights
from model.tokens.tokenizer import Tokenizer
from tests.model.zoo.as_people_have_them.tokenizer_folders import (
    TEXTS,
    byte_level,
    config,
    sentence_pieces,
    whole_bytes,
    word_pieces,
)
from tests.model.zoo.opened import read_gguf_tokenizer

NORMAL, UNKNOWN, CONTROL, USER_DEFINED, UNUSED, BYTE = range(1, 7)
END = "<|endoftext|>"


def write(path: Path, architecture: str = "llama", **values: Any) -> Path:
    """A GGUF file of a header alone, with these values of `tokenizer.ggml`."""
    writer = GGUFWriter(path, architecture)
    for key, count in {
        "context_length": 64,
        "embedding_length": 32,
        "feed_forward_length": 48,
        "block_count": 1,
    }.items():
        writer.add_uint32(f"{architecture}.{key}", count)
    writer.add_head_count(4)
    writer.add_head_count_kv(4)
    writer.add_layer_norm_rms_eps(1e-5)
    for key, value in values.items():
        name = f"tokenizer.ggml.{key}"
        if isinstance(value, list):
            writer.add_array(name, value)
        elif isinstance(value, bool):
            writer.add_bool(name, value)
        elif isinstance(value, int):
            writer.add_uint32(name, value)
        else:
            writer.add_string(name, value)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.close()
    return path


@cache
def merged() -> dict[str, Any]:
    """The values of a byte-level vocabulary."""
    model = json.loads(byte_level().to_str())["model"]
    pieces = sorted(model["vocab"], key=model["vocab"].get)
    types = [CONTROL if piece == END else NORMAL for piece in pieces]
    return {
        "model": "gpt2",
        "pre": "gpt-2",
        "tokens": pieces,
        "token_type": types,
        "merges": [" ".join(pair) for pair in model["merges"]],
        "eos_token_id": 0,
    }


def with_tokens(values: dict[str, Any], **typed: int) -> dict[str, Any]:
    """The values, with further tokens of these types."""
    more = {"tokens": [*values["tokens"], *typed], "token_type": [*values["token_type"], *typed.values()]}
    return values | more | ({"scores": [*values["scores"], *(0.0 for _ in typed)]} if "scores" in values else {})


def piece_values(folder: Path) -> dict[str, Any]:
    """The values of a SentencePiece file, as llama.cpp writes them. The file, `pieces.spm`, is in the folder."""
    sentence_pieces(folder, "pieces.spm", "bpe")
    processor = sentencepiece.SentencePieceProcessor(model_file=str(folder / "pieces.spm"))
    ids = range(processor.get_piece_size())
    kinds = {UNKNOWN: processor.is_unknown, CONTROL: processor.is_control, BYTE: processor.is_byte}
    return {
        "model": "llama",
        "tokens": [processor.id_to_piece(id) for id in ids],
        "scores": [processor.get_score(id) for id in ids],
        "token_type": [next((type for type, holds in kinds.items() if holds(id)), NORMAL) for id in ids],
        **{"bos_token_id": 1, "eos_token_id": 2, "unknown_token_id": 0},
    }


def ids(tokenizer: Tokenizer, text: str) -> list[int]:
    return [token.id for token in tokenizer.encode(text)]


def check(path: Path, theirs: Any = None) -> Tokenizer:
    """Our tokenizer, after it gave the ids of another one; without it, those of `transformers` for this file."""
    ours = read_gguf_tokenizer(path)
    reference = theirs or AutoTokenizer.from_pretrained(path.parent, gguf_file=path.name)
    for text in TEXTS:
        assert ids(ours, text) == reference(text)["input_ids"], text
    return ours


@pytest.mark.parametrize("pre", ["gpt-2", "default", "mpt", "olmo", "phi-2", "smaug-bpe", "dbrx"])
def test_a_byte_level_vocabulary_is_cut_as_its_name_says(pre: str, tmp_path: Path) -> None:
    check(write(tmp_path / "model.gguf", **merged() | {"pre": pre}))


def test_gpt_4os_cut_keeps_the_end_of_a_word_with_it(tmp_path: Path) -> None:
    ours = read_gguf_tokenizer(write(tmp_path / "model.gguf", **merged() | {"pre": "gpt-4o"}))
    cut = ours.backend.pre_tokenizer.pre_tokenize_str("HelloWorld's 12345 IT'S")
    assert [piece.replace("Ġ", " ") for piece, _ in cut] == ["Hello", "World's", " ", "123", "45", " IT'S"]


@pytest.mark.parametrize("cased", [False, True])
def test_pieces_of_words_have_the_ids_of_the_hub(cased: bool, tmp_path: Path) -> None:
    word_pieces(config(tmp_path, "bert"))
    lines = (tmp_path / "vocab.txt").read_text(encoding="utf-8").splitlines()
    pieces = list(dict.fromkeys(lines if cased else [line.lower() if line[0] != "[" else line for line in lines]))
    (tmp_path / "vocab.txt").write_text("\n".join(pieces) + "\n", encoding="utf-8")
    (tmp_path / "tokenizer_config.json").write_text(json.dumps({"do_lower_case": not cased}))
    stored = [p if p[0] == "[" and len(p) > 1 else p[2:] if p[:2] == "##" and len(p) > 2 else f"▁{p}" for p in pieces]
    path = write(tmp_path / "model.gguf", "bert", model="bert", tokens=stored, token_type_count=2)
    check(path, AutoTokenizer.from_pretrained(tmp_path))


def test_a_file_without_a_name_of_its_cut_is_cut_as_gpt_2(tmp_path: Path) -> None:
    check(write(tmp_path / "model.gguf", **{key: value for key, value in merged().items() if key != "pre"}))


@pytest.mark.parametrize("pre", ["llama-bpe", "llama3", "llama-v3", "tekken"])
def test_the_start_token_is_before_a_text_unless_the_file_says_otherwise(pre: str, tmp_path: Path) -> None:
    values = merged() | {"pre": pre, "bos_token_id": 0}
    plain = check(write(tmp_path / "plain.gguf", **values, add_bos_token=False))
    usual = read_gguf_tokenizer(write(tmp_path / "usual.gguf", **values))
    assert (plain.start, usual.start) == (None, 0)
    for text in TEXTS:
        assert ids(usual, text) == [0, *ids(plain, text)]


@pytest.mark.parametrize("pre", ["qwen2", "deepseek-r1-qwen"])
def test_qwen_has_the_ids_of_its_folder(pre: str, tmp_path: Path) -> None:
    """Also for a letter and its accent, which are one character there first."""
    whole_bytes(config(tmp_path, "qwen2"))
    path = write(tmp_path / "model.gguf", "qwen2", **merged() | {"pre": pre})
    check(path, AutoTokenizer.from_pretrained(tmp_path))


def test_the_end_token_is_behind_a_text_where_the_file_says_so(tmp_path: Path) -> None:
    ours = check(write(tmp_path / "model.gguf", **merged(), add_eos_token=True))
    assert [token.text for token in ours.encode("a")] == ["a", END]


def test_a_user_defined_token_is_one_id_in_a_byte_level_vocabulary(tmp_path: Path) -> None:
    """Such as `<think>`; it is no special token, and has a text."""
    values = with_tokens(merged(), **{"<tok>": USER_DEFINED, "<s>": CONTROL, "<think> 1": USER_DEFINED})
    ours = read_gguf_tokenizer(write(tmp_path / "model.gguf", **values))
    tokens = ours.encode("Hello<tok>World<s><think> 1")
    found = {token.text: token.special for token in tokens if token.id >= 330}
    assert found == {"<tok>": False, "<s>": True, "<think> 1": False}
    check(write(tmp_path / "other.gguf", **with_tokens(merged(), **{"<tok>": USER_DEFINED})))


def test_a_control_token_outside_the_byte_alphabet_is_one_id(tmp_path: Path) -> None:
    """DeepSeek's have wide bars. `transformers` cuts them."""
    ours = read_gguf_tokenizer(write(tmp_path / "model.gguf", **with_tokens(merged(), **{"<｜User｜>": CONTROL})))
    assert ids(ours, "<｜User｜>") == [330]


@pytest.mark.parametrize(
    "flags",
    [{}, {"add_bos_token": True, "add_eos_token": True}, {"add_bos_token": False}, {"add_space_prefix": True}],
    ids=str,
)
def test_sentence_pieces_have_the_ids_of_transformers(flags: dict[str, bool], tmp_path: Path) -> None:
    ours = check(write(tmp_path / "model.gguf", **piece_values(tmp_path) | flags))
    assert ours.start == (1 if flags.get("add_bos_token", True) else None)


def test_sentence_pieces_have_the_ids_of_sentencepiece(tmp_path: Path) -> None:
    """For texts without a space before the first word, and without runs of spaces, which its trainer takes out."""
    ours = read_gguf_tokenizer(write(tmp_path / "model.gguf", **piece_values(tmp_path)))
    processor = sentencepiece.SentencePieceProcessor(model_file=str(tmp_path / "pieces.spm"))
    texts = [text for text in TEXTS if text.strip() and text == " ".join(text.split()) and "<" not in text]
    normal = [text for text in texts if processor.normalize(text) == "▁" + text.replace(" ", "▁")]
    assert len(normal) > 5
    for text in normal:
        assert ids(ours, text) == [1, *processor.encode(text)], text


def test_no_space_is_put_before_a_text_where_the_file_says_so(tmp_path: Path) -> None:
    values = piece_values(tmp_path) | {"add_space_prefix": False, "add_bos_token": False}
    ours = read_gguf_tokenizer(write(tmp_path / "model.gguf", **values))
    first, *_ = ours.encode("robot")
    assert not first.bytes.startswith(b" ")
    assert b"".join(token.bytes for token in ours.encode("robot  a")) == b"robot  a"


def test_user_defined_pieces_and_bytes(tmp_path: Path) -> None:
    """A piece of type 4 is one id. What no piece has becomes bytes, which are the character again."""
    values = with_tokens(piece_values(tmp_path), **{"<tok>": USER_DEFINED, "<end>": CONTROL})
    ours = check(write(tmp_path / "model.gguf", **values))
    tokens = ours.encode("a<tok>🙂<end>")
    assert [token.text for token in tokens if token.id >= 420] == ["<tok>", "<end>"]
    assert "🙂".encode() in b"".join(token.bytes for token in tokens)
    assert ours.decode(token.id for token in tokens) == "a<tok>🙂"


def test_special_tokens_without_types_are_those_with_a_name(tmp_path: Path) -> None:
    values = {key: value for key, value in merged().items() if key != "token_type"}
    ours = check(write(tmp_path / "model.gguf", **values))
    assert [token.special for token in ours.encode(END)] == [True]


def test_an_id_that_no_token_has_names_nothing(tmp_path: Path) -> None:
    values = merged() | {"bos_token_id": 5000, "add_bos_token": True}
    ours = read_gguf_tokenizer(write(tmp_path / "model.gguf", **values))
    assert ours.start is None
    assert ids(ours, "a") == byte_level().encode("a").ids


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"model": "t5"}, "of the kind 't5'. From GGUF these are read: gpt2"),
        ({"pre": "chatglm-bpe"}, "by the pattern 'chatglm-bpe', which is not known here"),
        ({"lower_case": True}, "tokenizer.ggml.lower_case = true"),
    ],
)
def test_what_is_not_read_is_named(values: dict[str, Any], words: str, tmp_path: Path) -> None:
    with pytest.raises(DamagedWeights, match=words):
        read_gguf_tokenizer(write(tmp_path / "model.gguf", **merged() | values))
