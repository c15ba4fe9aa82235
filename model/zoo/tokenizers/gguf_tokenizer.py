"""The tokenizer in the metadata of a GGUF file: byte-level merges, or the pieces of SentencePiece.

A file names how a text is cut before the merges (`tokenizer.ggml.pre`), and llama.cpp has the pattern of each name. The
type of a token says whether it stands for no text, or is found in a text as it stands.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tokenizers import AddedToken, Regex, decoders, models, normalizers, pre_tokenizers
from tokenizers import Tokenizer as Backend

from model.errors import DamagedWeights
from model.tokens.panics import panics_as_errors
from model.tokens.tokenizer import Tokenizer
from model.zoo.tokenizers.chat_templates import GGUF_KEY, template_of
from model.zoo.tokenizers.classes import (
    BAR,
    OF_BERT,
    OF_GPT2,
    OF_LLAMA,
    QWEN_SPLIT,
    Names,
    Vocabulary,
    around_named,
    bars,
)
from model.zoo.tokenizers.classes import (
    KINDS as CLASSES,
)
from model.zoo.tokenizers.end_tokens import GGUF_ENDS, ids_of_ends
from model.zoo.tokenizers.part_bounds import check_added, check_vocabulary
from model.zoo.tokenizers.probe import try_texts
from model.zoo.tokenizers.sentence_piece_file import CONTROL, NORMAL, USER_DEFINED, merges_of
from model.zoo.values.known_values import KnownValues, check_values

PREFIX = "tokenizer."
NAMED = {"bos_token": "bos", "eos_token": "eos", "unk_token": "unknown", "pad_token": "padding"}
KINDS = ("gpt2", "llama", "bert")
KNOWN = KnownValues(
    read=(
        *(f"tokenizer.ggml.{key}" for key in ("model", "pre", "tokens", "scores", "token_type", "merges")),
        *(f"tokenizer.ggml.{key}" for key in ("add_bos_token", "add_eos_token", "add_space_prefix")),
        *(f"tokenizer.ggml.{key}_token_id" for key in NAMED.values()),
        *(*GGUF_ENDS, GGUF_KEY),
    ),
    without_effect=(
        *("tokenizer.chat_templates", "tokenizer.huggingface.json", "tokenizer.rwkv.world"),
        # Tokens that a text may hold, but that nothing here puts into one, and those of a BERT, which have fixed names
        *(f"tokenizer.ggml.{key}_token_id" for key in ("cls", "mask", "seperator", "separator", "prefix", "suffix")),
        *(f"tokenizer.ggml.{key}_token_id" for key in ("middle", "fim_pre", "fim_suf", "fim_mid", "fim_pad")),
        *(f"tokenizer.ggml.{key}_token_id" for key in ("fim_rep", "fim_sep")),
        # Only other kinds of tokenizers read these
        *(f"tokenizer.ggml.{key}" for key in ("add_sep_token", "token_type_count", "remove_extra_whitespaces")),
        "tokenizer.ggml.precompiled_charsmap",
    ),
)
LLAMA_SPLIT = QWEN_SPLIT.replace(r"\p{N}| ?", r"\p{N}{1,3}| ?")  # up to three digits stay together; Qwen's, alone
NEMO_SPLIT = (  # a capital begins a word
    r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+"
    r"|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*"
    r"|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)


GPT4O_SPLIT = (  # a capital begins a word, which keeps its 's
    r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?"
    r"|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?"
    r"|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)


@dataclass(frozen=True)
class Cut:
    """How a text is cut before the merges. `pattern`: by this one, not by that of GPT-2. `digits`: each stands alone.

    `composed`: a letter and its accent are one character first. `whole`: a word that is a token is never cut. `start`:
    the start token stands before a text unless the file says otherwise.
    """

    pattern: str = ""
    digits: bool = False
    composed: bool = False
    whole: bool = False
    start: bool = False


LLAMA = ("llama-bpe", "llama3", "llama-v3", "falcon3", "falcon-h1", "pixtral", "midm-2.0", "lfm2")
CUTS: dict[str, Cut] = {
    **dict.fromkeys(("gpt-2", "default", "phi-2", "mpt", "olmo"), Cut()),
    **dict.fromkeys(("smollm", "starcoder", "refact"), Cut(digits=True)),
    **dict.fromkeys(LLAMA, Cut(LLAMA_SPLIT, whole=True, start=True)),
    **dict.fromkeys(("smaug-bpe", "dbrx"), Cut(LLAMA_SPLIT)),
    "gpt-4o": Cut(GPT4O_SPLIT),
    "tekken": Cut(NEMO_SPLIT, whole=True, start=True),
    "modern-bert": Cut(composed=True),
    **dict.fromkeys(("qwen2", "deepseek-r1-qwen", "megrez"), Cut(QWEN_SPLIT, composed=True)),
}


@panics_as_errors()
def gguf_tokenizer(values: dict[str, Any]) -> Tokenizer:
    """The tokenizer of the metadata. Raises `DamagedWeights` for an unknown one, `KeyError` for a missing value."""
    said = {key: value for key, value in values.items() if key.startswith(PREFIX) and "chat_template." not in key}
    check_values(Path("the header of the GGUF file"), said, KNOWN)
    kind = values.get("tokenizer.ggml.model")
    if kind not in KINDS:
        raise DamagedWeights(
            f"Its tokenizer is of the kind {repr(kind)[:60]}. From GGUF these are read: gpt2 (byte-level merges), "
            "llama (the pieces of SentencePiece) and bert (the pieces of words)."
        )
    pieces = values["tokenizer.ggml.tokens"]
    if kind == "bert":
        return word_pieces(pieces)
    vocabulary = {piece: id for id, piece in enumerate(pieces)}
    described = {"vocab": vocabulary, "merges": values.get("tokenizer.ggml.merges")}
    check_vocabulary({"model": described, "added_tokens": ()})
    names = _names(values, pieces)
    if kind == "llama":
        backend, starts, habit = _sentence_pieces(values, pieces, names), True, OF_LLAMA
    else:
        cut = _cut_of(values)
        backend, starts, habit = _byte_level(values, pieces, cut), cut.start, OF_GPT2
    _add_tokens(backend, values, pieces, {piece for piece in (*names.values(), *habit.values()) if piece is not None})
    wanted = {f"add_{key}": values.get(f"tokenizer.ggml.add_{key}") for key in ("bos_token", "eos_token")}
    wanted["add_bos_token"] = starts if wanted["add_bos_token"] is None else wanted["add_bos_token"]
    backend.post_processor = around_named(backend, wanted, names)
    start = names["bos_token"] if wanted["add_bos_token"] else None
    pad = names["pad_token"]
    tokenizer = Tokenizer(backend, start and str(start), end=None, pad=pad and str(pad))
    begin = names["bos_token"]
    tokenizer.offer_begin(None if begin is None else tokenizer.id_of(str(begin)))
    tokenizer.chat = template_of(values.get(GGUF_KEY), names)
    tokenizer.ends = ids_of_ends([values.get(key) for key in GGUF_ENDS], len(pieces))
    try_texts(tokenizer)
    return tokenizer


def word_pieces(stored: list[str]) -> Tokenizer:
    """A BERT's. A file has a bar before what begins a word, where the vocabulary of the hub has ## before the rest.

    Whether a text is written small before it is cut, no file says: it is, unless a piece has a capital.
    """
    pieces = [_as_on_the_hub(piece) for piece in stored]
    vocabulary = {piece: id for id, piece in enumerate(pieces)}
    check_vocabulary({"model": {"vocab": vocabulary}, "added_tokens": ()})
    cased = any(piece != piece.lower() for piece in pieces if not _is_named(piece))
    kind, names = CLASSES["BertTokenizer"], Names(OF_BERT)
    backend = kind.build(Vocabulary(vocabulary), {"do_lower_case": not cased}, names)
    backend.add_special_tokens([AddedToken(piece, normalized=False, special=True) for piece in OF_BERT.values()])
    assert kind.frame is not None
    backend.post_processor = kind.frame(backend, {}, names)
    return try_texts(Tokenizer(backend, start="[CLS]", end="[SEP]", pad="[PAD]", mask="[MASK]"))


def _is_named(piece: str) -> bool:
    return piece.startswith("[") and piece.endswith("]")


def _as_on_the_hub(piece: str) -> str:
    if piece.startswith(BAR):
        return piece.removeprefix(BAR)
    return piece if _is_named(piece) else f"##{piece}"


def _names(values: Mapping[str, Any], pieces: list[str]) -> Names:
    """The tokens with a name. An id that no token has names nothing."""
    ids = {key: values.get(f"tokenizer.ggml.{name}_token_id") for key, name in NAMED.items()}
    return {key: pieces[id] if id is not None and 0 <= id < len(pieces) else None for key, id in ids.items()}


def _cut_of(values: Mapping[str, Any]) -> Cut:
    name = values.get("tokenizer.ggml.pre", "gpt-2")
    if name not in CUTS:
        raise DamagedWeights(
            f"It cuts a text by the pattern {repr(name)[:60]}, which is not known here. These are: {', '.join(CUTS)}."
        )
    return CUTS[name]


def _byte_level(values: Mapping[str, Any], pieces: list[str], cut: Cut) -> Backend:
    """Byte-level merges, as GPT-2's."""
    merges = [(one, other) for one, other in (merge.split(" ") for merge in values["tokenizer.ggml.merges"])]
    vocabulary = {piece: id for id, piece in enumerate(pieces)}
    backend = Backend(models.BPE(vocab=vocabulary, merges=merges, ignore_merges=cut.whole))
    byte_level = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=not cut.pattern)
    splits: list[Any] = [pre_tokenizers.Digits(individual_digits=True)] if cut.digits else []
    if cut.pattern:
        splits = [pre_tokenizers.Split(Regex(cut.pattern), "isolated")]
    if cut.composed:
        backend.normalizer = normalizers.NFC()
    backend.pre_tokenizer = pre_tokenizers.Sequence([*splits, byte_level])
    backend.decoder = decoders.ByteLevel()
    return backend


def _sentence_pieces(values: Mapping[str, Any], pieces: list[str], names: Names) -> Backend:
    """Llama's pieces. The file has no merges, but a score for each piece: the best one is merged first."""
    vocabulary = {piece: id for id, piece in enumerate(pieces)}
    scores = dict(zip(pieces, values["tokenizer.ggml.scores"], strict=True))
    prefix = {"add_prefix_space": values.get("tokenizer.ggml.add_space_prefix", True)}
    return bars(Vocabulary(vocabulary, merges_of(vocabulary, scores)), prefix, names)


def _add_tokens(backend: Backend, values: Mapping[str, Any], pieces: list[str], named: set[Any]) -> None:
    """What is one token wherever it stands. Those that stand for no text, and those with a name, are special."""
    types = values.get("tokenizer.ggml.token_type", [NORMAL] * len(pieces))
    typed = list(zip(pieces, types, strict=True))
    special = [piece for piece, type in typed if type == CONTROL or piece in named]
    plain = [piece for piece, type in typed if type == USER_DEFINED and piece not in named]
    check_added([*special, *plain])
    backend.add_special_tokens([AddedToken(piece, normalized=False, special=True) for piece in special])
    backend.add_tokens([AddedToken(piece, normalized=False, special=False) for piece in plain])
