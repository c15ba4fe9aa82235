"""How far a translation can be trusted: signs that its own run shows, and the confidence that follows from them.

A logistic regression of a few signs, fitted to sentences whose translation was judged, gives a probability:

    p(right) = σ(w₀ + w₁ ln(1 - p_least) + w₂ unknown + w₃ overlooked)

as in Platt (1999), "Probabilistic outputs for support vector machines". The least sure word says more than the mean
of all words, since one wrong word makes a translation wrong.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import astuple, dataclass
from itertools import groupby
from math import exp, log
from typing import Any

import torch
from torch import Tensor

from model.network.transformer import Transformer
from model.tape import Trace
from model.tokens.tokenizer import Token
from model.tokens.word_vocabulary import MARKS, script

TRIED_AT_ONCE = 8  # words that are left out in one batch: it has the logits of each
LEAST_DOUBT = 1e-5  # a smaller chance of another word says no more
LOOKED_AT = 0.3  # cross-attention of a step from which on it looks at a word
ALONE = frozenset(MARKS + " ")  # characters of one byte that are no pieces of a word
REPEATED = 3  # so many times the same word in a row is a loop


@dataclass(frozen=True)
class Signs:
    """What a run shows of its translation. `doubt` is ln(1 - p) of the least sure token, from ln `LEAST_DOUBT` to 0.

    `unknown` counts the words of the source outside the vocabulary. A word with a capital letter is not counted: a name
    is spelled by its sound, and comes out right. `overlooked` counts the words at which no step looked.
    """

    doubt: float
    unknown: int
    overlooked: int


@dataclass(frozen=True)
class UnusedWords:
    """What the card of a translator says of words that it does not use.

    Of `sentences` that were kept apart and have such a word, `right` came out right. `needless` are the words that
    right translations often do without, such as "the".
    """

    needless: frozenset[str]
    sentences: int
    right: int


@dataclass(frozen=True)
class Calibration:
    """What the card of a translator says of its confidence (`model.train.trust`).

    `layer` is the decoder layer whose cross-attention says which words were looked at; `length` the fewest and most
    written words for one of the source in right translations; `ranges` the reliability on sentences kept apart.
    """

    layer: int
    weights: tuple[float, ...]
    silent: frozenset[str]
    length: tuple[float, float]
    ranges: tuple[Mapping[str, Any], ...]
    unused: UnusedWords

    @property
    def cross_attention(self) -> str:
        """The name of the tensor that shows the words that were looked at."""
        return f"decoder.{self.layer}.cross_attn.weights"

    def range_of(self, sure: float) -> Mapping[str, Any]:
        """The range of the reliability diagram in which a confidence lies."""
        return next((each for each in self.ranges if sure < each["to"]), self.ranges[-1])


def read_calibration(details: Mapping[str, Any]) -> Calibration | None:
    """The calibration in the details of a card; None where nobody has measured all of it."""
    values = details.get("confidence")
    if not values or "unused" not in values:
        return None
    low, high = values["length"]
    weights, silent, ranges = tuple(values["weights"]), frozenset(values["silent"]), tuple(values["reliability"])
    unused = values["unused"]
    of_unused = UnusedWords(frozenset(unused["needless"]), unused["sentences"], unused["right"])
    return Calibration(values["layer"], weights, silent, (low, high), ranges, of_unused)


def read_signs(trace: Trace, unknown: Sequence[str], calibration: Calibration) -> Signs:
    """The signs of a greedy run that kept its logits and cross-attention. `unknown`: words outside the vocabulary."""
    missed = overlooked_words(trace[calibration.cross_attention], trace.source_tokens, calibration.silent)
    return Signs(read_doubt(trace["logits"]), count_unknown(unknown), len(missed))


def count_unknown(words: Sequence[str]) -> int:
    """How many of the unknown words are not written as names are, with a capital letter."""
    return sum(not word[:1].isupper() for word in words)


def read_doubt(logits: Tensor) -> float:
    """ln of the chance that the least sure token is another one. logits: (steps, vocabulary), each step greedy."""
    best = logits.double().softmax(-1).amax(-1)  # (steps,)
    return log(max(1 - float(best.min()), LEAST_DOUBT))


def overlooked_words(weights: Tensor, source: Sequence[Token], silent: Collection[str]) -> tuple[str, ...]:
    """The known words of the source that no step looked at. weights: cross-attention, (heads, steps, source tokens).

    `silent` are the words that right translations overlook too, such as "the".
    """
    most = weights.mean(0).amax(0).tolist()  # (source tokens,)
    names = [token.text.strip().lower() for token in source]
    return tuple(
        name
        for name, token, weight in zip(names, source, most, strict=True)
        if weight < LOOKED_AT and _is_known_word(token) and name not in silent
    )


@torch.inference_mode()
def try_without(network: Transformer, trace: Trace, end: int) -> tuple[tuple[str, bool], ...]:
    """Each known word of the source, and whether the network writes the same translation without it.

    A word is left out, and the decoder reads the translation of `trace`, a greedy run, as before. Where every step
    still likes the next word of it best, and `end` after the last, greedy search writes the same.
    """
    source = [token.id for token in trace.source_tokens]
    places = [place for place, token in enumerate(trace.source_tokens) if _is_known_word(token)]
    if len(source) < 2:
        return ()
    ids = [token.id for token in trace.tokens]
    goes_on = torch.tensor([*ids[1:], end])
    is_same: list[bool] = []
    for start in range(0, len(places), TRIED_AT_ONCE):
        part = places[start : start + TRIED_AT_ONCE]
        shorter = torch.tensor([source[:place] + source[place + 1 :] for place in part])  # (words, source tokens - 1)
        best = network(torch.tensor([ids] * len(part)), shorter).argmax(-1).cpu()  # (words, target tokens)
        is_same += (best == goes_on).all(-1).tolist()
    names = (trace.source_tokens[place].text.strip().lower() for place in places)
    return tuple(zip(names, is_same, strict=True))


def _is_known_word(token: Token) -> bool:
    """Whether a token is a whole word of letters: an unknown word is one byte after another."""
    return bool(script(token.text)) and not token.special and len(token.bytes) > 1


def confidence(signs: Signs, weights: Sequence[float]) -> float:
    """The probability that the translation is right, 0..1. `weights`: the constant, then one for each sign."""
    constant, *slopes = weights
    x = constant + sum(slope * sign for slope, sign in zip(slopes, astuple(signs), strict=True))
    return 1 / (1 + exp(-x)) if x > 0 else exp(x) / (1 + exp(x))


def repeated_words(written: Sequence[Token]) -> tuple[str, ...]:
    """The words that stand `REPEATED` times in a row, each once: a translator that has lost its way."""
    names = [token.text.strip() for token in written if not token.special]
    runs = zip(*(names[start:] for start in range(REPEATED)), strict=False)
    return tuple(dict.fromkeys(run[0] for run in runs if script(run[0]) and len(set(run)) == 1))


def untranslated_pieces(written: Sequence[Token], of_script: str = "arabic") -> tuple[str, ...]:
    """The words of a translation in another script than `of_script`, whole or spelled, and broken bytes, each once."""
    whole = [token.text.strip() for token in written if not _is_one_byte(token) and not token.special]
    foreign = [word for word in whole if script(word) not in ("", of_script)]
    return tuple(dict.fromkeys(foreign + [word for word in _spelled(written) if script(word) != of_script]))


def spelled_words(written: Sequence[Token], of_script: str = "arabic") -> tuple[str, ...]:
    """The words of a translation that it wrote byte by byte, such as names that it never saw, each once."""
    return tuple(dict.fromkeys(word for word in _spelled(written) if script(word) == of_script))


def _spelled(written: Sequence[Token]) -> list[str]:
    """The words that single bytes make together. A byte that is no letter is named by its number."""
    runs = groupby(written, _is_one_byte)
    spelled = [b"".join(token.bytes for token in run) for one_byte, run in runs if one_byte]
    return [each.decode(errors="ignore") or f"byte {each.hex(' ').upper()}" for each in spelled]


def _is_one_byte(token: Token) -> bool:
    return len(token.bytes) == 1 and token.text not in ALONE
