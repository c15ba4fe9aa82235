"""Tokenizers of folders as they are on the hub: the same ids as those of `AutoTokenizer`, for every kind of file."""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import tokenizers
import transformers
from tokenizers import models, pre_tokenizers
from transformers import AutoTokenizer
from transformers.models.auto.tokenization_auto import TOKENIZER_MAPPING_NAMES, tokenizer_class_from_name

from model.errors import DamagedWeights, GlassformerError, UnsupportedFamily
from model.zoo.tokenizers.class_names import ALIKE, OTHERS
from model.zoo.tokenizers.classes import KINDS
from model.zoo.tokenizers.settings import KNOWN
from tests.model.zoo.as_people_have_them.tokenizer_folders import (
    OF_ROBERTA,
    TEXTS,
    byte_level,
    config,
    merges,
    sentence_pieces,
    whole_bytes,
    word_pieces,
    write,
)
from tests.model.zoo.opened import read_tokenizer as read

Make = Callable[[Path], None]
of_roberta = partial(merges, special=OF_ROBERTA)
pieces_of_llama = partial(sentence_pieces, name="tokenizer.model", kind="bpe")
pieces_of_t5 = partial(sentence_pieces, name="spiece.model", of_t5=True)
pieces_of_xlm = partial(sentence_pieces, name="sentencepiece.bpe.model")
MASK = {"__type": "AddedToken", "content": "<mask>", "lstrip": True, "normalized": True}
TOK = {"content": "<tok>", "lstrip": True, "rstrip": False, "normalized": False, "single_word": False}
# What is in the folder: the model, what makes its vocabulary, and the values of tokenizer_config.json.
FOLDERS: dict[str, tuple[str, Make, dict[str, Any]]] = {
    "vocab.txt alone": ("bert", word_pieces, {}),
    "vocab.txt, cased": ("bert", word_pieces, {"do_lower_case": False}),
    "vocab.txt, cased, without accents": ("bert", word_pieces, {"do_lower_case": False, "strip_accents": True}),
    "vocab.txt, Chinese words whole": ("bert", word_pieces, {"tokenize_chinese_chars": False}),
    "vocab.txt of a DistilBERT": ("distilbert", word_pieces, {"tokenizer_class": "DistilBertTokenizer"}),
    "vocab.txt of a GPT-2": ("gpt2", word_pieces, {"tokenizer_class": "BertTokenizer"}),
    "vocab.json and merges.txt": ("gpt2", merges, {}),
    "a space before the first word": ("gpt2", merges, {"add_prefix_space": True}),
    "start and end by tokenizer_config.json": ("gpt2", merges, {"add_bos_token": True, "add_eos_token": True}),
    "merges of a RoBERTa": ("roberta", of_roberta, {}),
    "merges of a NeoX": ("gpt_neox", merges, {}),
    "merges of a Qwen": ("qwen2", merges, {"bos_token": None, "pad_token": "<|endoftext|>"}),
    "spiece.model": ("t5", pieces_of_t5, {}),
    "spiece.model with a piece of its own": ("t5", partial(pieces_of_t5, user_defined=("<tok>",)), {}),
    "spiece.model without sentinels": ("mt5", pieces_of_t5, {"extra_ids": 0, "additional_special_tokens": None}),
    "sentencepiece.bpe.model": ("xlm-roberta", pieces_of_xlm, {}),
    "sentencepiece.bpe.model of a BERT": (
        *("bert", pieces_of_xlm),
        {"tokenizer_class": "XLMRobertaTokenizer", "mask_token": MASK},
    ),
    "tokenizer.model": ("llama", pieces_of_llama, {"tokenizer_class": "LlamaTokenizer", "add_bos_token": True}),
    "tokenizer.model, legacy": ("llama", pieces_of_llama, {"tokenizer_class": "LlamaTokenizer", "legacy": True}),
    "tokenizer.model, no space before a text": (
        *("llama", pieces_of_llama),
        {"tokenizer_class": "LlamaTokenizer", "add_prefix_space": False},
    ),
    "tokenizer.model without a class": ("llama", pieces_of_llama, {}),
    "tokenizer.model of a Mistral": (
        *("mistral", partial(pieces_of_llama, user_defined=("<tok>",))),
        {"tokenizer_class": "LlamaTokenizer", "add_bos_token": True},
    ),
    "tokenizer.json of a GPT-2": ("gpt2", whole_bytes, {}),
    "tokenizer.json beside what no longer counts": ("gpt2", whole_bytes, {"add_bos_token": True}),
    "tokenizer.json with a space before the first word": ("gpt2", whole_bytes, {"add_prefix_space": True}),
    "tokenizer.json of a wrong class": ("qwen2", whole_bytes, {"tokenizer_class": "LlamaTokenizerFast"}),
    "tokenizer.json of a NeoX": ("gpt_neox", whole_bytes, {"tokenizer_class": "GPTNeoXTokenizerFast"}),
    "tokenizer.json of bytes, of a Llama": ("llama", whole_bytes, {"tokenizer_class": "LlamaTokenizer"}),
    "tokenizer.json of a class that nobody knows": ("qwen3", whole_bytes, {"tokenizer_class": "OwnTokenizer"}),
    "tokenizer.json as it stands": ("qwen3", whole_bytes, {"tokenizer_class": "PreTrainedTokenizerFast"}),
    "tokenizer.json that cuts nothing first": ("llama", partial(whole_bytes, pre_tokenizer=None), {}),
    "special tokens of the list": ("gpt2", whole_bytes, {"additional_special_tokens": ["<tok>", "<s>"]}),
    "special tokens with names of their own": ("llama", whole_bytes, {"image_token": "<tok>", "pad_token": "<s>"}),
    "special tokens that are cut": ("llama", whole_bytes, {"split_special_tokens": True}),
    "tokens by their ids": ("bert", word_pieces, {"added_tokens_decoder": {"900": TOK | {"special": True}}}),
}


def check(folder: Path) -> Any:
    """The tokenizer of `transformers`, after ours gave the same ids, texts and special tokens."""
    theirs, ours = AutoTokenizer.from_pretrained(folder), read(folder)
    for text in TEXTS:
        assert [token.id for token in ours.encode(text)] == theirs(text)["input_ids"], text
    assert ours.size == len(theirs)
    assert (ours.mask, ours.pad) == (theirs.mask_token_id, theirs.pad_token_id)
    return theirs


def make(name: str, folder: Path) -> None:
    model, make, values = FOLDERS[name]
    make(config(folder, model))
    if values:
        write(folder, "tokenizer_config.json", values)


@pytest.mark.parametrize("name", FOLDERS)
def test_ids_are_those_of_transformers(name: str, tmp_path: Path) -> None:
    make(name, tmp_path)
    check(tmp_path)


@pytest.mark.parametrize("name", [name for name in FOLDERS if "tokenizer.json" not in name])
def test_what_transformers_saves_of_it_is_read_the_same(name: str, tmp_path: Path) -> None:
    """As a network is adopted: its tokenizer writes its files."""
    make(name, tmp_path)
    saved = config(tmp_path / "saved", FOLDERS[name][0])
    AutoTokenizer.from_pretrained(tmp_path).save_pretrained(saved)
    check(saved)


@pytest.mark.parametrize("name", ["vocab.txt alone", "vocab.json and merges.txt", "tokenizer.model", "spiece.model"])
def test_added_tokens_of_the_older_files_are_one_id(name: str, tmp_path: Path) -> None:
    make(name, tmp_path)
    end = {"content": "</s>", "lstrip": False, "normalized": True, "rstrip": False, "single_word": False}
    write(tmp_path, "special_tokens_map.json", {"additional_special_tokens": ["<s>", "x5"], "eos_token": end})
    size = read(tmp_path).size
    write(tmp_path, "added_tokens.json", {"<tok>": size, "robot": size + 1})
    check(tmp_path)
    tokens = read(tmp_path).encode("Hello<tok>")
    assert "<tok>" in [token.text for token in tokens]


def test_a_multilingual_bert_has_the_special_tokens_of_its_own_files(tmp_path: Path) -> None:
    """A BERT by its network, with the tokenizer of XLM-R: start and end are not those of its family."""
    make("sentencepiece.bpe.model of a BERT", tmp_path)
    ours = read(tmp_path)
    names = [ours.token(id).text for id in (ours.start, ours.end, ours.pad, ours.mask) if id is not None]
    assert names == ["<s>", "</s>", "<pad>", "<mask>"]
    assert [token.text for token in ours.encode("")] == ["<s>", "</s>"]


def test_a_start_token_that_stands_before_no_text_is_no_start(tmp_path: Path) -> None:
    make("vocab.json and merges.txt", tmp_path)
    assert read(tmp_path).start is None
    write(tmp_path, "tokenizer_config.json", {"add_bos_token": True})
    assert read(tmp_path).start == 0


def test_a_vocabulary_of_whole_words_is_read(tmp_path: Path) -> None:
    backend = tokenizers.Tokenizer(models.WordLevel({"<unk>": 0, "I": 1, "am": 2, "robot": 7}, unk_token="<unk>"))
    backend.pre_tokenizer = pre_tokenizers.Whitespace()
    backend.save(str(config(tmp_path, "llama") / "tokenizer.json"))
    check(tmp_path)
    assert [token.id for token in read(tmp_path).encode("I am a robot")] == [1, 2, 0, 7]


def test_a_class_that_no_file_names_gives_way_to_a_vocabulary_of_another_kind(tmp_path: Path) -> None:
    """A BERT whose tokenizer.json has byte-level merges. `transformers` takes them for word pieces, and finds none."""
    whole_bytes(config(tmp_path, "bert"))
    text = "I am a robot"
    ids = [token.id for token in read(tmp_path).encode(text)]
    assert ids == byte_level().encode(text).ids


@pytest.mark.parametrize("padding", [{}, {"pad_token": "[PAD]"}])
@pytest.mark.parametrize("model", ["gpt_neox", "llama"])
def test_an_added_token_without_a_vector_is_left_out(model: str, padding: dict[str, str], tmp_path: Path) -> None:
    """People add a padding token, and leave the table of vectors as it is. NeoX's class adds one to any vocabulary."""
    whole_bytes(config(tmp_path, model, vocab_size=330))
    write(tmp_path, "tokenizer_config.json", padding)
    theirs, ours = AutoTokenizer.from_pretrained(tmp_path), read(tmp_path)
    assert ours.size == 330
    assert ours.pad is None
    assert [token.id for token in ours.encode(TEXTS[0])] == theirs(TEXTS[0])["input_ids"]


def test_an_added_token_of_tokenizer_json_without_a_vector_is_left_out(tmp_path: Path) -> None:
    whole_bytes(config(tmp_path, "llama", vocab_size=330), added_tokens=[TOK | {"id": 330, "special": True}])
    assert read(tmp_path).size == 330


def test_merges_are_never_left_out_by_chance(tmp_path: Path) -> None:
    """`dropout` is for the training."""
    whole_bytes(config(tmp_path, "llama"), model={"dropout": 0.9})
    for text in TEXTS:
        assert [token.id for token in read(tmp_path).encode(text)] == byte_level().encode(text).ids


def change(folder: Path, edit: Callable[[dict[str, Any]], Any]) -> None:
    """Writes a tokenizer.json of a GPT-2, edited."""
    whole_bytes(folder)
    values = json.loads((folder / "tokenizer.json").read_text(encoding="utf-8"))
    edit(values)
    write(folder, "tokenizer.json", values)


AROUND = [{"SpecialToken": {"id": "<s>", "type_id": 0}}, {"Sequence": {"id": "A", "type_id": 0}}]
BEYOND = {
    **{"type": "TemplateProcessing", "single": AROUND, "pair": [*AROUND, {"Sequence": {"id": "B", "type_id": 1}}]},
    "special_tokens": {"<s>": {"id": "<s>", "ids": [5000], "tokens": ["<s>"]}},
}
CUT_OFF = {"direction": "Right", "max_length": 2, "strategy": "LongestFirst", "stride": 0}
ODD: dict[str, Callable[[dict[str, Any]], Any]] = {
    "without a version": lambda values: values.pop("version"),
    "without its steps": lambda values: [values.pop(key) for key in ("decoder", "normalizer", "pre_tokenizer")],
    "with its steps null": lambda values: values.update(normalizer=None, pre_tokenizer=None, decoder=None),
    "that cuts a text off": lambda values: values.update(truncation=CUT_OFF),
    "with holes between its ids": lambda values: values["model"]["vocab"].update({"zz": 700}),
    "with two tokens of one id": lambda values: values["model"]["vocab"].update({"zz": 5}),
    "with an added token of the id of another": lambda values: values["added_tokens"].append(
        TOK | {"id": 5, "special": True}
    ),
    "with merges in one text": lambda values: values["model"].update(
        merges=[" ".join(pair) for pair in values["model"]["merges"]]
    ),
}


@pytest.mark.parametrize("name", ODD)
def test_an_odd_tokenizer_json_is_read_as_transformers_reads_it(name: str, tmp_path: Path) -> None:
    change(config(tmp_path, "llama"), ODD[name])
    check(tmp_path)


REFUSED: dict[str, tuple[str, Make, dict[str, Any], type[GlassformerError], str]] = {
    "a class of another model": (
        *("bert", word_pieces, {"tokenizer_class": "BertJapaneseTokenizer"}),
        *(UnsupportedFamily, "a class of transformers, BertJapaneseTokenizer"),
    ),
    "a program": (
        *(
            "llama",
            whole_bytes,
            {"tokenizer_class": "OwnTokenizer", "auto_map": {"AutoTokenizer": ["own.OwnTokenizer"]}},
        ),
        *(UnsupportedFamily, "a program of its repository, OwnTokenizer"),
    ),
    "a class of another kind": (
        *("bert", whole_bytes, {"tokenizer_class": "BertTokenizer"}),
        *(DamagedWeights, r"tokenizer\.json .*names the class BertTokenizer, which cannot be made of it"),
    ),
    "no vocabulary": ("gpt2", lambda folder: None, {}, DamagedWeights, r"no vocab\.json with merges\.txt"),
    "merges that are missing": (
        *("gpt2", lambda folder: write(folder, "vocab.json", {"a": 0}), {}),
        *(DamagedWeights, r"no vocab\.json with merges\.txt"),
    ),
    "a wrong pattern": (
        *("llama", whole_bytes, {"fix_mistral_regex": True}),
        *(DamagedWeights, "fix_mistral_regex = true. With it, a text is cut by another pattern"),
    ),
    "an unknown key": ("llama", whole_bytes, {"reverse": True}, DamagedWeights, "has reverse = true"),
    "a damaged file": (
        *("llama", lambda folder: (folder / "tokenizer.model").write_bytes(b"\x0a\xff"), {}),
        *(DamagedWeights, r"tokenizer\.model is no SentencePiece file"),
    ),
    "another version": (
        *("llama", partial(whole_bytes, version="2.0"), {}),
        *(DamagedWeights, r"tokenizer\.json is no tokenizer: Unknown tokenizer version '2\.0'"),
    ),
    "a start token without a vector": (
        *("llama", partial(whole_bytes, post_processor=BEYOND), {}),
        *(DamagedWeights, "it puts the id 5,000 around a text, but the model has vectors for 1,000"),
    ),
    "a start token that is null": ("bert", word_pieces, {"cls_token": None}, DamagedWeights, "cls_token is null"),
    "a special token that is a number": ("gpt2", whole_bytes, {"pad_token": 5}, DamagedWeights, "pad_token is 5"),
    "a thousand million sentinels": (
        *("t5", pieces_of_t5, {"extra_ids": 10**9}),
        *(DamagedWeights, "extra_ids is 1000000000"),
    ),
    "no added tokens": (
        "bert",
        partial(write, name="tokenizer.json", values={"model": {}}),
        {},
        DamagedWeights,
        "lacks",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_a_folder_that_cannot_be_read_is_refused_in_one_sentence(name: str, tmp_path: Path) -> None:
    model, make, values, error, words = REFUSED[name]
    make(config(tmp_path, model))
    write(tmp_path, "tokenizer_config.json", values)
    with pytest.raises(error, match=words):
        read(tmp_path)


@pytest.mark.slow
def test_every_class_of_transformers_is_built_or_refused() -> None:
    """A new release with a new class fails here."""
    names = {name for name in TOKENIZER_MAPPING_NAMES.values() if name} | set(dir(transformers))
    classes = {name: tokenizer_class_from_name(name) for name in names if name.endswith(("Tokenizer", "TokenizerFast"))}
    own = {
        name.removesuffix("Fast")
        for name, found in classes.items()
        if inspect.isclass(found) and issubclass(found, transformers.PreTrainedTokenizerBase)
        and found.__name__ not in ("TokenizersBackend", "PythonBackend")
    }  # fmt: skip
    assert own - {*KINDS, *ALIKE, *OTHERS, "PreTrainedTokenizerBase"} == set()


@pytest.mark.parametrize("name", KINDS)
def test_every_value_of_a_class_is_in_a_list(name: str) -> None:
    taken = inspect.signature(getattr(transformers, name).__init__).parameters
    known = KNOWN.keys | {"self", "kwargs", "_spm_precompiled_charsmap"}
    assert set(taken) - known == set()


def test_a_value_that_transformers_saves_is_in_a_list(tmp_path: Path) -> None:
    make("tokenizer.model", tmp_path)
    AutoTokenizer.from_pretrained(tmp_path).save_pretrained(tmp_path)
    saved = json.loads((tmp_path / "tokenizer_config.json").read_text(encoding="utf-8"))
    assert set(saved) - KNOWN.keys == set()
