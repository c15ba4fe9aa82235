"""Byte-level BPE on a small corpus: whole words where they are frequent, single bytes where nothing else fits."""

from __future__ import annotations

from collections.abc import Iterable

from tokenizers import Regex, Tokenizer, decoders, models, pre_tokenizers, trainers

# A word with its leading space, one digit, one sign, or a run of white space: no token crosses these borders.
PIECES = r" ?\p{L}[\p{L}\p{M}]*| ?\p{N}| ?[^\s\p{L}\p{N}]|\s+(?!\S)|\s+"


def special_id(tokenizer: Tokenizer, token: str) -> int:
    """The id of a token that must be there."""
    found = tokenizer.token_to_id(token)
    if found is None:
        raise ValueError(f"The tokenizer has no token {token!r}.")
    return found


def train_bpe(texts: Iterable[str], vocab_size: int, special: list[str], min_frequency: int = 2) -> Tokenizer:
    """A tokenizer that can read any text: its base alphabet is the 256 bytes
    (Radford et al. 2019; Sennrich et al. 2016).

    The special tokens get the first ids. A pair of tokens that occurs less than `min_frequency` times stays apart. The
    result depends on the arguments alone.
    """
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [
            pre_tokenizers.Split(Regex(PIECES), "isolated"),
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
