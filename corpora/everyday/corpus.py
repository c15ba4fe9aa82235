"""The everyday corpus: seeded sentence pairs with their alignment, and the held-out split.

Set phrases are memorised pairs and told apart: they are always trained on, and never held out. Of the composed
sentences, a hash of the English words decides, as in the corpus of the small world (`corpora.en_ur`). The
sentences by which the translator is judged are in neither part (`kept_apart`).
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache

from corpora.en_ur import (
    CONTRACTIONS,
    SHORT_FORMS,
    Example,
    draw_example,
    is_held_out,
    write_pair,
)
from corpora.en_ur_clauses import Pair
from corpora.en_ur_phrases import Word
from corpora.everyday.kept_apart import is_kept_apart
from corpora.everyday.lexicon import rows
from corpora.everyday.small_talk import Talker, set_phrase

AMERICAN_SHARE = 0.15  # of the sentences are spelled as in America
PHRASE_SHARE = 0.035  # this share of the training sentences are set phrases
MOST_WORDS = 24  # of the English side, without the mark at the end
NEGATIVES = CONTRACTIONS | {
    "has": "hasn't",
    "have": "haven't",
    "had": "hadn't",
    "could": "couldn't",
    "should": "shouldn't",
    "would": "wouldn't",
    "must": "mustn't",
}
SHORT = SHORT_FORMS | {"will": "'ll"}


@cache
def set_phrases() -> tuple[Pair, ...]:
    """The memorised pairs, without those by which the translator is judged."""
    return tuple(set_phrase(*row.cells) for row in rows("set_phrases.tsv") if not is_kept_apart(row.cell(0)))


@cache
def phrase_keys() -> frozenset[str]:
    return frozenset(key(pair) for pair in set_phrases())


def key(pair: Pair) -> str:
    """The English words in lower case, without commas: the sentence, however it is written."""
    return " ".join(word.text for word in pair.english if word.text != ",").lower()


def held_out(pair: Pair) -> bool:
    """Whether a composed sentence is held out."""
    return key(pair) not in phrase_keys() and is_held_out(pair)


def draw(pair: Pair, rng: random.Random) -> Example:
    """The pair with or without a mark, with or without contractions, now and then in American spelling."""
    respelled = american(pair) if rng.random() < AMERICAN_SHARE else pair
    return draw_example(pair if is_kept_apart(key(respelled)) else respelled, rng, 0.35, NEGATIVES, SHORT)


@cache
def american_words() -> dict[str, str]:
    """British and American spellings, also with the endings of nouns and verbs."""
    pairs = [row.cells for row in rows("spellings.tsv")]
    endings = ("", "s", "d", "ed", "ing", "er", "ers", "ful", "less")
    return {british + end: other + end for british, other in pairs for end in endings}


def american(pair: Pair) -> Pair:
    """The pair with its English in American spelling."""
    spelled = tuple(Word(american_words().get(word.text, word.text), word.role) for word in pair.english)
    return pair._replace(english=spelled)


def compose(talker: Talker) -> Pair:
    """A composed sentence that is not too long, and not one of those by which the translator is judged."""
    while True:
        pair = talker.sentence()
        if len(pair.english) <= MOST_WORDS and not is_kept_apart(key(pair)):
            return pair


def training_examples(seed: int | str) -> Iterator[Example]:
    """Training sentences without end. None is held out."""
    rng = random.Random(f"everyday train {seed}")
    talker = Talker(rng)
    while True:
        if rng.random() < PHRASE_SHARE:
            yield draw(rng.choice(set_phrases()), rng)
            continue
        pair = compose(talker)
        if not held_out(pair):
            yield draw(pair, rng)


def held_out_examples(count: int, seed: int = 0) -> list[Example]:
    """`count` different held-out sentences. A longer list begins with the sentences of a shorter one."""
    rng = random.Random(f"everyday held out {seed}")
    talker = Talker(rng)
    examples: dict[str, Example] = {}
    while len(examples) < count:
        pair = compose(talker)
        if held_out(pair):
            examples.setdefault(key(pair), draw(pair, rng))
    return list(examples.values())


def held_out_by_length(each: int, draws: int = 100_000, seed: int = 0) -> dict[int, list[Example]]:
    """Different held-out sentences by their number of English words and marks: at most `each` of a length.

    Lengths with fewer than 10 held-out sentences are left out.
    """
    rng = random.Random(f"everyday held out by length {seed}")
    talker = Talker(rng)
    by_length: dict[int, dict[str, Example]] = {}
    for _ in range(draws):
        pair = compose(talker)
        if held_out(pair):
            example = draw(pair, rng)
            examples = by_length.setdefault(len(example.english), {})
            if len(examples) < each:
                examples.setdefault(example.source_text.lower(), example)
    return {length: list(examples.values()) for length, examples in sorted(by_length.items()) if len(examples) >= 10}


def hand_made_examples() -> list[Example]:
    """The set phrases. Only questions end with a mark."""
    return [write_pair(pair, "?" if pair.asks else "") for pair in set_phrases()]
