"""Makers of the files that tokenizers have in the folders of the hub, with vocabularies of a few hundred pieces."""

from __future__ import annotations

import io
import json
from functools import cache
from pathlib import Path
from typing import Any

import sentencepiece
import tokenizers
import transformers
from tokenizers import decoders, models, pre_tokenizers, trainers

from tests.model.networks import SENTENCES

CORPUS = (*SENTENCES, "hello world test", "میں ایک روبوٹ ہوں", "机器人 你好 世界", "don't café") * 3
TEXTS = (
    *("I am a robot", "The cat  sat   on", "میں ایک روبوٹ ہوں", "机器人 is 你好", "café cafe\u0301 ÀÉ", "🙂 ok 👩‍🚀"),
    *("  lead", "tab\tnew\nline\n\n x", "", " ", "don't 1234 x5", "ﬁne ½", "<s> hi </s>", "[MASK] a [SEP]"),
    *("<|endoftext|> yes", "<extra_id_0> no", "<mask>x", "Hello<tok>World <tok> x"),
)
VECTORS = 1000  # of the models: more than any of these vocabularies has
SHARED = {"vocab_size": VECTORS, "num_hidden_layers": 1, "eos_token_id": 2}


def config(folder: Path, model: str, **changes: Any) -> Path:
    """Writes the config.json of a model that is never run."""
    values = transformers.AutoConfig.for_model(model, **{**SHARED, **changes}).to_dict()
    folder.mkdir(exist_ok=True)
    (folder / "config.json").write_text(json.dumps({**values, "model_type": model}), encoding="utf-8")
    return folder


def write(folder: Path, name: str, values: Any) -> None:
    """Writes a JSON file."""
    (folder / name).write_text(json.dumps(values), encoding="utf-8")


def word_pieces(folder: Path) -> None:
    """A `vocab.txt`, as the first BERTs have it alone."""
    characters = sorted({character for text in CORPUS for character in text if not character.isspace()})
    pieces = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *characters, *(f"##{each}" for each in characters)]
    pieces += ["the", "cat", "robot", "is", "cafe", "I", "Hello"]
    (folder / "vocab.txt").write_text("\n".join(dict.fromkeys(pieces)) + "\n", encoding="utf-8")


@cache
def _bytes(special: tuple[str, ...]) -> str:
    backend = tokenizers.Tokenizer(models.BPE())
    backend.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    backend.decoder = decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(
        vocab_size=330, special_tokens=list(special), initial_alphabet=alphabet, show_progress=False
    )
    backend.train_from_iterator(CORPUS, trainer)
    return backend.to_str()


OF_GPT2, OF_ROBERTA = ("<|endoftext|>",), ("<s>", "<pad>", "</s>", "<unk>", "<mask>")


def byte_level(special: tuple[str, ...] = OF_GPT2) -> tokenizers.Tokenizer:
    """Byte-level BPE, as GPT-2's."""
    return tokenizers.Tokenizer.from_str(_bytes(special))


def whole_bytes(folder: Path, special: tuple[str, ...] = OF_GPT2, **changes: Any) -> None:
    """Such a `tokenizer.json`, with other values in some of its parts."""
    values = json.loads(_bytes(special))
    for part, value in changes.items():
        values[part] = values[part] | value if isinstance(values[part], dict) and value else value
    write(folder, "tokenizer.json", values)


def merges(folder: Path, special: tuple[str, ...] = OF_GPT2) -> None:
    """`vocab.json` with `merges.txt`."""
    byte_level(special).model.save(str(folder))


@cache
def _sentence_pieces(kind: str, of_t5: bool, user_defined: tuple[str, ...]) -> bytes:
    made = io.BytesIO()
    sizes: dict[str, Any] = {"vocab_size": 420, "byte_fallback": True} if kind == "bpe" else {"vocab_size": 150}
    sizes |= {"pad_id": 0, "eos_id": 1, "unk_id": 2, "bos_id": -1} if of_t5 else {}
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(CORPUS), model_writer=made, model_type=kind, hard_vocab_limit=kind == "bpe",
        user_defined_symbols=list(user_defined), minloglevel=2, num_threads=1, **sizes,
    )  # fmt: skip
    return made.getvalue()


def sentence_pieces(
    folder: Path, name: str, kind: str = "unigram", of_t5: bool = False, user_defined: tuple[str, ...] = ()
) -> None:
    """A SentencePiece file. Those of kind "bpe" have a piece for each byte, as Llama's."""
    (folder / name).write_bytes(_sentence_pieces(kind, of_t5, user_defined))
