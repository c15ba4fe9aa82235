"""Tokenizers that a stranger made to break a page, to stop the process, or to take its memory: a few lines each."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

import numpy as np

from tests.model.zoo.as_people_have_them.tokenizer_folders import VECTORS, config

PIECES = {piece: id for id, piece in enumerate(["<unk>", "a", "b", "c", " ", "ab"])}
MEGABYTE = "b" * 1_000_000
Values = dict[str, Any]


def described(model: Values | None = None, **parts: Any) -> Values:
    """The values of a small sound tokenizer.json, with others in the place of some."""
    merging = {"type": "BPE", "vocab": PIECES, "merges": ["a b"], "unk_token": "<unk>"}
    sound = dict.fromkeys(("truncation", "padding", "normalizer", "pre_tokenizer", "post_processor", "decoder"))
    return {"version": "1.0", "added_tokens": [], **sound, "model": merging | (model or {}), **parts}


def folder_of(folder: Path, values: Values) -> Path:
    """The folder of a model without weights whose tokenizer.json is taken as it stands."""
    config(folder, "llama")
    (folder / "tokenizer.json").write_text(json.dumps(values), encoding="utf-8")
    return folder


def word_pieces(**values: Any) -> Values:
    """The values of such a tokenizer with the pieces of WordPiece."""
    pieces = {"type": "WordPiece", "unk_token": "<unk>", "continuing_subword_prefix": "##"}
    return described({**pieces, "max_input_chars_per_word": 100, **values})


def unigram(vocabulary: list[Any], unknown: int | None = 0) -> Values:
    return described() | {"model": {"type": "Unigram", "vocab": vocabulary, "unk_id": unknown}}


def replace(content: str, **pattern: str) -> Values:
    """A step that puts `content` in the place of a String or of what a Regex finds."""
    return {"type": "Replace", "pattern": pattern, "content": content}


def split(regex: str) -> Values:
    return {"type": "Split", "pattern": {"Regex": regex}, "behavior": "Isolated", "invert": False}


def sequence(*steps: Values, inside: str = "normalizers") -> Values:
    return {"type": "Sequence", inside: list(steps)}


def charsmap(table: bytes) -> Values:
    return {"type": "Precompiled", "precompiled_charsmap": base64.b64encode(table).decode("ascii")}


def letter_table(text: bytes) -> bytes:
    """A table of SentencePiece's normalisation that makes `text` of each "a"."""
    units = np.zeros(512, "<u4")
    units[0] = 256 << 10  # its children begin at 256
    units[256 ^ ord("a")] = ord("a") | 0x100 | ((256 ^ ord("a") ^ 300) << 10)  # a value at 300
    units[300] = 1 << 31  # the text at place 0
    return len(units.tobytes()).to_bytes(4, "little") + units.tobytes() + text + b"\0"


def template(*steps: Values, ids: int = 1) -> Values:
    special = {"x": {"id": "x", "ids": [1] * ids, "tokens": ["a"] * ids}}
    return {"type": "TemplateProcessing", "single": list(steps), "pair": [], "special_tokens": special}


def added(content: str, id: int = 6) -> Values:
    signs = dict.fromkeys(("single_word", "lstrip", "rstrip", "normalized"), False)
    return {"id": id, "content": content, "special": True, **signs}


def deep(steps: int) -> Values:
    """A sequence in a sequence, and so on."""
    found: Values = {"type": "Lowercase"}
    for _ in range(steps):
        found = sequence(found)
    return found


TEXT, X = {"Sequence": {"id": "A", "type_id": 0}}, {"SpecialToken": {"id": "x", "type_id": 0}}
OTHER_TEXT = {"Sequence": {"id": "B", "type_id": 0}}
DOUBLING, BYTES = replace("aa", String="a"), {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": False}
GROWING: dict[str, Values] = {
    "a megabyte for a letter": described(normalizer=replace(MEGABYTE, String="a")),
    "a megabyte beside each letter": described(normalizer=replace(MEGABYTE, String="")),
    "a megabyte beside each letter, by an expression": described(normalizer=replace(MEGABYTE, Regex="x*")),
    "twenty doublings": described(normalizer=sequence(*[DOUBLING] * 20)),
    "doublings in sequences": described(normalizer=sequence(*[sequence(*[DOUBLING] * 4)] * 5)),
    "letters that a form spreads": described(normalizer=sequence(replace("\ufdfa" * 3, String="a"), {"type": "NFKD"})),
    "a megabyte before a text": described(normalizer={"type": "Prepend", "prepend": MEGABYTE}),
    "bytes of bytes": described(pre_tokenizer=sequence(*[BYTES] * 20, inside="pretokenizers")),
    "bytes of bytes, before": described(normalizer=sequence(*[{"type": "ByteLevel"}] * 20)),
    "a table with a long text": described(normalizer=charsmap(letter_table(b"b" * 1000))),
    "a megabyte for a letter of an answer": described(decoder=replace(MEGABYTE, String="a")),
    "an answer with spaces between letters": described(
        decoder=sequence(*[{"type": "BPEDecoder", "suffix": ""}] * 20, inside="decoders")
    ),
    "a template that says the text often": described(post_processor=template(*[TEXT] * 60)),
    "a template with a million tokens": described(post_processor=template(X, TEXT, ids=1_000_000)),
    "a template with many parts": described(post_processor=template(*[X] * 100, TEXT)),
    "more steps than there are": described(normalizer=sequence(*[{"type": "Lowercase"}] * 40)),
    "a sequence in a sequence": described(normalizer=deep(300)),
    "merges before a search": described(normalizer=replace("a" * 20, String="a"), pre_tokenizer=split(r"a+b")),
}
SLOW: dict[str, Values] = {
    **{regex: described(pre_tokenizer=split(regex)) for regex in ("(a+)+$", "(a|aa)+$", "a*a*b", "(?=a*b)c*d")},
    **{regex: described(normalizer=replace("", Regex=regex)) for regex in ("(a|a)*$", r"(?<x>a\g<x>?b)", "(a)\\1")},
    "an expression in a decoder": described(decoder=replace("", Regex="a+b")),
    "nine expressions": described(pre_tokenizer=sequence(*[split("a+")] * 9, inside="pretokenizers")),
    "words without an end": word_pieces(max_input_chars_per_word=10**12),
    "long pieces of a unigram model": unigram([["<unk>", 0.0], *(["a" * size, -1.0] for size in range(1, 900))]),
    "a long piece": described({"vocab": {**PIECES, "a" * 2000: 6}}),
    "a long added token": described(added_tokens=[added("x" * 5000)]),
    "more pieces than vectors": described({"vocab": {f"p{id}": id for id in range(VECTORS + 1)}}),
    "more added tokens than anybody has": described(added_tokens=[added(f"x{id}") for id in range(100_001)]),
}
BREAKING: dict[str, Values] = {
    "a table of garbage": described(normalizer=charsmap(bytes(range(256)))),
    "a table whose trie leads out of it": described(normalizer=charsmap((16).to_bytes(4, "little") + b"\x7f" * 16)),
    "a table without an end": described(normalizer=charsmap(letter_table(b"b")[:-1])),
    "a template with the second text": described(post_processor=template(OTHER_TEXT)),
    "a template without the text": described(post_processor=template(X)),
    "a sign longer than the pieces": described({"continuing_subword_prefix": "######"}),
    "pieces of no letter": described(pre_tokenizer={"type": "FixedLength", "length": 0}),
    "an id beyond the vectors": described({"vocab": {**PIECES, "x": 2**32 - 1}}),
    "a merge of an unknown piece": described({"merges": ["a z"]}),
    "an unknown piece that is none": unigram([["a", 0.0]], 7),
    "no pieces of a unigram model": unigram([], None),
    "a normaliser of no kind": described(normalizer={"pattern": {"String": "a"}, "content": MEGABYTE}),
    "no model": described() | {"model": None},
    "pieces that are a list of numbers": described({"vocab": [1, 2, 3]}),
    "an expression that is none": described(pre_tokenizer=split("(")),
    "letters out of nothing": described({"vocab": {}, "merges": [], "unk_token": None}),
    "an answer without its letters": described(
        decoder={"type": "Strip", "content": "a", "start": 10**9, "stop": 10**9}
    ),
    "a dropout of seven": described({"dropout": 7}),
}
ODD: dict[str, Values] = {  # what is read, since each of them cuts a text after all
    "a length of nothing": described(
        truncation={"direction": "Right", "max_length": 0, "strategy": "LongestFirst", "stride": 0}
    ),
    "a stride beyond the length": described(
        truncation={"direction": "Right", "max_length": 1, "strategy": "LongestFirst", "stride": 5}
    ),
    "a thousand million tokens of padding": described(
        padding={
            **{"strategy": {"Fixed": 10**9}, "direction": "Right", "pad_to_multiple_of": None},
            **{"pad_id": 0, "pad_type_id": 0, "pad_token": "x"},
        }
    ),
    "a dropout": described({"dropout": 0.5}),
    "bytes without their pieces": described({"byte_fallback": True}),
    "an empty piece": described({"vocab": {**PIECES, "": 6}}),
    "two pieces with an id": described({"vocab": {**PIECES, "x": 1}}),
    "an empty added token": described(added_tokens=[added("")]),
    "words of no letter": word_pieces(max_input_chars_per_word=0),
    "a table that is sound": described(normalizer=charsmap(letter_table(b"b" * 18))),
}
