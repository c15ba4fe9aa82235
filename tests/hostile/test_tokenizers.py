"""Tokenizers and files of a stranger's model: each is refused at once with its reason, or cuts a text at once."""

from __future__ import annotations

import json
import os
import socket
import struct
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import tokenizers

from model.adding import folder as local_folder
from model.errors import DamagedWeights, UnreadableText
from model.tokens.panics import TokenizerPanicked, panics_as_errors
from model.tokens.tokenizer import Tokenizer
from model.zoo import files, weight_files
from model.zoo.opening import open_checkpoint
from model.zoo.tokenizers import part_bounds, sentence_piece_file
from model.zoo.tokenizers.pattern_cost import cost_of_pattern
from model.zoo.tokenizers.probe import TEXTS, try_texts
from model.zoo.tokenizers.sentence_piece_file import read_sentence_piece_file
from model.zoo.values.hub_values import labels_of
from tests.hostile.tokenizer_files import BREAKING, GROWING, ODD, SLOW, described, folder_of, letter_table, split
from tests.model.zoo import tiny
from tests.model.zoo.as_people_have_them.tokenizer_folders import config, sentence_pieces
from tests.model.zoo.opened import read_tokenizer
from tests.model.zoo.tiny_gguf import write_gguf

MAX_SECONDS = 5.0  # of the processor
REFUSED = {**GROWING, **SLOW, **BREAKING}
LONG = ("a" * 10_000, "ab " * 3000, " " * 10_000, "\ufdfa" * 10_000)  # a page takes 10,000 characters


@contextmanager
def quickly(most: float = MAX_SECONDS) -> Iterator[None]:
    began = time.process_time()
    yield
    assert time.process_time() - began < most


@pytest.mark.parametrize("kind", REFUSED)
def test_a_tokenizer_that_harms_is_refused_before_it_cuts_a_text(kind: str, tmp_path: Path) -> None:
    folder = folder_of(tmp_path / "model", REFUSED[kind])
    with quickly(), pytest.raises(DamagedWeights) as refused:
        read_tokenizer(folder)
    assert "tokenizer.json" in str(refused.value)
    assert len(str(refused.value)) < 600


@pytest.mark.parametrize("kind", ODD)
def test_an_odd_tokenizer_cuts_any_text_at_once_and_alike_each_time(kind: str, tmp_path: Path) -> None:
    tokenizer = read_tokenizer(folder_of(tmp_path / "model", ODD[kind]))
    with quickly():
        tokens = tokenizer.encode("a" * 10_000)
    assert len(tokens) <= part_bounds.MAX_GROWTH * 10_000
    for text in ("abab" * 10, *TEXTS):
        tokens = tokenizer.encode(text)
        assert tokens == tokenizer.encode(text)
        tokenizer.decode(token.id for token in tokens)


def test_a_tokenizer_json_that_names_a_part_twice_is_read_as_it_was_checked(tmp_path: Path) -> None:
    folder = folder_of(tmp_path / "model", described())
    path = folder / "tokenizer.json"
    harm = json.dumps(GROWING["a megabyte for a letter"]["normalizer"])
    whole = path.read_text(encoding="utf-8")
    path.write_text(f'{{"normalizer": {harm}, {whole[1:]}', encoding="utf-8")
    assert [token.text for token in read_tokenizer(folder).encode("ab a")] == ["ab", " ", "a"]


# -- expressions -------------------------------------------------------------------------------------------------------

CONTRACTIONS = "(?i:'s|'t|'re|'ve|'m|'ll|'d)"
PUBLISHED = {
    "GPT-2": r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+",
    "Llama 3": CONTRACTIONS
    + r"|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+",
    "Qwen 3.5": CONTRACTIONS
    + r"|[^\r\n\p{L}\p{N}]?[\p{L}\p{M}]+|\p{N}| ?[^\s\p{L}\p{M}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+",
    "o200k": r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+"
    + CONTRACTIONS
    + r"?|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+",
    "DeepSeek": r"[!\"#$%&'()*+,\-./:;<=>?@\[\\\]^_`{|}~][A-Za-z]+|[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+"
    r"| ?[\p{P}\p{S}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+",
    "cl100k": r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]++[\r\n]*"
    r"|\s*[\r\n]|\s+(?!\S)",
    "BLOOM": r" ?[^(\s|[.,!?…。，、।۔،])]+",
    "sets in sets": r"[\p{Lu}\p{M}&&[^\p{Han}]]*[\p{Ll}&&[^\p{Han}]]+",
    "SentencePiece": " {2,}",
    "digits": r"\d|\s+|[^\s\d]+",
}
DEAR = (
    *("(a+)+$", "(a|aa)+$", "(a|a)*$", "a*a*b", ".*.*x", "a?" * 12 + "b", "(?:a?){30}b", "(a{0,16}){0,16}b"),
    *(r"(\w+\s?)*$", "(?=a*b)c*d", "(?<=a+)b", "((a{1,1000}){1,1000}){1,1000}", "a**", "(a*)?(a*)?b", "(a|b|ab)*c"),
    *("(?:a{2}?){20}b", "a{2,}?b*c", "a{5000}", "(" * 30 + "a" + ")" * 30, "a" * 3000, "x*a{2,}?y*b"),
)
UNREAD = (
    r"(a)\1",
    r"(?<x>a\g<x>?b)",
    "(?~a)",
    "(*FAIL)",
    "(?#x)a",
    "(?x) a",
    "a(?i)b|c",
    "[]a]",
    "[a",
    "(a",
    "a)",
    "(?{a})",
)


@pytest.mark.parametrize("name", PUBLISHED)
def test_a_published_expression_is_read_and_searches_any_text_at_once(name: str, tmp_path: Path) -> None:
    cost = cost_of_pattern(PUBLISHED[name])
    assert cost.scans <= 1
    tokenizer = read_tokenizer(folder_of(tmp_path / "m", described(pre_tokenizer=split(PUBLISHED[name]))))
    with quickly(10.0):
        for text in LONG:
            tokenizer.encode(text)


@pytest.mark.parametrize("pattern", [*DEAR, *UNREAD])
def test_an_expression_that_may_go_back_and_back_is_refused(pattern: str) -> None:
    with quickly(0.5), pytest.raises(ValueError, match="expression"):
        cost_of_pattern(pattern)


# -- panics ------------------------------------------------------------------------------------------------------------


def panicking() -> Any:
    """A tokenizer of the library that panics at each text."""
    return tokenizers.Tokenizer.from_str(json.dumps(BREAKING["a template with the second text"]))


def test_a_panic_is_an_error_of_the_tokenizer_and_names_the_text() -> None:
    with pytest.raises(TokenizerPanicked, match="index out of bounds"), panics_as_errors():
        panicking().encode("ab")
    tokenizer = Tokenizer(panicking(), None, None, None)
    with pytest.raises(UnreadableText, match="cannot cut “ab” into tokens: index out of bounds"):
        tokenizer.encode("ab")
    with pytest.raises(ValueError, match="index out of bounds"):
        try_texts(tokenizer)


def test_what_ends_the_program_is_no_panic() -> None:
    for error in (KeyboardInterrupt(), SystemExit(), ValueError("no panic")):
        with pytest.raises(type(error)), panics_as_errors():
            raise error


def test_a_tokenizer_without_some_letters_is_read(tmp_path: Path) -> None:
    values = described({"type": "WordLevel", "unk_token": "none"})
    tokenizer = read_tokenizer(folder_of(tmp_path / "m", values))
    assert tokenizer.encode("a")[0].id == 1
    with pytest.raises(UnreadableText):
        tokenizer.encode("میں")


def test_each_vocabulary_of_this_project_may_stand_in_a_strangers_file() -> None:
    found = sorted(Path("assets/models").glob("*/tokenizer.json"))
    assert len(found) > 10
    for path in found:
        values = json.loads(path.read_text(encoding="utf-8"))
        part_bounds.check_vocabulary(values)
        part_bounds.check_parts(values)
        part_bounds.check_frame(values)


# -- SentencePiece -----------------------------------------------------------------------------------------------------


def test_the_normalisation_of_sentence_piece_is_followed_only_where_it_leads(tmp_path: Path) -> None:
    sentence_pieces(tmp_path, "sound.model")
    sound = read_sentence_piece_file(tmp_path / "sound.model").charsmap
    assert len(sound) > 100_000
    part_bounds.check_charsmap(letter_table(b"b" * 18))
    size = int.from_bytes(sound[:4], "little")
    wrong = (
        sound[:1000],
        sound[:-1],
        sound[: 4 + size] + b"short\0",  # its values lead behind the texts
        sound[:4] + b"\xff\xff\xff\x7f" * (size // 4) + sound[4 + size :],
        letter_table(b"b" * 1000),
    )
    for table in wrong:
        with pytest.raises(ValueError, match="its normalisation"):
            part_bounds.check_charsmap(table)


def test_pieces_that_imply_too_many_merges_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each piece of a thousand is every cut of a longer one: half a million merges of half a megabyte."""
    monkeypatch.setattr(sentence_piece_file, "MAX_MERGES", 10_000)
    with pytest.raises(ValueError, match="imply more than 10,000 merges"):
        sentence_piece_file.merges_of({"a" * size: size for size in range(1, 300)})


@pytest.mark.parametrize("name", ["vocab.txt", "merges.txt", "vocab.json"])
def test_a_list_of_too_many_pieces_or_merges_is_refused_before_it_is_read(name: str, tmp_path: Path) -> None:
    kind = "bert" if name == "vocab.txt" else "gpt2"
    config(tmp_path, kind)
    for each in ("vocab.txt",) if kind == "bert" else ("vocab.json", "merges.txt"):
        (tmp_path / each).write_text("{}" if each == "vocab.json" else "", encoding="utf-8")
    (tmp_path / name).write_bytes((b"," if name == "vocab.json" else b"\n") * 2_000_001)
    with quickly(1.0), pytest.raises(DamagedWeights, match=rf"{name} has more than 2,000,000 entries"):
        read_tokenizer(tmp_path)


# -- sizes and special files -------------------------------------------------------------------------------------------


def make_pipe(path: Path) -> None:
    os.mkfifo(path)


def make_socket(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as server:
        here = Path.cwd()
        os.chdir(path.parent)  # the address of a socket has at most 107 bytes
        server.bind(path.name)
        os.chdir(here)


SPECIAL = {
    "a pipe": make_pipe,
    "a socket": make_socket,
    "a device": lambda path: path.symlink_to("/dev/zero"),
    "a folder": Path.mkdir,
    "a loop": lambda path: path.symlink_to(path),
}


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="Windows has no pipes and devices among its files")
@pytest.mark.parametrize("kind", SPECIAL)
@pytest.mark.parametrize(
    "name", ["config.json", "model.safetensors", "tokenizer.json", "tokenizer_config.json", "generation_config.json"]
)
def test_a_special_file_in_the_place_of_a_file_is_refused_or_not_there(name: str, kind: str, tmp_path: Path) -> None:
    """None is opened: a pipe would wait for ever."""
    path = tiny.llama(tmp_path)[1].parent / name
    path.unlink(missing_ok=True)
    SPECIAL[kind](path)
    with quickly():
        for read in (open_checkpoint, read_tokenizer, files.read_object, local_folder.look):
            try:
                read(path if read is files.read_object else path.parent)
            except DamagedWeights:
                continue
            assert read is not files.read_object


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="Windows has no pipes and devices among its files")
@pytest.mark.parametrize("kind", ["a pipe", "a socket", "a device"])
@pytest.mark.parametrize("name", ["model", "model.gguf", "model.safetensors"])
def test_a_path_to_a_special_file_is_no_model(name: str, kind: str, tmp_path: Path) -> None:
    path = tmp_path / name
    SPECIAL[kind](path)
    with pytest.raises(DamagedWeights, match="is a pipe or a device, and no file"):
        local_folder.look(path)
    with pytest.raises(DamagedWeights):
        open_checkpoint(path)


def test_a_json_file_of_many_values_is_refused_before_they_take_memory(tmp_path: Path) -> None:
    path = tmp_path / "config.json"
    path.write_text("[" + "[]," * 5_000_000 + "[]]", encoding="utf-8")
    with quickly(1.0), pytest.raises(DamagedWeights, match="it has more than 4,000,000 values"):
        files.read_json(path)
    path.write_text('"' + "a" * files.MAX_JSON_BYTES + '"', encoding="utf-8")
    with pytest.raises(DamagedWeights, match="it has more than 16 MB"):
        files.read_json(path)


@pytest.mark.parametrize("classes", [100_001, 10**12, 2**80])
def test_a_configuration_that_claims_many_classes_is_refused_before_they_get_names(classes: int) -> None:
    with quickly(0.5), pytest.raises(ValueError, match=r"num_labels is .*\. At most 100,000 are read"):
        labels_of({"num_labels": classes})


def test_tensors_of_many_files_are_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tiny.llama(tmp_path)[1]
    sound = weight_files.read_header(path)
    (path.parent / "model.safetensors.index.json").write_text(
        json.dumps({"weight_map": dict.fromkeys(sound, "a.safetensors")})
    )
    path.rename(path.with_name("a.safetensors"))
    weight_files.open_files(path.parent)
    monkeypatch.setattr(weight_files, "MAX_TENSORS", len(sound) - 1)
    with pytest.raises(DamagedWeights, match=r"a\.safetensors cannot be used: the files have more than"):
        weight_files.open_files(path.parent)


def test_a_header_of_safetensors_that_says_it_is_huge_is_refused_before_it_is_read(tmp_path: Path) -> None:
    path = tiny.llama(tmp_path)[1]
    size = 90_000_000  # the library would read this
    with path.open("wb") as file:
        file.write(struct.pack("<Q", size) + b'{"a":')
        file.truncate(size + 100)
    with quickly(1.0), pytest.raises(DamagedWeights, match="its header has more than 16 MB"):
        open_checkpoint(path)


@pytest.mark.parametrize(
    ("place", "value", "message"),
    [
        ("tensors", 2**40, "tensors. At most 100,000"),
        ("values", 2**40, "values. At most 100,000"),
        ("list", 2**40, "items of lists. At most 2,000,000"),
        ("text", 2**40, "bytes of texts. At most 64,000,000"),
    ],
)
def test_a_gguf_header_that_says_it_is_huge_is_refused_at_once(
    place: str, value: int, message: str, tmp_path: Path
) -> None:
    path = write_gguf(tiny.llama(tmp_path)[1])
    data = bytearray(path.read_bytes())
    tokens = data.index(b"tokenizer.ggml.tokens") + len(b"tokenizer.ggml.tokens")
    at = {"tensors": 8, "values": 16, "list": tokens + 8, "text": tokens + 16}[place]
    data[at : at + 8] = struct.pack("<Q", value)
    path.write_bytes(data)
    with quickly(1.0), pytest.raises(DamagedWeights, match=message):
        open_checkpoint(path)
