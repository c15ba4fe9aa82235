from __future__ import annotations

from pathlib import Path
from unittest.mock import Mock

import pytest
import tokenizers
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import decoders, models, pre_tokenizers, trainers

from model import Model
from model.errors import DamagedWeights
from model.tokens.piece_bytes import byte_alphabet
from model.tokens.tokenizer import MAX_KEPT_TOKENS, Tokenizer
from tests.model.networks import SENTENCES, word_tokenizer

ROBOT = "\N{ROBOT FACE}"
URDU = "میں ایک روبوٹ ہوں"
TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=60)


@pytest.fixture(scope="module")
def bpe() -> Tokenizer:
    """Byte-level BPE of 300 tokens, learnt from the sentences of the specification."""
    backend = tokenizers.Tokenizer(models.BPE())
    backend.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    backend.decoder = decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    special = ["<PAD>", "<SOS>", "<EOS>"]
    trainer = trainers.BpeTrainer(
        vocab_size=300, special_tokens=special, initial_alphabet=alphabet, show_progress=False
    )
    backend.train_from_iterator(SENTENCES, trainer)
    return Tokenizer(backend)


def test_every_byte_has_its_own_printable_stand_in() -> None:
    alphabet = byte_alphabet()
    assert sorted(alphabet.values()) == list(range(256))
    assert set(alphabet) == set(pre_tokenizers.ByteLevel.alphabet())
    assert alphabet["A"] == ord("A")
    assert alphabet["Ġ"] == ord(" ")


@given(TEXT)
def test_tokens_bytes_are_the_texts_bytes(bpe: Tokenizer, text: str) -> None:
    tokens = bpe.encode(text)
    assert b"".join(token.bytes for token in tokens) == text.encode("utf-8")
    assert bpe.decode(token.id for token in tokens) == text


@given(TEXT)
def test_a_tokens_text_is_its_bytes_or_nothing(bpe: Tokenizer, text: str) -> None:
    for token in bpe.encode(text):
        assert token.text in ("", token.bytes.decode("utf-8", "ignore"))
        assert "\N{REPLACEMENT CHARACTER}" not in token.text or "\N{REPLACEMENT CHARACTER}" in text
        assert bpe.token(token.id) == token


def test_a_leading_space_belongs_to_the_word(smollm2: Model) -> None:
    assert [token.text for token in smollm2.tokenizer.encode("I am a robot")] == ["I", " am", " a", " robot"]


def test_fragments_of_a_character_are_bytes_without_text(bpe: Tokenizer) -> None:
    tokens = bpe.encode(ROBOT)
    assert [token.bytes for token in tokens] == [b"\xf0", b"\x9f", b"\xa4", b"\x96"]
    assert [token.text for token in tokens] == [""] * 4
    assert not any(token.special for token in tokens)


@pytest.mark.parametrize(
    "text", [URDU, ROBOT, "\x00\x07\x1b", "line\nline\ttab", "a\N{COMBINING ACUTE ACCENT}", "\u202eabc"]
)
def test_any_script_and_control_characters_come_back(smollm2: Model, text: str) -> None:
    tokens = smollm2.tokenizer.encode(text)
    assert b"".join(token.bytes for token in tokens).decode("utf-8") == text
    assert smollm2.tokenizer.decode(token.id for token in tokens) == text


def test_a_lone_surrogate_is_a_question_mark_not_a_crash(smollm2: Model, minilm: Model, bpe: Tokenizer) -> None:
    for tokenizer in (smollm2.tokenizer, minilm.tokenizer, bpe):
        assert (
            "".join(token.text for token in tokenizer.encode("a\ud800b", add_special=False)).replace("##", "") == "a?b"
        )


def test_special_tokens_have_a_name_and_no_bytes(smollm2: Model, minilm: Model) -> None:
    first, *words, last = minilm.tokenizer.encode("The weather")
    assert (first.text, last.text) == ("[CLS]", "[SEP]")
    assert first.special
    assert first.bytes == b""
    assert not any(token.special for token in words)
    assert [token.special for token in smollm2.tokenizer.encode("<|im_start|>user")] == [True, False]
    assert smollm2.tokenizer.encode("The weather")[0].text == "The"


def test_the_roles_of_special_tokens(smollm2: Model, minilm: Model, bpe: Tokenizer) -> None:
    assert (bpe.pad, bpe.start, bpe.end) == (0, 1, 2)
    assert bpe.sequence_start == 1
    assert minilm.tokenizer.start == minilm.tokenizer.id_of("[CLS]") == 101
    assert smollm2.tokenizer.end == smollm2.tokenizer.id_of("<|im_end|>") == 2
    with pytest.raises(DamagedWeights, match="cannot translate"):
        _ = smollm2.tokenizer.sequence_start


def test_word_pieces_keep_the_sign_that_continues_a_word(minilm: Model) -> None:
    tokens = minilm.tokenizer.encode("embeddings", add_special=False)
    assert [token.text for token in tokens] == ["em", "##bed", "##ding", "##s"]
    assert b"".join(token.bytes for token in tokens) == b"embeddings"


def test_a_hash_sign_is_not_a_continuation_in_byte_level_bpe(smollm2: Model) -> None:
    tokens = smollm2.tokenizer.encode("## Title é")
    assert tokens[0].text == "##"
    assert tokens[0].bytes == b"##"


def test_what_no_token_covers_is_unknown(minilm: Model) -> None:
    unknown = minilm.tokenizer.encode(ROBOT, add_special=False)
    assert [(token.text, token.special) for token in unknown] == [("[UNK]", True)]
    assert [token.text for token in word_tokenizer().encode("I am Zaphod")] == ["I", "am", "<UNK>"]


def test_bytes_fall_back_in_sentence_piece_vocabularies() -> None:
    vocabulary = {"<unk>": 0, "▁a": 1, **{f"<0x{byte:02X}>": 2 + byte for byte in range(256)}}
    backend = tokenizers.Tokenizer(models.BPE(vocab=vocabulary, merges=[], byte_fallback=True, unk_token="<unk>"))
    backend.decoder = decoders.Sequence([decoders.ByteFallback(), decoders.Fuse()])
    tokenizer = Tokenizer(backend)
    assert [token.bytes for token in tokenizer.encode("é")] == [b"\xc3", b"\xa9"]
    assert [token.text for token in tokenizer.encode("é")] == ["", ""]
    assert tokenizer.token(1).text == " a"


def test_an_id_beyond_the_vocabulary_is_shown_as_a_number(bpe: Tokenizer) -> None:
    token = bpe.token(bpe.size + 7)
    assert (token.text, token.bytes, token.special) == (f"<{bpe.size + 7}>", b"", True)


def test_nothing_is_cut_or_filled_up(tmp_path: Path, bpe: Tokenizer) -> None:
    backend = tokenizers.Tokenizer.from_str(bpe.backend.to_str())
    backend.enable_truncation(4)
    backend.enable_padding(length=512, pad_token="<PAD>")
    backend.save(str(tmp_path / "tokenizer.json"))
    again = Tokenizer.from_file(tmp_path / "tokenizer.json")
    assert again.encode(SENTENCES[0]) == bpe.encode(SENTENCES[0])
    assert len(again.encode(SENTENCES[0] * 20)) > 512


def test_another_file_is_named(tmp_path: Path) -> None:
    path = tmp_path / "tokenizer.json"
    path.write_text("{")
    with pytest.raises(DamagedWeights, match=r"tokenizer\.json is not a tokenizer file"):
        Tokenizer.from_file(path)


def test_a_token_is_made_once_and_few_are_kept(bpe: Tokenizer, monkeypatch: pytest.MonkeyPatch) -> None:
    make = Mock(wraps=bpe._make_token)
    monkeypatch.setattr(bpe, "_kept", {})
    monkeypatch.setattr(bpe, "_make_token", make)
    first = bpe.encode("a a a a " * 100)
    again = bpe.encode("a a a a " * 100)
    assert make.call_count == len(set(first)) <= 4
    assert all(one is other for one, other in zip(first, again, strict=True))
    bpe.tokens(range(10_000))
    assert len(bpe._kept) <= MAX_KEPT_TOKENS
    assert bpe.tokens(token.id for token in first) == first
