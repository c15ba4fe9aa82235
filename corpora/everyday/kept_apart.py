"""The sentences by which the translator is judged: the corpus never draws one of them.

Only their digests stand here, in a text file of this folder. So nobody who works on the grammar reads the sentences.
After a change of the list, `python -m model.train.keep_apart LIST` writes the file again.
"""

from __future__ import annotations

import hashlib
import re
from functools import cache
from pathlib import Path

FILE = Path(__file__).with_name("kept_apart.txt")


def digest(english: str) -> str:
    """A digest of the words of a sentence, in lower case and without marks."""
    words = " ".join(re.findall(r"\w+", english.lower()))
    return hashlib.blake2b(words.encode(), digest_size=8).hexdigest()


@cache
def digests() -> frozenset[str]:
    return frozenset(FILE.read_text(encoding="utf-8").split())


def is_kept_apart(english: str) -> bool:
    """Whether a sentence is one of those that are never trained on."""
    return digest(english) in digests()
