"""The tokenizers that `transformers` builds, by the names of its classes.

Version 5 takes from tokenizer.json only the vocabulary and what stands around a text. It builds the rest by the class
that tokenizer_config.json names: how a text is normalised and cut. So do we, or the ids would be others. The class
`TokenizersBackend`, and every class that it does not know, is tokenizer.json as it stands.
"""

from __future__ import annotations

import re
import string
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from tokenizers import AddedToken, Regex, decoders, models, normalizers, pre_tokenizers, processors
from tokenizers import Tokenizer as Backend

Names = dict[str, str | AddedToken | None]
Values = Mapping[str, Any]
Scores = list[tuple[str, float]]
BAR = "▁"  # stands for a space
QWEN_SPLIT = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+"
    r"|\s+(?!\S)|\s+"
)
CLIP_SPLIT = r"<\|startoftext\|>|<\|endoftext\|>|'s|'t|'re|'ve|'m|'ll|'d|[\p{L}]+|[\p{N}]|[^\s\p{L}\p{N}]+"
SENTINELS = 100  # of T5: tokens for spans that are left out of a text
MOST_SENTINELS = 10_000


@dataclass(frozen=True)
class Vocabulary:
    """`pieces` are the ids of pieces, or of a unigram model each piece with its score, by its id."""

    pieces: Any
    merges: list[tuple[str, str]] = field(default_factory=list)
    charsmap: bytes = b""  # how SentencePiece normalises characters


@dataclass(frozen=True)
class Kind:
    """One class. `model` is the kind of its vocabulary, `files` are where it is found without a tokenizer.json.

    `habit` are its special tokens where no file names them. `build` makes what cuts a text. `frame` makes what then
    stands around it, the tokens of the names `framed`; without it, this is what tokenizer.json says, or start and end
    where tokenizer_config.json says so. `arrange` orders the pieces of a SentencePiece file, where the class has an
    order of its own. `sentinels` says that it has T5's tokens for spans that are left out. `all_special` says that
    every token with a name is special, whatever a file says of it.
    """

    model: str
    files: tuple[str, ...]
    habit: Mapping[str, str | None]
    build: Callable[[Vocabulary, Values, Names], Backend]
    frame: Callable[[Backend, Values, Names], Any] | None = None
    framed: tuple[str, ...] = ()
    arrange: Callable[[Scores, Values, Names], Scores] | None = None
    sentinels: bool = False
    all_special: bool = False


def _word_pieces(vocabulary: Vocabulary, values: Values, names: Names) -> Backend:
    backend = Backend(models.WordPiece(vocabulary.pieces, unk_token=str(names["unk_token"])))
    backend.normalizer = normalizers.BertNormalizer(
        clean_text=True,
        handle_chinese_chars=values.get("tokenize_chinese_chars", True),
        strip_accents=values.get("strip_accents"),
        lowercase=values.get("do_lower_case", True),
    )
    backend.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    backend.decoder = decoders.WordPiece(prefix="##")
    return backend


def _bytes(vocabulary: Vocabulary, values: Values, names: Names) -> Backend:
    backend = Backend(models.BPE(vocab=vocabulary.pieces, merges=vocabulary.merges, fuse_unk=False))
    backend.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=bool(values.get("add_prefix_space")))
    backend.decoder = decoders.ByteLevel()
    return backend


def _composed_bytes(vocabulary: Vocabulary, values: Values, names: Names) -> Backend:
    """A letter and its accent are one character first."""
    backend = _bytes(vocabulary, values, names)
    backend.normalizer = normalizers.NFC()
    return backend


def _bytes_of_qwen(vocabulary: Vocabulary, values: Values, names: Names) -> Backend:
    backend = _composed_bytes(vocabulary, values, names)
    prefix = bool(values.get("add_prefix_space"))
    backend.pre_tokenizer = pre_tokenizers.Sequence(
        [
            pre_tokenizers.Split(Regex(QWEN_SPLIT), behavior="isolated"),
            pre_tokenizers.ByteLevel(add_prefix_space=prefix, use_regex=False),
        ]
    )
    return backend


def _words_end(vocabulary: Vocabulary, values: Values, names: Names) -> Backend:
    """CLIP's: small letters, and pieces that say where a word ends."""
    unknown = str(names["unk_token"])
    backend = Backend(
        models.BPE(vocab=vocabulary.pieces, merges=vocabulary.merges, end_of_word_suffix="</w>", unk_token=unknown)
    )
    backend.normalizer = normalizers.Sequence(
        [normalizers.NFC(), normalizers.Replace(Regex(r"\s+"), " "), normalizers.Lowercase()]
    )
    backend.pre_tokenizer = pre_tokenizers.Sequence(
        [
            pre_tokenizers.Split(Regex(CLIP_SPLIT), behavior="removed", invert=True),
            pre_tokenizers.ByteLevel(add_prefix_space=False),
        ]
    )
    backend.decoder = decoders.ByteLevel()
    return backend


def bars(vocabulary: Vocabulary, values: Values, names: Names) -> Backend:
    """Llama's: a bar for each space, and bytes for what the vocabulary lacks. Nothing is cut before the merges."""
    given = values.get("add_prefix_space")
    prefix = True if given is None else bool(given)
    backend = Backend(models.BPE(vocab=vocabulary.pieces, merges=vocabulary.merges, fuse_unk=True, byte_fallback=True))
    scheme = "never" if not prefix else "always" if values.get("legacy") else "first"
    backend.pre_tokenizer = pre_tokenizers.Metaspace(replacement=BAR, prepend_scheme=scheme, split=False)
    strip = [decoders.Strip(content=" ", left=1)] if prefix else []
    backend.decoder = decoders.Sequence([decoders.Replace(BAR, " "), decoders.ByteFallback(), decoders.Fuse(), *strip])
    return backend


def _likeliest(vocabulary: Vocabulary, unknown: int, prefix: bool) -> Backend:
    """A unigram model, after the normalisation of its SentencePiece file."""
    backend = Backend(models.Unigram(vocabulary.pieces, unk_id=unknown, byte_fallback=False))
    if vocabulary.charsmap:
        backend.normalizer = normalizers.Precompiled(vocabulary.charsmap)
    scheme = "always" if prefix else "never"
    backend.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.WhitespaceSplit(), pre_tokenizers.Metaspace(replacement=BAR, prepend_scheme=scheme)]
    )
    backend.decoder = decoders.Metaspace(replacement=BAR, prepend_scheme=scheme)
    return backend


def _of_t5(vocabulary: Vocabulary, values: Values, names: Names) -> Backend:
    return _likeliest(vocabulary, 2, prefix=True)


def _of_siglip(vocabulary: Vocabulary, values: Values, names: Names) -> Backend:
    """As T5's, of small letters without punctuation."""
    backend = _of_t5(vocabulary, values, names)
    lower = [normalizers.Lowercase()] if values.get("do_lower_case", True) else []
    plain = normalizers.Replace(Regex(f"[{re.escape(string.punctuation)}]"), "")
    mapped = [] if backend.normalizer is None else [backend.normalizer]
    backend.normalizer = normalizers.Sequence([normalizers.Replace(BAR, " "), *lower, plain, *mapped])
    return backend


def _of_xlm_roberta(vocabulary: Vocabulary, values: Values, names: Names) -> Backend:
    return _likeliest(vocabulary, 3, prefix=bool(values.get("add_prefix_space", True)))


def _around(backend: Backend, start: Any, end: Any) -> Any:
    """`start` before a text, and `end` after it; None: nothing."""
    pieces = [str(piece) for piece in (start, end) if piece is not None]
    return processors.TemplateProcessing(
        single=[*([] if start is None else [str(start)]), "$A", *([] if end is None else [str(end)])],
        special_tokens=[(piece, backend.token_to_id(piece)) for piece in dict.fromkeys(pieces)],
    )


def _around_classes(backend: Backend, values: Values, names: Names) -> Any:
    return _around(backend, names["cls_token"], names["sep_token"])


def _around_roberta(backend: Backend, values: Values, names: Names) -> Any:
    def placed(key: str) -> tuple[str, int]:
        piece = str(names[key])
        return piece, backend.get_vocab()[piece]

    trim, prefix = bool(values.get("trim_offsets", True)), bool(values.get("add_prefix_space"))
    return processors.RobertaProcessing(placed("sep_token"), placed("cls_token"), trim, prefix)


def _around_xlm_roberta(backend: Backend, values: Values, names: Names) -> Any:
    return _around(backend, names["bos_token"], names["eos_token"])


def _behind_t5(backend: Backend, values: Values, names: Names) -> Any:
    return _around(backend, None, names["eos_token"])


def around_named(backend: Backend, values: Values, names: Names) -> Any:
    """Start and end, where tokenizer_config.json says so."""
    wanted = {key: names[key] if values.get(f"add_{key}") else None for key in ("bos_token", "eos_token")}
    return _around(backend, wanted["bos_token"], wanted["eos_token"])


def sentinels(values: Values) -> list[str]:
    """T5's tokens for spans that are left out: `<extra_id_0>`, `<extra_id_1>` and so on."""
    count = values.get("extra_ids", SENTINELS)
    if not 0 <= count <= MOST_SENTINELS:
        raise ValueError(f"extra_ids is {repr(count)[:60]}")
    return [f"<extra_id_{number}>" for number in range(count)]


def _before_sentinels(scores: Scores, values: Values, names: Names) -> Scores:
    return [*scores, *((piece, 0.0) for piece in reversed(sentinels(values)))]


def _as_fairseq(scores: Scores, values: Values, names: Names) -> Scores:
    """XLM-R was trained in fairseq, which has four tokens of its own in the place of the file's first three."""
    first, last = ("bos_token", "pad_token", "eos_token", "unk_token"), "mask_token"
    return [*((str(names[key]), 0.0) for key in first), *scores[3:], (str(names[last]), 0.0)]


OF_BERT = {
    "unk_token": "[UNK]",
    "sep_token": "[SEP]",
    "pad_token": "[PAD]",
    "cls_token": "[CLS]",
    "mask_token": "[MASK]",
}
OF_ROBERTA = {
    **{"bos_token": "<s>", "eos_token": "</s>", "sep_token": "</s>", "cls_token": "<s>"},
    **{"unk_token": "<unk>", "pad_token": "<pad>", "mask_token": "<mask>"},
}
END_OF_TEXT = "<|endoftext|>"
OF_GPT2 = {"unk_token": END_OF_TEXT, "bos_token": END_OF_TEXT, "eos_token": END_OF_TEXT}
OF_QWEN = {"unk_token": END_OF_TEXT, "eos_token": END_OF_TEXT, "pad_token": END_OF_TEXT}
OF_CLIP = {**dict.fromkeys(("unk_token", "eos_token", "pad_token"), END_OF_TEXT), "bos_token": "<|startoftext|>"}
OF_LLAMA = {"unk_token": "<unk>", "bos_token": "<s>", "eos_token": "</s>"}
OF_SIGLIP = {"eos_token": "</s>", "unk_token": "<unk>", "pad_token": "</s>"}
OF_T5 = {"eos_token": "</s>", "unk_token": "<unk>", "pad_token": "<pad>"}
MERGED = ("vocab.json", "merges.txt")
CLASSES = ("cls_token", "sep_token")
KINDS: dict[str, Kind] = {
    "BertTokenizer": Kind("WordPiece", ("vocab.txt",), OF_BERT, _word_pieces, _around_classes, CLASSES),
    "GPT2Tokenizer": Kind("BPE", MERGED, OF_GPT2, _bytes),
    "RobertaTokenizer": Kind("BPE", MERGED, OF_ROBERTA, _bytes, _around_roberta, CLASSES),
    "GPTNeoXTokenizer": Kind("BPE", MERGED, {**OF_GPT2, "pad_token": "<|padding|>"}, _composed_bytes, around_named),
    "Qwen2Tokenizer": Kind("BPE", MERGED, OF_QWEN, _bytes_of_qwen, all_special=True),
    "CLIPTokenizer": Kind(
        *("BPE", MERGED, OF_CLIP, _words_end, _around_xlm_roberta, ("bos_token", "eos_token")),
    ),
    "LlamaTokenizer": Kind("BPE", ("tokenizer.model",), OF_LLAMA, bars),
    "T5Tokenizer": Kind(
        *("Unigram", ("spiece.model",), OF_T5, _of_t5, _behind_t5, ("eos_token",)),
        arrange=_before_sentinels,
        sentinels=True,
    ),
    "SiglipTokenizer": Kind("Unigram", ("spiece.model",), OF_SIGLIP, _of_siglip, _behind_t5, ("eos_token",)),
    "XLMRobertaTokenizer": Kind(
        *("Unigram", ("sentencepiece.bpe.model",), OF_ROBERTA, _of_xlm_roberta, _around_xlm_roberta),
        ("bos_token", "eos_token"),
        arrange=_as_fairseq,
    ),
}
