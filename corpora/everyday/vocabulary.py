"""The words of the everyday corpus: the vocabulary of its tokenizer. They stand in a text file in this folder.

After a change of the grammar or the lexicon, `python -m corpora.everyday.vocabulary` writes the file again.
"""

from __future__ import annotations

import random
from pathlib import Path

from corpora.en_ur_words import words_of
from corpora.everyday.corpus import compose, draw, hand_made_examples
from corpora.everyday.lexicon_words import lexicon_words
from corpora.everyday.small_talk import Talker

FILE = Path(__file__).with_name("vocabulary.txt")
SENTENCES = 120_000


class PlainTalker(Talker):
    """A speaker of listed names only: what is spelled stays outside the vocabulary."""

    rare_names = 0.0


def vocabulary() -> list[str]:
    """All words, marks and endings of both languages, in alphabetical order."""
    return FILE.read_text(encoding="utf-8").split()


def collect(sentences: int) -> list[str]:
    """The words of so many sentences, of the set phrases, and of all lemmas of the lexicon in all of their forms."""
    rng = random.Random("everyday vocabulary")
    talker = PlainTalker(rng)
    composed = words_of(draw(compose(talker), rng) for _ in range(sentences))
    return sorted(composed | words_of(hand_made_examples()) | lexicon_words())


if __name__ == "__main__":
    words = collect(SENTENCES)
    FILE.write_text("\n".join(words) + "\n", encoding="utf-8")
    print(f"{len(words)} words")
