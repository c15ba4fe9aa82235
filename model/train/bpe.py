"""Byte-level BPE on a small corpus. Frequent words become one token; where nothing else fits, bytes are tokens."""

from __future__ import annotations

from collections.abc import Iterable

from tokenizers import Regex, Tokenizer, decoders, models, pre_tokenizers, trainers

# A word with its leading space, one digit, one sign, or a run of white space. No token crosses these borders.
PIECE_PATTERN = r" ?\p{L}[\p{L}\p{M}]*| ?\p{N}| ?[^\s\p{L}\p{N}]|\s+(?!\S)|\s+"


def special_id(tokenizer: Tokenizer, token: str) -> int:
    """The id of a special token. Raises `ValueError` if the tokenizer does not have it."""
    token_id = tokenizer.token_to_id(token)
    if token_id is None:
        raise ValueError(f"The tokenizer has no token {token!r}.")
    return token_id


def train_bpe(texts: Iterable[str], vocab_size: int, special: list[str], min_frequency: int = 2) -> Tokenizer:
    """A tokenizer for any text: its base alphabet is the 256 bytes (Radford et al. 2019; Sennrich et al. 2016).

    The special tokens get the first ids. A pair of tokens that occurs fewer than `min_frequency` times is not merged.
    The same arguments always give the same tokenizer.
    """
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [
            pre_tokenizers.Split(Regex(PIECE_PATTERN), "isolated"),
            pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False),
        ]
    )
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=vocab_size,
        special_tokens=special,
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
        min_frequency=min_frequency,
    )
    tokenizer.train_from_iterator(texts, trainer)
    return tokenizer
