"""The sentences by which the translator is judged: the corpus never draws one of them.

Only their digests stand here, in a text file of this folder. So nobody who works on the grammar reads the sentences.
After a change of the list, `python -m model.train.corpora.everyday.kept_apart LIST` writes the file again.
"""

from __future__ import annotations

import hashlib
import sys
from functools import cache
from pathlib import Path

from model.train.everyday import read_sentences
from model.vectors.nearest_sentence import plain

FILE = Path(__file__).with_name("kept_apart.txt")


def digest(english: str) -> str:
    """A digest of the words of a sentence, in lower case and without marks."""
    return hashlib.blake2b(plain(english).encode(), digest_size=8).hexdigest()


@cache
def digests() -> frozenset[str]:
    return frozenset(FILE.read_text(encoding="utf-8").split())


def is_kept_apart(english: str) -> bool:
    """Whether a sentence is one of those that are never trained on."""
    return digest(english) in digests()


if __name__ == "__main__":
    found = sorted({digest(sentence.english) for sentence in read_sentences(Path(sys.argv[1]))})
    FILE.write_text("\n".join(found) + "\n", encoding="utf-8")
    print(f"{len(found)} sentences are kept apart")
