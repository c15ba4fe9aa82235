"""The tokenizer in the metadata of a GGUF file."""

from __future__ import annotations

from typing import Any

from tokenizers import AddedToken, Regex, decoders, models, normalizers, pre_tokenizers, processors
from tokenizers import Tokenizer as Backend

from model.errors import DamagedWeights
from model.tokens.tokenizer import Tokenizer
from model.zoo.end_tokens import GGUF_ENDS, ids_of_ends

# How the tokenizers of Llama 3 and of Qwen cut a text before the merges. They differ in how many digits stay together.
SPLIT = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}DIGITS| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+"
    r"|\s+(?!\S)|\s+"
)
SPLITS = {"llama-bpe": SPLIT.replace("DIGITS", "{1,3}"), "qwen2": SPLIT.replace("DIGITS", "")}
SPLITTING = ("smollm", "gpt-2", *SPLITS)
CONTROL = 3  # the type of a token that stands for no text


def gguf_tokenizer(values: dict[str, Any]) -> Tokenizer:
    """Byte-level BPE from GGUF metadata. SmolLM2's tokenizer ("smollm") splits every digit off, GPT-2's does not.

    Llama 3's puts its start token before a text. Qwen's makes one character of a letter and its accent first.
    Raises `DamagedWeights` for any other tokenizer, `KeyError` for a missing value.
    """
    splitting = values.get("tokenizer.ggml.pre", "gpt-2")
    if values.get("tokenizer.ggml.model") != "gpt2" or splitting not in SPLITTING:
        raise DamagedWeights(
            f"From GGUF only the tokenizers {', '.join(SPLITTING)} can be rebuilt, not {repr(splitting)[:60]}."
        )
    pieces = values["tokenizer.ggml.tokens"]
    merges = [tuple(merge.split(" ")) for merge in values["tokenizer.ggml.merges"]]
    vocabulary = {piece: id for id, piece in enumerate(pieces)}
    backend = Backend(models.BPE(vocab=vocabulary, merges=merges, ignore_merges=splitting == "llama-bpe"))
    byte_level = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=splitting not in SPLITS)
    splits: list[Any] = [pre_tokenizers.Digits(individual_digits=True)] if splitting == "smollm" else []
    if splitting in SPLITS:
        splits = [pre_tokenizers.Split(Regex(SPLITS[splitting]), "isolated")]
    if splitting == "qwen2":
        backend.normalizer = normalizers.NFC()
    backend.pre_tokenizer = pre_tokenizers.Sequence([*splits, byte_level])
    backend.decoder = decoders.ByteLevel()
    types = values["tokenizer.ggml.token_type"]
    backend.add_special_tokens(
        [AddedToken(piece, special=True) for piece, type in zip(pieces, types, strict=True) if type == CONTROL]
    )
    start = values.get("tokenizer.ggml.bos_token_id")
    if start is not None and values.get("tokenizer.ggml.add_bos_token", splitting == "llama-bpe"):
        backend.post_processor = processors.TemplateProcessing(
            single=[pieces[start], "$A"], special_tokens=[(pieces[start], start)]
        )
    tokenizer = Tokenizer(backend, start=None, end=None, pad=None)
    tokenizer.ends = ids_of_ends([values.get(key) for key in GGUF_ENDS], len(pieces))
    return tokenizer
