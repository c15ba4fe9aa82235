"""The words of the English-Urdu corpus: the vocabulary of its tokenizer. They stand in a text file in this folder.

After a change of the grammar or the lexicon, `python -m corpora.en_ur_words` writes the file again.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from pathlib import Path

from corpora.en_ur import Example, training_examples

FILE = Path(__file__).with_name("en_ur_words.txt")
VOCABULARY_SENTENCES = 200_000


def vocabulary() -> list[str]:
    """All words, marks and endings of both languages, in alphabetical order."""
    return FILE.read_text(encoding="utf-8").split()


def words_of(examples: Iterable[Example]) -> set[str]:
    """The words of these sentences, in lower case."""
    return {word.lower() for example in examples for word in (*example.english, *example.urdu)}


if __name__ == "__main__":
    words = sorted(words_of(islice(training_examples("vocabulary"), VOCABULARY_SENTENCES)))
    FILE.write_text("\n".join(words) + "\n", encoding="utf-8")
    print(f"{len(words)} words")
